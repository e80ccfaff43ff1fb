import { z } from '@hono/zod-openapi';
import { type ChangeLog, NotStoredError } from '../core/change-log.ts';
import {
  type ClockStart,
  createClock,
  createTime,
  readTime,
  type TimeSource,
} from '../core/clock.ts';
import { clearEntries, createJournal, MAX_JOURNAL_BYTES } from '../core/journal.ts';
import { createRandomState, nextHex, type RandomState } from '../core/random.ts';
import { announce, createActivityFeed } from '../http/activity.ts';
import type { MerchantDirectory } from '../http/directory.ts';
import {
  bearerKey,
  DEFAULT_MAX_MERCHANTS,
  type Merchant,
  notifyListeners,
} from '../http/merchant.ts';
import type { World } from '../products/world.ts';
import { sandboxChange, worldChange } from './change.ts';
import { ControlError } from './control-error.ts';
import {
  clockStart,
  freshWorld,
  type SandboxDefaults,
  type WorldConfig,
  type WorldSource,
} from './fresh-world.ts';
import { type Host, requireRoom } from './host.ts';

/** Who reaches a sandbox, and how many merchants there may be. */
export interface StoreOptions {
  readonly publicUrl?: string | undefined;
  readonly adminToken?: string | undefined;
  readonly cors?: string | undefined;
  /** Beyond it nobody is added. Fixtures and saved states are served whole all the same. */
  readonly maxMerchants?: number | undefined;
  /** Whether the journal shows keys and identity numbers as `[redacted]`. */
  readonly redact?: boolean | undefined;
  /** Where its time comes from: the system unless given. */
  readonly timeSource?: TimeSource | undefined;
}

/** A merchant with what a reset needs. */
export interface MerchantAccount extends Merchant<World> {
  name: string;
  config: WorldConfig;
  /** Whether its World has been made: nothing has happened in one that has not. */
  readonly hasWorld: boolean;
  removed: boolean;
}

/** The merchants of a sandbox, by key and by id. */
export interface MerchantStore extends MerchantDirectory, WorldSource {
  /** Replaced whole when the fixtures change. */
  defaults: SandboxDefaults;
  readonly host: Host;
  /** Opens no World, not even where every unknown key does. */
  readonly adminToken: string | undefined;
  readonly maxMerchants: number;
  readonly byId: Map<number, MerchantAccount>;
  readonly byKey: Map<string, MerchantAccount>;
  /** Keys that were given up: they open nothing, not even a World of their own. */
  readonly blocked: Set<string>;
  /** Chance of the keys that are given. */
  readonly chance: RandomState;
  lastId: number;
  log: ChangeLog | undefined;
  /** Whether it was told that unknown keys open no World any more. */
  isFullTold: boolean;
  /** How many requests came without a valid key. */
  anonymousRequests: number;
  authenticate(authorization: string | undefined): MerchantAccount | undefined;
}

export function createMerchantStore(
  defaults: SandboxDefaults,
  options: StoreOptions = {},
  host: Host = {},
): MerchantStore {
  const { publicUrl, cors, adminToken, redact = true } = options;
  const { maxMerchants = DEFAULT_MAX_MERCHANTS } = options;
  const time = createTime(options.timeSource);
  const store: MerchantStore = {
    defaults,
    host,
    time,
    log: undefined,
    settings: defaults.settings,
    publicUrl: publicUrl?.replace(/(?<!\/)\/+$/, ''),
    cors,
    adminToken,
    maxMerchants,
    redact,
    byId: new Map(),
    byKey: new Map(),
    blocked: new Set(),
    chance: createRandomState(defaults.seed, 0),
    lastId: 0,
    isFullTold: false,
    anonymousRequests: 0,
    anonymous: {
      journal: createJournal(),
      clock: createClock(defaults.clock, readTime(time)),
      time,
    },
    activity: createActivityFeed(),
    find: (id) => store.byId.get(id),
    holds: (merchant, world) => store.byId.get(merchant.id)?.world === world,
    maxJournalBytes: host.maxJournalBytes ?? MAX_JOURNAL_BYTES,
    breaksConnections: !host.isHosted,
    requireRoom: (world, { operationId }) => requireRoom(host, world as World, operationId),
    authenticate: (authorization) => authenticate(store, authorization),
    nextAnonymousId: () => `req-0-${++store.anonymousRequests}`,
  };
  const clock = clockStart(store, defaults.clock);
  for (const { id, name, api_key } of host.isHosted ? [] : defaults.fixtures.merchants) {
    registerMerchant(store, {
      id,
      name,
      api_key,
      config: { records: 'own', clock, seed: defaults.seed },
    });
  }
  return store;
}

