import { type ClockStart, readTime, type Time } from '../core/clock.ts';
import type { Settings } from '../core/settings.ts';
import type { Instant } from '../core/time.ts';
import type { Fixtures } from '../products/fixtures.ts';
import { countPoliciesOf, createWorld, type StartRecords, type World } from '../products/world.ts';

/** What every World of a sandbox starts from, unless its merchant was created with something else. */
export interface SandboxDefaults {
  readonly fixtures: Fixtures;
  readonly clock: ClockStart;
  readonly seed: number;
  readonly settings: Settings;
  /** An unknown key opens a fresh World of its own instead of 401. */
  readonly autoMerchants: boolean;
}

/** How a merchant's World is made, and made again by a reset. */
export interface WorldConfig {
  readonly records: 'none' | 'own' | 'demo';
  readonly clock: ClockStart;
  readonly seed: number;
}

/** What Worlds are made of. */
export interface WorldSource {
  readonly defaults: SandboxDefaults;
  /** What the clocks of all Worlds go by. */
  readonly time: Time;
}

/** A clock that stands still does so from one moment on, also after a reset. */
export const clockStart = (
  { time }: Pick<WorldSource, 'time'>,
  { now, mode }: ClockStart,
): ClockStart => ({
  mode,
  now: mode === 'frozen' ? (now ?? readTime(time)) : now,
});

/** The id whose records `demo` means. */
const DEMO_MERCHANT_ID = 1;

/** A World as the fixtures make it. Its clock runs since that moment of the sandbox's time. */
export function freshWorld(
  { defaults: { fixtures, settings }, time }: WorldSource,
  { id, config }: { readonly id: number; readonly config: WorldConfig },
  since: Instant,
): World {
  const { clock, seed } = config;
  const start = { merchantId: id, clock, seed, settings, time, since };
  return createWorld(fixtures, start, recordsOf(config, id));
}

/** How many policies the World of a merchant would have if the fixtures made it now. */
export const countStartPolicies = (
  { defaults: { fixtures } }: WorldSource,
  { id, config }: { readonly id: number; readonly config: WorldConfig },
): number => countPoliciesOf(fixtures, recordsOf(config, id));

const recordsOf = ({ records }: WorldConfig, merchantId: number): StartRecords =>
  records === 'none' ? records : { merchantId: records === 'demo' ? DEMO_MERCHANT_ID : merchantId };
