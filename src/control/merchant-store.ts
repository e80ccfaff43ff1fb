/* The merchants of a sandbox, and the Worlds that they begin with, and begin with again after a reset. */

import type { Connection } from '../api/context.ts';
import type { PriceList } from '../products/catalogue.ts';
import { moveClock } from '../products/clock-move.ts';
import { boughtAt } from '../products/fixture-policies.ts';
import type { Fixtures } from '../products/fixtures.ts';
import type { ServedFamilies } from '../products/index.ts';
import { buyCounts } from '../products/planned-purchases.ts';
import {
  createWorld,
  type PoliciesByFamily,
  startPolicies,
  type World,
} from '../products/world.ts';
import type { PolicyCounts, SandboxOptions } from '../types/public.ts';
import { atOnce, createWorldTime, readTime } from '../world/clock.ts';
import { MAX_HISTORY_BYTES } from '../world/history.ts';
import { MAX_JOURNAL_BYTES } from '../world/journal.ts';
import type { MerchantOf, MerchantRow, WorldConfig } from '../world/merchant.ts';
import {
  clockStart,
  createMerchants,
  DEFAULT_MAX_MERCHANTS,
  type MerchantDefaults,
  type Merchants,
  registerMerchant,
} from '../world/merchants.ts';
import type { Instant } from '../world/time.ts';
import { startValues } from '../world/world.ts';
import type { Host } from './host.ts';

/** The start of every World of a sandbox, unless its merchant was created with other values. */
export interface SandboxDefaults extends MerchantDefaults {
  readonly fixtures: Fixtures;
  readonly families: ServedFamilies;
}

/** A merchant whose World has every family. */
export type MerchantAccount = MerchantOf<World>;

/** The merchants of a sandbox, and everything that a reset of their Worlds needs. */
export interface MerchantStore extends Merchants<World> {
  /** Replaced as a whole when the fixtures change. */
  defaults: SandboxDefaults;
  /** The products of the fixtures, and former products. */
  priceList: PriceList;
  readonly host: Host;
  /** Aborts when the sandbox closes; methods that wait then end. */
  readonly closing: AbortSignal;
  /** Serves a request in this process, as if a connection had brought it. */
  serve(request: Request, connection: Connection): Response | Promise<Response>;
}

/** Creates the merchants of a sandbox with these options. Those of the fixtures are there from the start. */
export function createMerchantStore(
  { adminToken, seed, maxMerchants = DEFAULT_MAX_MERCHANTS, redact = true }: SandboxOptions,
  sandbox: Pick<MerchantStore, 'defaults' | 'host' | 'time' | 'closing' | 'serve'>,
): MerchantStore {
  const { defaults, host, time } = sandbox;
  const merchants = createMerchants<World>({
    defaults,
    settings: defaults.families.settings,
    time,
    maxMerchants,
    maxMerchantsOption: host.cluster ? 'SANDBOX_MAX_MERCHANTS' : '--max-merchants',
    autoMerchantsOption: host.cluster ? 'SANDBOX_AUTO_MERCHANTS=1' : '--auto-merchants',
    adminToken,
    // A sandbox with an admin token may be public. A configured seed is for tests.
    hasSecretKeys: adminToken !== undefined && seed === undefined,
    redact,
    maxJournalBytes: host.limits?.maxJournalBytes ?? MAX_JOURNAL_BYTES,
    maxHistoryBytes: host.limits?.maxHistoryBytes ?? MAX_HISTORY_BYTES,
    // A platform has the connections of a cluster.
    breaksConnections: !host.cluster,
    createWorld: (row, reached) => freshWorld(store, row, reached),
    moveClock,
    warn: host.warn,
    ...(host.observer && { faultOf: host.observer.faultOf }),
  });
  const store: MerchantStore = Object.assign(merchants, sandbox, { priceList: defaults.fixtures });
  // Each part of a cluster adds the merchants that it serves.
  for (const merchant of host.cluster ? [] : defaults.fixtures.merchants) {
    registerMerchant(store, fixtureRow(store, merchant));
  }
  return store;
}

/** The row of a merchant from the fixtures. */
export function fixtureRow(
  { time, defaults }: Pick<MerchantStore, 'time' | 'defaults'>,
  { id, name, api_key }: SandboxDefaults['fixtures']['merchants'][number],
): MerchantRow {
  const clock = clockStart({ time }, defaults.clock);
  const config = { records: 'own', clock, seed: defaults.seed } as const;
  return { id, name, api_key, config, since: readTime(time) };
}

/** `demo` means the records of this merchant. */
const DEMO_MERCHANT_ID = 1;

/**
 * Creates the World of a merchant, as its fixtures or its counts say.
 *
 * @param reached the time that it has reached already
 */
function freshWorld(source: MerchantStore, row: MerchantRow, reached: Instant): World {
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

function policiesOf(source: MerchantStore, row: MerchantRow): PoliciesByFamily {
  const { records, clock } = row.config;
  if (records === 'none') return {};
  if (isCounts(records)) return atOnce(buyStartPolicies(source, row));
  const { fixtures, families } = source.defaults;
  const owner = records === 'demo' ? DEMO_MERCHANT_ID : row.id;
  const start = clock.now ?? row.since;
  return startPolicies(boughtAt(fixtures, families, start).policies, owner, row.id);
}

/** Buys the policies that a merchant starts with, if its start has counts. This may take seconds. */
export function* buyStartPolicies(
  { defaults: { families }, priceList }: MerchantStore,
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
