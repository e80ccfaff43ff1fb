/* The merchants of a sandbox with what their Worlds start from: its options, its fixtures, and its host. */

import type { Connection } from '../api/context.ts';
import { moveClock } from '../products/clock-move.ts';
import type { World } from '../products/world.ts';
import { createTime, readTime, type TimeSource } from '../world/clock.ts';
import { MAX_HISTORY_BYTES } from '../world/history.ts';
import { MAX_JOURNAL_BYTES } from '../world/journal.ts';
import type { MerchantOf, MerchantRow } from '../world/merchant.ts';
import {
  clockStart,
  createMerchants,
  DEFAULT_MAX_MERCHANTS,
  type Merchants,
  registerMerchant,
} from '../world/merchants.ts';
import { freshWorld, type SandboxDefaults, type WorldSource } from './fresh-world.ts';
import type { Host } from './host.ts';

/** Options of a store. */
export interface StoreOptions {
  /** Never opens a World, even with `autoMerchants`. */
  readonly adminToken?: string | undefined;
  readonly maxMerchants?: number | undefined;
  readonly hasSecretKeys?: boolean | undefined;
  /** Whether the journal shows keys and identity numbers as `[redacted]`. */
  readonly redact?: boolean | undefined;
  /** The source of its time. Default: the system. */
  readonly timeSource?: TimeSource | undefined;
  readonly closing?: AbortSignal | undefined;
  /** Serves a request in this process, as if a connection had brought it. */
  readonly serve: (request: Request, connection: Connection) => Response | Promise<Response>;
}

/** A merchant whose World has every family. */
export type MerchantAccount = MerchantOf<World>;

/** The merchants of a sandbox, and everything that a reset of their Worlds needs. */
export interface MerchantStore extends Merchants<World>, WorldSource {
  /** Replaced as a whole when the fixtures change. */
  defaults: SandboxDefaults;
  priceList: WorldSource['priceList'];
  readonly host: Host;
  /** Aborts when the sandbox closes; methods that wait then end. */
  readonly closing: AbortSignal | undefined;
  readonly serve: StoreOptions['serve'];
}

export function createMerchantStore(
  defaults: SandboxDefaults,
  { adminToken, redact = true, hasSecretKeys = false, ...options }: StoreOptions,
  host: Host = {},
): MerchantStore {
  const merchants = createMerchants<World>({
    defaults,
    settings: defaults.families.settings,
    time: createTime(options.timeSource),
    maxMerchants: options.maxMerchants ?? DEFAULT_MAX_MERCHANTS,
    maxMerchantsOption: host.cluster ? 'SANDBOX_MAX_MERCHANTS' : '--max-merchants',
    autoMerchantsOption: host.cluster ? 'SANDBOX_AUTO_MERCHANTS=1' : '--auto-merchants',
    adminToken,
    hasSecretKeys,
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
  const { closing, serve } = options;
  const store: MerchantStore = Object.assign(merchants, {
    defaults,
    priceList: defaults.fixtures,
    host,
    closing,
    serve,
  });
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
