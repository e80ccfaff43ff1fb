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

/** The start of every World of a sandbox, unless its merchant was created with other values. */
export interface SandboxDefaults {
  readonly fixtures: Fixtures;
  readonly clock: ClockStart;
  readonly seed: number;
  readonly settings: Settings;
  /** Whether an unknown key opens a new World instead of returning 401. */
  readonly autoMerchants: boolean;
}

/** Everything needed to create a World. */
export interface WorldSource {
  readonly defaults: SandboxDefaults;
  /** The products of the fixtures, and former products. */
  readonly priceList: PriceList;
  /** The time that all clocks follow. */
  readonly time: Time;
}

/** Fixes the start of a frozen clock now, so that every reset returns to the same moment. */
export const clockStart = (
  { time }: Pick<WorldSource, 'time'>,
  { now, mode }: ClockStart,
): ClockStart => ({
  mode,
  now: mode === 'frozen' ? (now ?? readTime(time)) : now,
});

/** `demo` means the records of this merchant. */
const DEMO_MERCHANT_ID = 1;

/** Creates a World from the fixtures. */
export function freshWorld(
  { defaults: { fixtures, settings }, priceList, time }: WorldSource,
  { id, config, since }: MerchantRow,
): World {
  const { clock, seed } = config;
  const start = { merchantId: id, clock, seed, since };
  return createWorld(fixtures, priceList, { settings, time }, start, recordsOf(config, id));
}

/** The number of policies in a fresh World of a merchant. */
export const countStartPolicies = (
  { defaults: { fixtures } }: WorldSource,
  { id, config }: { readonly id: number; readonly config: WorldConfig },
): number => countPoliciesOf(fixtures, recordsOf(config, id));

const recordsOf = ({ records }: WorldConfig, merchantId: number): StartRecords =>
  records === 'none' ? records : { merchantId: records === 'demo' ? DEMO_MERCHANT_ID : merchantId };
