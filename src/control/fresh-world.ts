import type { Fixtures } from '../products/fixtures.ts';
import {
  countPoliciesOf,
  createWorld,
  type PriceList,
  type StartRecords,
  type World,
} from '../products/world.ts';
import { type ClockStart, readTime, type Time } from '../world/clock.ts';
import type { Settings } from '../world/settings.ts';
import type { MerchantRow, WorldConfig } from './sandbox-tables.ts';

/** What every World of a sandbox starts from, unless its merchant was created with something else. */
export interface SandboxDefaults {
  readonly fixtures: Fixtures;
  readonly clock: ClockStart;
  readonly seed: number;
  readonly settings: Settings;
  /** An unknown key opens a fresh World of its own instead of 401. */
  readonly autoMerchants: boolean;
}

/** What Worlds are made of. */
export interface WorldSource {
  readonly defaults: SandboxDefaults;
  /** What they sell: all that the fixtures do, and what they sold once. */
  readonly priceList: PriceList;
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

/** A World as the fixtures make it. */
export function freshWorld(
  { defaults: { fixtures, settings }, priceList, time }: WorldSource,
  { id, config, since }: MerchantRow,
): World {
  const { clock, seed } = config;
  const start = { merchantId: id, clock, seed, since };
  return createWorld(fixtures, priceList, { settings, time }, start, recordsOf(config, id));
}

/** How many policies the World of a merchant would have if the fixtures made it now. */
export const countStartPolicies = (
  { defaults: { fixtures } }: WorldSource,
  { id, config }: { readonly id: number; readonly config: WorldConfig },
): number => countPoliciesOf(fixtures, recordsOf(config, id));

const recordsOf = ({ records }: WorldConfig, merchantId: number): StartRecords =>
  records === 'none' ? records : { merchantId: records === 'demo' ? DEMO_MERCHANT_ID : merchantId };
