/* Creates the World that a merchant begins with, and begins with again after a reset. */

import type { PriceList } from '../products/catalogue.ts';
import { boughtAt } from '../products/fixture-purchases.ts';
import type { Fixtures } from '../products/fixtures.ts';
import type { ServedFamilies } from '../products/index.ts';
import { policiesAt } from '../products/moved-records.ts';
import { buyCounts } from '../products/planned-purchases.ts';
import {
  createWorld,
  type PoliciesByFamily,
  type StartRecords,
  startPolicies,
  type World,
} from '../products/world.ts';
import type { PolicyCounts } from '../types/public.ts';
import { atOnce, createWorldTime, type Time } from '../world/clock.ts';
import type { MerchantRow, WorldConfig } from '../world/merchant.ts';
import type { MerchantDefaults } from '../world/merchants.ts';
import type { Instant } from '../world/time.ts';
import { startValues } from '../world/world.ts';

/** The start of every World of a sandbox, unless its merchant was created with other values. */
export interface SandboxDefaults extends MerchantDefaults {
  readonly fixtures: Fixtures;
  readonly families: ServedFamilies;
}

/** Everything needed to create a World. */
export interface WorldSource {
  readonly defaults: SandboxDefaults;
  /** The products of the fixtures, and former products. */
  readonly priceList: PriceList;
  /** What all Worlds follow. */
  readonly time: Time;
}

/** `demo` means the records of this merchant. */
const DEMO_MERCHANT_ID = 1;

/**
 * Creates the World of a merchant, as its fixtures or its counts say.
 *
 * @param reached the time that it has reached already
 */
export function freshWorld(source: WorldSource, row: MerchantRow, reached: Instant): World {
  const { settings } = source.defaults.families;
  const { clock, seed } = row.config;
  const start = startValues({ merchantId: row.id, clock, seed, since: row.since });
  const shared = { settings, time: createWorldTime(source.time, reached) };
  return createWorld(source.priceList, shared, start, policiesOf(source, row));
}

/** The policies that were bought for a merchant, and the price list. A reset starts with the same ones. */
const bought = new WeakMap<
  WorldConfig,
  { readonly policies: PoliciesByFamily; readonly priceList: PriceList }
>();

function policiesOf(source: WorldSource, row: MerchantRow): PoliciesByFamily {
  const { id, config, since } = row;
  if (isCounts(config.records)) return atOnce(buyStartPolicies(source, row));
  const { fixtures, families } = source.defaults;
  const records = recordsOf(config.records, id);
  const start = config.clock.now ?? since;
  const isBuying = records !== 'none' && records.merchantId === fixtures.merchants[0]?.id;
  const policies = isBuying
    ? boughtAt(fixtures, families, start).policies
    : policiesAt(fixtures, start);
  return startPolicies(policies, records, id);
}

/** Buys the policies that a merchant starts with, if its start has counts. This may take seconds. */
export function* buyStartPolicies(
  { defaults: { families }, priceList }: WorldSource,
  { id, config, since }: MerchantRow,
): Generator<undefined, PoliciesByFamily> {
  const { records, clock, seed } = config;
  if (!isCounts(records)) return {};
  const known = bought.get(config);
  if (known?.priceList === priceList) return known.policies;
  const market = { priceList, families, merchantId: id, seed };
  const policies = yield* buyCounts(market, records, clock.now ?? since);
  bought.set(config, { policies, priceList });
  return policies;
}

const isCounts = (records: WorldConfig['records']): records is PolicyCounts =>
  typeof records === 'object';

const recordsOf = (
  records: Exclude<WorldConfig['records'], PolicyCounts>,
  merchantId: number,
): StartRecords =>
  records === 'none' ? records : { merchantId: records === 'demo' ? DEMO_MERCHANT_ID : merchantId };
