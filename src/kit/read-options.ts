/* Reads the options of the test kits. */

import { readArgument } from '../control/arguments.ts';
import { refuseInvalidOptions } from '../core.ts';
import type { OptionRules } from '../options.ts';
import type { NewMerchant, SandboxOptions } from '../public.ts';
import type { MerchantOption } from './kit-options.ts';

/** Reads the options of a kit. Throws what a sandbox throws for them, so that the line of `createTest` is told. */
export function readKitOptions<Options extends SandboxOptions>(
  { merchant, ...rest }: Options & MerchantOption,
  more?: OptionRules,
): { options: Omit<Options, 'merchant'>; newMerchant: NewMerchant } {
  const options = { ...rest, ...startOf(rest) };
  refuseInvalidOptions(options, { ...more, merchant: undefined });
  readArgument.createMerchant(merchant);
  return { options, newMerchant: merchant ?? {} };
}

/** Every run is the same: the clock stands until a test moves it. A `clock` function has a time of its own. */
function startOf({ now, clock }: SandboxOptions): Pick<SandboxOptions, 'now' | 'clock'> {
  if (typeof clock === 'function') return { now, clock };
  return { now: now ?? '2026-01-31T10:00:00Z', clock: clock ?? 'frozen' };
}
