/* Reads the options of the test kits. */

import { readNewMerchant } from '../control/merchants.ts';
import { refuseInvalidOptions } from '../sandbox/core.ts';
import { type OptionRules, oneOf } from '../sandbox/options.ts';
import type { NewMerchant, SandboxOptions } from '../types/public.ts';
import type { KitOptions } from './kit-options.ts';

/** Reads the options of a kit. Throws what a sandbox throws for them, so that the line of `createTest` is told. */
export function readKitOptions<Options extends SandboxOptions>(
  { merchant, unusedFaults, ...rest }: Options & KitOptions,
  more?: OptionRules,
): {
  options: Omit<Options, keyof KitOptions>;
  newMerchant: NewMerchant;
  /** Whether a fault rule that never acted fails its test. */
  needsFaults: boolean;
} {
  const options = { ...rest, ...startOf(rest) };
  const rules = { ...more, merchant: undefined, unusedFaults: oneOf(['fail', 'ignore']) };
  refuseInvalidOptions({ ...options, ...(unusedFaults && { unusedFaults }) }, rules);
  readNewMerchant(merchant);
  return { options, newMerchant: merchant ?? {}, needsFaults: unusedFaults !== 'ignore' };
}

/** Every run is the same: the clock stands until a test moves it. A `clock` function has a time of its own. */
function startOf({ now, clock }: SandboxOptions): Pick<SandboxOptions, 'now' | 'clock'> {
  if (typeof clock === 'function') return { now, clock };
  return { now: now ?? '2026-01-31T10:00:00Z', clock: clock ?? 'frozen' };
}