/** A merchant whose World is made when it is first needed: creating one costs next to nothing. */
export function registerMerchant(
  store: MerchantStore,
  given: Pick<MerchantAccount, 'id' | 'name' | 'api_key' | 'config'>,
): MerchantAccount {
  let world: World | undefined;
  // Its clock starts here, whenever it is first needed.
  const since = readTime(store.time);
  const merchant: MerchantAccount = {
    ...given,
    removed: false,
    listeners: new Set(),
    get hasWorld() {
      return world !== undefined;
    },
    get world() {
      world ??= freshWorld(store, merchant, since);
      return world;
    },
    set world(replaced) {
      world = replaced;
    },
  };
  store.byId.set(merchant.id, merchant);
  store.byKey.set(merchant.api_key, merchant);
  store.lastId = Math.max(store.lastId, merchant.id);
  return merchant;
}

/** What a new merchant may have of its own; everything else is as the sandbox's defaults say. */
export interface MerchantStart {
  readonly name?: string | undefined;
  readonly records?: WorldConfig['records'] | undefined;
  readonly clock?: ClockStart | undefined;
  readonly seed?: number | undefined;
}

/** Registers a merchant under the next id. */
export function addMerchant(
  store: MerchantStore,
  start: MerchantStart = {},
  apiKey = nextKey(store),
): MerchantAccount {
  const { defaults } = store;
  const id = store.lastId + 1;
  const { name = `Merchant ${id}`, records = 'none', seed = defaults.seed } = start;
  const clock = start.clock ?? clockStart(store, defaults.clock);
  const config = { records, clock, seed };
  const merchant = registerMerchant(store, { id, name, api_key: apiKey, config });
  announce(store.activity, { kind: 'merchants', merchant, change: 'created' });
  return merchant;
}

/** A key that nobody can guess and no other merchant has. */
export const nextKey = ({ chance }: MerchantStore): string => `sk_sandbox_${nextHex(chance, 32)}`;

function authenticate(
  store: MerchantStore,
  authorization: string | undefined,
): MerchantAccount | undefined {
  const key = bearerKey(authorization);
  if (key === undefined) return undefined;
  const known = store.byKey.get(key);
  if (known || !store.defaults.autoMerchants) return known;
  if (store.blocked.has(key) || key === store.adminToken) return undefined;
  if (!isFull(store)) return openForKey(store, key);
  if (!store.isFullTold) store.host.warn?.(`${whyFull(store)} Until then an unknown key is 401.`);
  store.isFullTold = true;
  return undefined;
}

function openForKey(store: MerchantStore, key: string): MerchantAccount {
  try {
    return addAutoMerchant(store, key);
  } catch (error) {
    // The call is one of the merchant API, which answers in its own way.
    throw error instanceof ControlError ? new NotStoredError(error.message) : error;
  }
}

/** Opens a World behind a key that somebody sent. */
export const addAutoMerchant = sandboxChange(
  'addAutoMerchant',
  z.string(),
  (store: MerchantStore, key) => addMerchant(store, {}, key),
);

/** Whether there are as many merchants as there may be. */
export const isFull = ({ byId, maxMerchants }: MerchantStore): boolean => byId.size >= maxMerchants;

/** Why nobody is added, and what to do about it. */
export const whyFull = ({
  maxMerchants,
  host,
}: Pick<MerchantStore, 'maxMerchants'> & Partial<Pick<MerchantStore, 'host'>>): string =>
  `There are as many merchants as this sandbox may have: ${maxMerchants.toLocaleString('en')} (${host?.isHosted ? 'SANDBOX_MAX_MERCHANTS' : '--max-merchants'}). Remove one, or start it with a higher limit.`;

/** Replaces a merchant's World. Requests under way finish in the one they began with. */
export function replaceWorld(merchant: MerchantAccount, world: World): void {
  // A slow reader of the old journal must not keep it.
  if (merchant.hasWorld) clearEntries(merchant.world.journal);
  merchant.world = world;
  notifyListeners(merchant);
}

/** Makes a World anew as the fixtures made it. */
export const resetWorld = worldChange(
  'resetWorld',
  undefined,
  (store: MerchantStore, merchant: MerchantAccount) => renewWorld(store, merchant),
);

export function renewWorld(store: MerchantStore, merchant: MerchantAccount): void {
  replaceWorld(merchant, freshWorld(store, merchant, readTime(store.time)));
}
