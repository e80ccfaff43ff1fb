/* The merchants of a sandbox by id and by key: who they are, how they come and go, and which World a key opens. */

import { z } from '@hono/zod-openapi';
import type { OperationId } from '../types/public.ts';
import { type ActivityFeed, announce, createActivityFeed, happen } from './activity.ts';
import {
  type Clock,
  type ClockStart,
  createClock,
  createWorldTime,
  readTime,
  type Time,
  type WorldTime,
} from './clock.ts';
import type { Fault } from './faults.ts';
import { grouped } from './grouped.ts';
import { keepHistory } from './history.ts';
import { clearJournal, createJournal, type Journal } from './journal.ts';
import { connectWorld, type Storage, worldLine } from './kept-worlds.ts';
import { type MerchantOf, type MerchantRow, rowAfterReset, type WorldConfig } from './merchant.ts';
import {
  createRandomState,
  nextDigits,
  type RandomState,
  secretHex,
  storedRandom,
} from './random.ts';
import type { Settings } from './settings.ts';
import { type Change, KeyedTable, Tables } from './tables.ts';
import type { Instant } from './time.ts';
import { lastNowOf, type WorldCore } from './world.ts';
import type { WorldHappening } from './world-events.ts';

/** The default limit of merchants. */
export const DEFAULT_MAX_MERCHANTS = 10_000;

/** What a key may be: printable ASCII without spaces. */
const SENDABLE_KEY = /^[\x21-\x7e]+$/;
/** The schema of such a key. */
export const sendableKey = () =>
  z.string().regex(SENDABLE_KEY, { error: 'printable ASCII text without spaces' });

/** Whether a text can be sent as a key. */
export const isSendableKey = (key: string): boolean => SENDABLE_KEY.test(key);

/** The tables of a sandbox, besides those of its Worlds. */
export interface SandboxTables {
  readonly tables: Tables;
  /** By id. */
  readonly merchants: KeyedTable<MerchantRow>;
  /** Replaced keys. They never work again, even with `autoMerchants`. */
  readonly blocked: KeyedTable<true>;
  /** Single values, by name. */
  readonly values: KeyedTable<unknown>;
  /** The random state of new keys. */
  readonly random: RandomState;
  lastId: number;
  /** Counts starts from stored state after an end without a save. */
  run: number;
}

/** The names of the tables of a sandbox, besides those of its Worlds. */
export const SANDBOX_TABLES = {
  merchants: 'merchants',
  blocked: 'blocked_keys',
  values: 'sandbox',
} as const;

const OF_SANDBOX: ReadonlySet<string> = new Set(Object.values(SANDBOX_TABLES));

/** Whether a row belongs to the sandbox itself, not to a World. */
export const isSandboxRow = ([table]: Change): boolean => OF_SANDBOX.has(table);

function createSandboxTables(seed: number): SandboxTables {
  const tables = new Tables();
  const values = new KeyedTable<unknown>(tables, SANDBOX_TABLES.values);
  values.load('random', createRandomState(seed, 0).state);
  return {
    tables,
    merchants: new KeyedTable(tables, SANDBOX_TABLES.merchants, { orderOf: ({ id }) => id }),
    blocked: new KeyedTable(tables, SANDBOX_TABLES.blocked),
    values,
    random: storedRandom(values, 'random'),
    get lastId() {
      return (values.get('last_id') as number | undefined) ?? 0;
    },
    set lastId(id) {
      values.put('last_id', id);
    },
    get run() {
      return (values.get('run') as number | undefined) ?? 1;
    },
    set run(run) {
      values.put('run', run);
    },
  };
}

/** How new merchants start. */
export interface MerchantDefaults {
  readonly clock: ClockStart;
  readonly seed: number;
  /** Whether an unknown key opens a new World instead of returning 401. */
  readonly autoMerchants: boolean;
}

/** What is kept of calls without a valid key, which belong to no World. */
interface Anonymous {
  readonly journal: Journal;
  /** A clock that started with the sandbox. */
  readonly clock: Clock;
  readonly time: WorldTime;
}

