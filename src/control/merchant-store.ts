import {
  type ActivityFeed,
  announce,
  bearerKey,
  createActivityFeed,
  DEFAULT_MAX_MERCHANTS,
  type Merchant,
  notifyListeners,
  type WorldChanged,
} from '../api/activity.ts';
import type { MerchantDirectory } from '../api/context.ts';
import type { World } from '../products/world.ts';
import {
  type ClockStart,
  createClock,
  createTime,
  createWorldTime,
  readTime,
  readWorldTime,
  type TimeSource,
} from '../world/clock.ts';
import { clearEntries, createJournal, MAX_JOURNAL_BYTES } from '../world/journal.ts';
import { nextHex, secretHex } from '../world/random.ts';
import { type Change, type Line, NotStoredError, rowsOf, transact } from '../world/tables.ts';
import type { Instant } from '../world/time.ts';
import { clockStart, freshWorld, type SandboxDefaults, type WorldSource } from './fresh-world.ts';
import type { Host } from './host.ts';
import {
  createSandboxTables,
  type MerchantRow,
  type SandboxTables,
  type WorldConfig,
} from './sandbox-tables.ts';

/** Options of a store. */
export interface StoreOptions {
  readonly publicUrl?: string | undefined;
  readonly adminToken?: string | undefined;
  readonly cors?: readonly string[];
  /** The highest number of merchants. Fixtures and state files may have more. */
  readonly maxMerchants?: number | undefined;
  readonly hasSecretKeys?: boolean | undefined;
  /** Whether the journal shows keys and identity numbers as `[redacted]`. */
  readonly redact?: boolean | undefined;
  /** The source of its time. Default: the system. */
  readonly timeSource?: TimeSource | undefined;
}

/** A merchant with everything a reset needs. */
export interface MerchantAccount extends Merchant<World> {
  /** Replaced as a whole when its key changes or its World is reset. */
  row: MerchantRow;
  readonly config: WorldConfig;
  /** Whether its World exists. Worlds are created on first use. */
  readonly hasWorld: boolean;
  /** The World that is in storage. The first change of any other World stores all of it. */
  keptWorld: World | undefined;
  /** The time that a World created on first use has reached already, because it ran before the last stop. */
  reached: Instant;
  removed: boolean;
}

/** Stores changes. */
export interface Storage {
  /** Stores all lines, or none and throws `NotStoredError`. */
  write(lines: Iterable<Line>): void;
  /** Requests a checkpoint, because much has changed. */
  requestSave(): void;
  /** Tries to write again. Returns why the last line could not be stored; undefined if it is stored. */
  problem(): string | undefined;
}

/** The merchants of a sandbox, by key and by id. */
export interface MerchantStore extends MerchantDirectory, WorldSource, SandboxTables {
  /** Replaced as a whole when the fixtures change. */
  defaults: SandboxDefaults;
  priceList: WorldSource['priceList'];
  readonly host: Host;
  /** Never opens a World, even with `autoMerchants`. */
  readonly adminToken: string | undefined;
  readonly maxMerchants: number;
  /** Whether nobody can guess new keys. Otherwise the seed decides them. */
  readonly hasSecretKeys: boolean;
  readonly byId: Map<number, MerchantAccount>;
  readonly byKey: Map<string, MerchantAccount>;
  storage: Storage | undefined;
  /** Whether it has warned that unknown keys no longer open Worlds. */
  warnedFull: boolean;
  /** The number of requests without a valid key. */
  anonymousRequests: number;
  authenticate(authorization: string | undefined): MerchantAccount | undefined;
}

