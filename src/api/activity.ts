import type { StoredEntry } from '../world/journal.ts';
import { parseUrl } from '../world/platform.ts';
import type { WorldCore } from '../world/world.ts';

/** A merchant of this sandbox. Its key opens its World only. */
export interface Merchant<W extends WorldCore = WorldCore> {
  readonly id: number;
  readonly name: string;
  readonly api_key: string;
  /** Replaced by a reset or a restore. Running requests keep the World they started with. */
  world: W;
  readonly listeners: Set<JournalListener>;
}

/** A change of a merchant's journal. */
export interface JournalChange {
  readonly added: StoredEntry;
  /** The oldest entries, dropped to make room. */
  readonly dropped: readonly StoredEntry[];
}

/**
 * Called with each new entry, and without one if the journal was replaced: by a reset, a restore, a clear, or because
 * the merchant was removed.
 */
export type JournalListener = (change?: JournalChange) => void;

/** Reports changes of merchants' journals to callers that wait for them. */
export function notifyListeners(
  { listeners }: { readonly listeners: ReadonlySet<JournalListener> },
  change?: JournalChange,
): void {
  for (const listener of listeners) listener(change);
}

/** The default limit of merchants. */
export const DEFAULT_MAX_MERCHANTS = 10_000;

/** Whether a text is an http(s) URL to which paths can be added. */
export const isBaseUrl = (text: string): boolean =>
  /^https?:\/\/[^\s/?#][^\s?#]*$/i.test(text) && parseUrl(text) !== undefined;

/** The key in an `Authorization: Bearer` header. The scheme may have any case. */
export function bearerKey(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}

/** Whether a text can be sent as a key: printable ASCII without spaces. */
export const isSendableKey = (key: string): boolean => SENDABLE_KEY.test(key);

export const SENDABLE_KEY = /^[\x21-\x7e]+$/;

/** Something that happened in a sandbox, for listeners. */
export type Activity = RecordedCall | ControlCall | BlockedPage | WorldChanged | MerchantsChanged;

/** A call of the merchant API. `merchant` is undefined for a call without a valid key. */
export interface RecordedCall {
  readonly kind: 'entry';
  readonly id: number;
  readonly merchant: Merchant | undefined;
  readonly entry: StoredEntry;
}

/** A control-plane call. */
export interface ControlCall {
  readonly kind: 'control';
  readonly id: number;
  /** The merchant whose key was sent, if any. */
  readonly merchant: Merchant | undefined;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly status: number;
  /** Why it was refused; empty for a success. */
  readonly problems: readonly string[];
  readonly elapsedMs: number;
}

/** A request of a page in a browser whose origin is not allowed, so that the page cannot read the response. */
export interface BlockedPage {
  readonly kind: 'page';
  readonly id: number;
  readonly merchant: undefined;
  /** As the browser sent it: `http://localhost:5173`. */
  readonly origin: string;
  /** How to allow it: `start with --cors http://localhost:5173`. */
  readonly remedy: string;
}

/** The control plane changed the World of a merchant. */
export interface WorldChanged {
  readonly kind: 'world';
  readonly id: number;
  readonly merchant: Merchant;
  readonly change: 'clock' | 'faults' | 'journal' | 'reset' | 'snapshot';
}

/** A merchant was created or removed, or has a new key. */
export interface MerchantsChanged {
  readonly kind: 'merchants';
  readonly id: number;
  readonly merchant: Merchant;
  readonly change: 'created' | 'removed' | 'key';
}

export type ActivityListener = (activity: Activity) => void;

/** The events of a sandbox, numbered from 1 for the life of the process. */
export interface ActivityFeed {
  lastId: number;
  readonly listeners: Set<ActivityListener>;
}

export const createActivityFeed = (): ActivityFeed => ({ lastId: 0, listeners: new Set() });

/** The number of the next event. */
export const nextActivityId = (feed: ActivityFeed): number => ++feed.lastId;

/** An event without its number. */
type Unnumbered<A> = A extends Activity ? Omit<A, 'id'> : never;

/** Numbers an event and reports it to listeners. It is cheap without listeners. */
export function announce(feed: ActivityFeed, happened: Unnumbered<Activity>): void {
  const id = nextActivityId(feed);
  if (feed.listeners.size > 0) publish(feed, { ...happened, id } as Activity);
}

/** Reports an event that already has a number. */
export function publish({ listeners }: ActivityFeed, activity: Activity): void {
  for (const listener of listeners) listener(activity);
}
