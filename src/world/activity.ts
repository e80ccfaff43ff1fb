/* What happens in a sandbox, told to those who listen: calls, changed Worlds, merchants. */

import { readClock, readWorldTime } from './clock.ts';
import { addItem, type Journal, type StoredEntry } from './journal.ts';
import type { MerchantOf } from './merchant.ts';
import { onFirstUse } from './on-first-use.ts';
import { secretHex } from './random.ts';
import type { Instant } from './time.ts';
import type { WorldCore } from './world.ts';
import type { StoredEvent, WorldHappening } from './world-events.ts';

/** Something that happened in a sandbox, for listeners. */
export type Activity =
  | RecordedCall
  | ControlCall
  | BlockedPage
  | WorldChanged
  | JournalCleared
  | MerchantsChanged;

/** A call of the merchant API. `merchant` is undefined for a call without a valid key. */
export interface RecordedCall {
  readonly kind: 'entry';
  readonly id: number;
  readonly merchant: MerchantOf<WorldCore> | undefined;
  readonly entry: StoredEntry;
}

/** A control-plane call. */
export interface ControlCall {
  readonly kind: 'control';
  readonly id: number;
  /** The merchant whose key was sent, if any. */
  readonly merchant: MerchantOf<WorldCore> | undefined;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly status: number;
  /** Why it was refused; empty for a success. */
  readonly problems: readonly string[];
  readonly elapsedMs: number;
  /** What it did, if it did something. */
  readonly did?: readonly string[];
}

/** A request of a page in a browser whose origin is not allowed, so that the page cannot read the response. */
export interface BlockedPage {
  readonly kind: 'page';
  readonly id: number;
  readonly merchant: undefined;
  /** As the browser sent it: `http://localhost:5173`. */
  readonly origin: string;
  /** The origins to allow, so that it is allowed too. */
  readonly allow: readonly string[];
  /** How to allow it: `start with --cors http://localhost:5173`. */
  readonly remedy: string;
}

/** Something happened to the World of a merchant. */
export interface WorldChanged {
  readonly kind: 'world';
  readonly id: number;
  readonly merchant: MerchantOf<WorldCore>;
  readonly event: StoredEvent;
}

/** The journal of a merchant was cleared. */
export interface JournalCleared {
  readonly kind: 'cleared';
  readonly id: number;
  readonly merchant: MerchantOf<WorldCore>;
}

/** A merchant was created or removed, or has a new key. */
export interface MerchantsChanged {
  readonly kind: 'merchants';
  readonly id: number;
  readonly merchant: MerchantOf<WorldCore>;
  readonly change: 'created' | 'removed' | 'key';
}

export type ActivityListener = (activity: Activity) => void;

/** The events of a sandbox, numbered from 1 for the life of the process. */
export interface ActivityFeed {
  /** Names the process, so that the numbers of another one are not taken for its own. */
  readonly processName: () => string;
  lastId: number;
  readonly listeners: Set<ActivityListener>;
}

export const createActivityFeed = (): ActivityFeed => ({
  // Node takes 3 ms to load its random source, and most sandboxes have no listener over HTTP.
  processName: onFirstUse(() => secretHex(8)),
  lastId: 0,
  listeners: new Set(),
});

/** An event without its number. */
type Unnumbered<A> = A extends Activity ? Omit<A, 'id'> : never;

/** Numbers an event and reports it to listeners. It is cheap without listeners. */
export function announce(feed: ActivityFeed, happened: Unnumbered<Activity>): void {
  const id = ++feed.lastId;
  if (feed.listeners.size > 0) publish(feed, { ...happened, id } as Activity);
}

/** Reports an event that already has a number. */
export function publish({ listeners }: ActivityFeed, activity: Activity): void {
  for (const listener of listeners) listener(activity);
}

/** The part of a sandbox that keeps and tells events. */
interface Telling {
  readonly activity: ActivityFeed;
  readonly maxJournalBytes: number;
}

/** Keeps an event in a journal of a merchant, and tells listeners. */
export function happen(
  { activity, maxJournalBytes }: Telling,
  merchant: MerchantOf<WorldCore>,
  journal: Journal,
  at: Instant,
  happening: WorldHappening,
): void {
  const id = ++activity.lastId;
  const { id: merchantId, name } = merchant;
  const event: StoredEvent = {
    ...happening,
    ...{ id: journal.lastEventId + 1, feedId: id, merchant: { id: merchantId, name } },
    at,
  };
  addItem(journal, event, maxJournalBytes);
  if (activity.listeners.size > 0) publish(activity, { kind: 'world', id, merchant, event });
}

/** A change of a World. */
interface WorldChange<Result> {
  readonly result: Result;
  /** What happened, if anything did. */
  readonly happened: readonly WorldHappening[];
}

/** Changes a World, all or nothing, and tells what happened. Throws what `work` throws, and `NotStoredError`. */
export function changeWorld<W extends WorldCore, Result>(
  store: Telling,
  merchant: MerchantOf<W>,
  work: (world: W, time: Instant) => WorldChange<Result>,
): Result {
  const { world } = merchant;
  // Read even if the change needs none, because storage records it.
  const time = readWorldTime(world.time);
  const { result, happened } = world.tables.transact(() => work(world, time));
  const at = readClock(world.clock, time);
  for (const each of happened) happen(store, merchant, world.journal, at, each);
  return result;
}