/** What a sandbox gives to its merchants. */
export interface MerchantsOptions<W extends WorldCore> {
  readonly defaults: MerchantDefaults;
  readonly settings: Settings;
  /** What all Worlds follow. */
  readonly time: Time;
  /** The highest number of merchants, and the option that sets it. Fixtures and state files may have more. */
  readonly maxMerchants: number;
  readonly maxMerchantsOption: string;
  /** The name of the option `autoMerchants` to its user. */
  readonly autoMerchantsOption: string;
  /** Never opens a World, even with `autoMerchants`. */
  readonly adminToken: string | undefined;
  /** Whether nobody can guess new keys. Otherwise the seed decides them. */
  readonly hasSecretKeys: boolean;
  /** Whether journal entries hide keys and identity numbers. */
  readonly redact: boolean;
  /** How many bytes of requests and responses the journal of a World keeps. */
  readonly maxJournalBytes: number;
  /** How many bytes of memory the history of a World takes. */
  readonly maxHistoryBytes: number;
  /** Whether a fault can end a connection. */
  readonly breaksConnections: boolean;
  /** Creates the World of a merchant as its row says, at the time that it has reached already. */
  createWorld(row: MerchantRow, reached: Instant): W;
  /** Moves the clock of a World, in a transaction. */
  moveClock(world: W, to: Instant, time: Instant): { readonly happened: readonly WorldHappening[] };
  /** Called when a call with a valid key arrives. Returns the fault that the program around the sandbox wants. */
  faultOf?(merchant: MerchantOf<W>, operation: OperationId): Fault | undefined;
  /** Prints a warning. */
  readonly warn?: ((message: string) => void) | undefined;
}

/** The merchants of a sandbox. */
export interface Merchants<W extends WorldCore = WorldCore>
  extends MerchantsOptions<W>,
    SandboxTables {
  readonly byId: Map<number, MerchantOf<W>>;
  readonly byKey: Map<string, MerchantOf<W>>;
  storage: Storage | undefined;
  /** Events for listeners. */
  readonly activity: ActivityFeed;
  readonly anonymous: Anonymous;
  /** The number of requests without a valid key. */
  anonymousRequests: number;
  /** Whether it has warned that unknown keys no longer open Worlds. */
  warnedFull: boolean;
}

/** Creates the merchants of a sandbox, none yet. */
export function createMerchants<W extends WorldCore>(options: MerchantsOptions<W>): Merchants<W> {
  const { defaults, time } = options;
  const own: Omit<Merchants<W>, keyof MerchantsOptions<W> | keyof SandboxTables> = {
    byId: new Map(),
    byKey: new Map(),
    storage: undefined,
    activity: createActivityFeed(),
    anonymous: {
      journal: createJournal(),
      clock: createClock(defaults.clock, readTime(time)),
      // No World: a call shows the time that is now, even if an earlier call showed a later one.
      get time() {
        return createWorldTime(time);
      },
    },
    anonymousRequests: 0,
    warnedFull: false,
  };
  return Object.assign(createSandboxTables(defaults.seed), own, options);
}

/** Fixes the start of a frozen clock now, so that every reset returns to the same moment. */
export const clockStart = (
  { time }: Pick<Merchants, 'time'>,
  { now, mode }: ClockStart,
): ClockStart => ({
  mode,
  now: mode === 'frozen' ? (now ?? readTime(time)) : now,
});

/**
 * Registers a merchant. Its World is created on first use, so this is cheap. Its row is loaded without a transaction,
 * unless the caller has put it already.
 */
export function registerMerchant<W extends WorldCore>(
  store: Merchants<W>,
  row: MerchantRow,
): MerchantOf<W> {
  let world: W | undefined;
  const merchant: MerchantOf<W> = {
    row,
    id: row.id,
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
    removedBecause: undefined,
    keptWorld: undefined,
    reached: 0,
    get hasWorld() {
      return world !== undefined;
    },
    nextJournal: undefined,
    get world() {
      if (!world) {
        const created = store.createWorld(merchant.row, merchant.reached);
        if (merchant.nextJournal) created.journal = merchant.nextJournal;
        merchant.world = created;
      }
      return world as W;
    },
    set world(other) {
      world = other;
      merchant.nextJournal = undefined;
      if (!world) return;
      keepHistory(world, store.maxHistoryBytes);
      if (store.storage) connectWorld(store, merchant, world);
    },
  };
  if (!store.merchants.has(String(row.id))) store.merchants.load(String(row.id), row);
  if (row.id > store.lastId) store.lastId = row.id;
  store.byId.set(row.id, merchant);
  store.byKey.set(row.api_key, merchant);
  return merchant;
}

/** The start of a new merchant. Missing fields are those of the sandbox. */
export interface MerchantStart {
  readonly name?: string | undefined;
  readonly records?: WorldConfig['records'] | undefined;
  readonly clock?: ClockStart | undefined;
  readonly seed?: number | undefined;
}