export function createMerchantStore(
  defaults: SandboxDefaults,
  options: StoreOptions = {},
  host: Host = {},
): MerchantStore {
  const { publicUrl, cors = [], adminToken, redact = true } = options;
  const { maxMerchants = DEFAULT_MAX_MERCHANTS, hasSecretKeys = false } = options;
  const time = createTime(options.timeSource);
  const own: Omit<MerchantStore, keyof SandboxTables> = {
    defaults,
    priceList: defaults.fixtures,
    host,
    time,
    storage: undefined,
    settings: defaults.families.settings,
    publicUrl: publicUrl?.replace(/(?<!\/)\/+$/, ''),
    cors,
    adminToken,
    maxMerchants,
    hasSecretKeys,
    redact,
    byId: new Map(),
    byKey: new Map(),
    warnedFull: false,
    anonymousRequests: 0,
    anonymous: {
      journal: createJournal(),
      clock: createClock(defaults.clock, readTime(time)),
      // No World: a call shows the time that is now, even if an earlier call showed a later one.
      get time() {
        return createWorldTime(time);
      },
    },
    activity: createActivityFeed(),
    maxJournalBytes: host.maxJournalBytes ?? MAX_JOURNAL_BYTES,
    breaksConnections: !host.isHosted,
    authenticate: (authorization) => authenticate(store, authorization),
    onArrival: host.onArrival,
    nextRequestId: ({ id, world }) => requestId(store, id, ++world.requests),
    nextAnonymousId: () => requestId(store, 0, ++store.anonymousRequests),
  };
  const store: MerchantStore = Object.assign(createSandboxTables(defaults.seed), own);
  for (const merchant of host.isHosted ? [] : defaults.fixtures.merchants) {
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

/** After an end without a save, request numbers start again, so ids then contain the run. */
const requestId = ({ run }: SandboxTables, merchantId: number, number: number): string =>
  run === 1 ? `req-${merchantId}-${number}` : `req-${merchantId}-${run}-${number}`;

/**
 * Registers a merchant. Its World is created on first use, so this is cheap. Its row is loaded without a transaction,
 * unless the caller has put it already.
 */
export function registerMerchant(store: MerchantStore, row: MerchantRow): MerchantAccount {
  let world: World | undefined;
  const merchant: MerchantAccount = {
    row,
    get id() {
      return merchant.row.id;
    },
    get name() {
      return merchant.row.name;
    },
    get api_key() {
      return merchant.row.api_key;
    },
    get config() {
      return merchant.row.config;
    },
    removed: false,
    listeners: new Set(),
    keptWorld: undefined,
    reached: 0,
    get hasWorld() {
      return world !== undefined;
    },
    get world() {
      if (!world) merchant.world = freshWorld(store, merchant.row, merchant.reached);
      return world as World;
    },
    set world(other) {
      world = other;
      if (store.storage && world) connectWorld(store, merchant, world);
    },
  };
  if (!store.merchants.has(String(row.id))) store.merchants.load(String(row.id), row);
  if (row.id > store.lastId) store.lastId = row.id;
  store.byId.set(row.id, merchant);
  store.byKey.set(row.api_key, merchant);
  return merchant;
}

/** Starts a new run after one that ended without a save. */
export function startRun(store: SandboxTables): void {
  store.run += 1;
}

/** Stores all changes of a sandbox from now on. */
export function attachStorage(store: MerchantStore, storage: Storage): void {
  store.storage = storage;
  store.tables.recorder = (changes, more) => {
    if (store.storage) store.storage.write(linesOf(changes, more));
  };
  for (const merchant of store.byId.values()) {
    if (merchant.hasWorld) connectWorld(store, merchant, merchant.world);
  }
}

function connectWorld(store: MerchantStore, merchant: MerchantAccount, world: World): void {
  world.tables.recorder = (changes) => {
    // A call may still run in a World that was replaced; its changes are not stored.
    if (!store.storage || merchant.removed || merchant.world !== world) return;
    const { id } = merchant;
    const isKept = merchant.keptWorld === world;
    store.storage.write(isKept ? [{ merchant: id, changes }] : worldLines(id, world));
    merchant.keptWorld = world;
  };
}

function* linesOf(changes: readonly Change[], more: Iterable<Line>): Generator<Line, void> {
  if (changes.length > 0) yield { changes };
  yield* more;
}

/** Rows per line when a whole World is stored. */
const ROWS_PER_LINE = 500;

/** The lines that store a whole World in place of the previous one. */
export function* worldLines(merchant: number, { tables }: World): Generator<Line, void> {
  let changes: Change[] = [];
  let replaced: true | undefined = true;
  for (const row of rowsOf(tables)) {
    changes.push(row);
    if (changes.length < ROWS_PER_LINE) continue;
    yield { merchant, replaced, changes };
    replaced = undefined;
    changes = [];
  }
  yield { merchant, replaced, changes };
}

/** The start of a new merchant. Missing fields are those of the sandbox. */
export interface MerchantStart {
  readonly name?: string | undefined;
  readonly records?: WorldConfig['records'] | undefined;
  readonly clock?: ClockStart | undefined;
  readonly seed?: number | undefined;
}

/** Registers a merchant under the next id. Throws `NotStoredError`. */
export function addMerchant(
  store: MerchantStore,
  start: MerchantStart = {},
  apiKey?: string,
): MerchantAccount {
  const { defaults } = store;
  const row = store.tables.transact(() => {
    const id = store.lastId + 1;
    const { name = `Merchant ${id}`, records = 'none', seed = defaults.seed } = start;
    const clock = start.clock ?? clockStart(store, defaults.clock);
    const config = { records, clock, seed };
    const api_key = apiKey ?? nextKey(store);
    const created: MerchantRow = { id, name, api_key, config, since: readTime(store.time) };
    store.lastId = id;
    store.merchants.put(String(id), created);
    return created;
  });
  const merchant = registerMerchant(store, row);
  announce(store.activity, { kind: 'merchants', merchant, change: 'created' });
  return merchant;
}

/**
 * Stores a new World whose policies were bought, so that it stays as it is under other fixtures at the next start. If
 * that fails, they are bought again.
 */
export function keepBoughtWorld(store: MerchantStore, merchant: MerchantAccount): void {
  if (typeof merchant.config.records !== 'object') return;
  const { world } = merchant;
  try {
    store.storage?.write(worldLines(merchant.id, world));
    merchant.keptWorld = world;
  } catch (error) {
    if (!(error instanceof NotStoredError)) throw error;
  }
}

/** A new random key. */
export const nextKey = ({
  random,
  hasSecretKeys,
}: Pick<MerchantStore, 'random' | 'hasSecretKeys'>) =>
  `sk_sandbox_${hasSecretKeys ? secretHex(32) : nextHex(random, 32)}`;

function authenticate(
  store: MerchantStore,
  authorization: string | undefined,
): MerchantAccount | undefined {
  const key = bearerKey(authorization);
  if (key === undefined) return undefined;
  if (store.host.openFailure) throw store.host.openFailure;
  const known = store.byKey.get(key);
  if (known || !store.defaults.autoMerchants) return known;
  if (store.blocked.has(key) || key === store.adminToken) return undefined;
  if (!isFull(store)) return addMerchant(store, {}, key);
  if (!store.warnedFull)
    store.host.warn?.(`${fullReason(store)} Until then, unknown keys are refused with 401.`);
  store.warnedFull = true;
  return undefined;
}

/** Whether the limit of merchants is reached. */
export const isFull = ({ byId, maxMerchants }: MerchantStore): boolean => byId.size >= maxMerchants;

/** Says that the limit of merchants is reached, and what to do about it. */
export const fullReason = ({
  maxMerchants,
  host,
}: Pick<MerchantStore, 'maxMerchants'> & Partial<Pick<MerchantStore, 'host'>>): string =>
  `The limit of merchants is reached: ${maxMerchants.toLocaleString('en')} (${host?.isHosted ? 'SANDBOX_MAX_MERCHANTS' : '--max-merchants'}). Remove one, or start the sandbox with a higher limit.`;

/**
 * Replaces Worlds, all or none: by the given World, or by a fresh one if it is undefined. Running requests finish in
 * the old World. Throws `NotStoredError`.
 */
export function replaceWorlds(
  store: MerchantStore,
  worlds: ReadonlyMap<MerchantAccount, World | undefined>,
): void {
  const since = readTime(store.time);
  const rows = [...worlds].flatMap(([{ row }, world]) => (world ? [] : [{ ...row, since }]));
  store.tables.transact(() => {
    for (const row of rows) store.merchants.put(String(row.id), row);
  }, replacements(worlds));
  for (const row of rows) (store.byId.get(row.id) as MerchantAccount).row = row;
  for (const [merchant, world] of worlds) placeWorld(store, merchant, world);
}

/** Gives a merchant another World, which is in storage already. */
function placeWorld(
  store: MerchantStore,
  merchant: MerchantAccount,
  world: World | undefined,
): void {
  // Frees the old journal even if a slow reader still holds it.
  if (merchant.hasWorld) clearEntries(merchant.world.journal);
  Object.assign(merchant, { world, keptWorld: world, reached: 0 });
  notifyListeners(merchant);
  announceWorld(store.activity, merchant, world ? 'snapshot' : 'reset');
}

function* replacements(
  worlds: ReadonlyMap<MerchantAccount, World | undefined>,
): Generator<Line, void> {
  for (const [{ id }, world] of worlds) {
    if (world) yield* worldLines(id, world);
    else yield { merchant: id, replaced: true, changes: [] };
  }
}

/** Resets a World to its fixtures. Throws `NotStoredError`. */
export const resetWorld = (store: MerchantStore, merchant: MerchantAccount): void =>
  replaceWorlds(store, new Map([[merchant, undefined]]));

/** Changes a World, all or nothing, and tells listeners. Throws what `change` throws, and `NotStoredError`. */
export function changeWorld<Result>(
  { activity }: { readonly activity: ActivityFeed },
  merchant: Merchant<World>,
  what: 'clock' | 'faults',
  change: (world: World) => Result,
): Result {
  const { world } = merchant;
  // Storage records the time of the change.
  readWorldTime(world.time);
  const result = transact(world, () => change(world));
  announceWorld(activity, merchant, what);
  return result;
}

/** Tells listeners that the control plane changed a World. */
export const announceWorld = (
  activity: ActivityFeed,
  merchant: Merchant,
  change: WorldChanged['change'],
): void => announce(activity, { kind: 'world', merchant, change });