/** Registers a merchant under the next id. Throws `NotStoredError`. */
export function addMerchant<W extends WorldCore>(
  store: Merchants<W>,
  start: MerchantStart = {},
  apiKey?: string,
): MerchantOf<W> {
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

/** A new random key. */
export const nextKey = ({ random, hasSecretKeys }: Pick<Merchants, 'random' | 'hasSecretKeys'>) =>
  `sk_sandbox_${hasSecretKeys ? secretHex(32) : nextDigits(random, 32, 16)}`;

/**
 * Removes a merchant and its World. Throws `NotStoredError`.
 *
 * @param because what later calls of its methods are told
 */
export function removeMerchant<W extends WorldCore>(
  store: Merchants<W>,
  merchant: MerchantOf<W>,
  because?: string,
): void {
  const { id, api_key } = merchant;
  // They were made before it is removed.
  if (merchant.hasWorld) for (const serve of merchant.world.delayed) serve();
  store.tables.transact(() => store.merchants.delete(String(id)));
  store.byId.delete(id);
  store.byKey.delete(api_key);
  merchant.removed = true;
  merchant.removedBecause = because;
  announce(store.activity, { kind: 'merchants', merchant, change: 'removed' });
}

/** Replaces the key by `apiKey` or a random one. The old key is blocked at once (`key-issue`). Throws `NotStoredError`. */
export function rotateKey<W extends WorldCore>(
  store: Merchants<W>,
  merchant: MerchantOf<W>,
  apiKey?: string,
): void {
  const before = merchant.api_key;
  const row = store.tables.transact(() => {
    const changed = { ...merchant.row, api_key: apiKey ?? nextKey(store) };
    store.blocked.put(before, true);
    store.merchants.put(String(merchant.id), changed);
    return changed;
  });
  merchant.row = row;
  store.byKey.delete(before);
  store.byKey.set(row.api_key, merchant);
  announce(store.activity, { kind: 'merchants', merchant, change: 'key' });
}

/** Whether the limit of merchants is reached. */
export const isFull = ({ byId, maxMerchants }: Pick<Merchants, 'byId' | 'maxMerchants'>): boolean =>
  byId.size >= maxMerchants;

/** Says that the limit of merchants is reached, and what to do about it. */
export const tooManyMerchants = ({
  maxMerchants,
  maxMerchantsOption,
}: Pick<Merchants, 'maxMerchants' | 'maxMerchantsOption'>): string =>
  `The limit of merchants is reached: ${grouped(maxMerchants)} (${maxMerchantsOption}). Remove one, or start the sandbox with a higher limit.`;

/**
 * Counts a call, and returns an id that no call of another merchant has, whatever World this one restored. Without a
 * valid key, a call has no merchant.
 */
export function nextRequestId(store: Merchants, merchant?: MerchantOf<WorldCore>): string {
  const { run } = store;
  const number = merchant ? ++merchant.world.requests : ++store.anonymousRequests;
  const id = merchant?.id ?? 0;
  // After an end without a save, numbers start again, so ids then contain the run.
  return run === 1 ? `req-${id}-${number}` : `req-${id}-${run}-${number}`;
}

/** The number of a call in the id that it got; 0 if it is no such id. */
export const numberOfRequest = (id: string): number => Number(/-(\d{1,15})$/.exec(id)?.[1] ?? 0);

/**
 * Replaces Worlds, all or none: by the given World, or by a fresh one if it is undefined. Running requests finish in
 * the old World. Throws `NotStoredError`.
 *
 * @param records what fresh Worlds start with. Default: as their merchants were created.
 */
export function replaceWorlds<W extends WorldCore>(
  store: Merchants<W>,
  worlds: ReadonlyMap<MerchantOf<W>, W | undefined>,
  records?: WorldConfig['records'],
): void {
  const since = readTime(store.time);
  const fresh = [...worlds].filter(([, world]) => !world);
  const rows = new Map(
    fresh.map(([merchant]) => [merchant, { ...rowAfterReset(merchant.row, records), since }]),
  );
  store.tables.transact(
    () => {
      for (const row of rows.values()) store.merchants.put(String(row.id), row);
    },
    {
      more: () =>
        [...worlds].map(([{ id }, world]) =>
          world ? worldLine(id, world) : { merchant: id, replaced: true, changes: [] },
        ),
    },
  );
  for (const [merchant, row] of rows) merchant.row = row;
  for (const [merchant, world] of worlds) placeWorld(store, merchant, world);
}

/** Gives a merchant another World, which is in storage already. */
function placeWorld<W extends WorldCore>(
  store: Merchants<W>,
  merchant: MerchantOf<W>,
  world: W | undefined,
): void {
  // Frees the old journal even if a slow reader still holds it.
  if (merchant.hasWorld) clearJournal(merchant.world.journal);
  Object.assign(merchant, { world, keptWorld: world, reached: 0 });
  if (world) {
    happen(store, merchant, world.journal, lastNowOf(world), { kind: 'restore' });
    return;
  }
  const { config, since } = merchant.row;
  merchant.nextJournal = createJournal();
  happen(store, merchant, merchant.nextJournal, config.clock.now ?? since, { kind: 'reset' });
}

/** Resets a World to its fixtures, or to other records. Throws `NotStoredError`. */
export const resetWorld = <W extends WorldCore>(
  store: Merchants<W>,
  merchant: MerchantOf<W>,
  records?: WorldConfig['records'],
): void => replaceWorlds(store, new Map([[merchant, undefined]]), records);
