import type { StoredEntry } from '../world/journal.ts';
import { parseUrl } from '../world/platform.ts';
import type { WorldCore } from '../world/world.ts';

/** A merchant of this sandbox: its key opens its World, and no other. */
export interface Merchant<W extends WorldCore = WorldCore> {
  readonly id: number;
  readonly name: string;
  readonly api_key: string;
  /** Replaced whole by a reset or a restore; a request under way keeps the World it began with. */
  world: W;
  readonly listeners: Set<JournalListener>;
}

/** What the journal of a merchant's World has more than before, and has no more. */
export interface JournalChange {
  readonly added: StoredEntry;
  /** The oldest entries, let go to make room. */
  readonly dropped: readonly StoredEntry[];
}

/**
 * Called with each entry that the journal has recorded. Without one it is another journal: the World was
 * replaced, the journal cleared, or the merchant removed.
 */
export type JournalListener = (change?: JournalChange) => void;

/** Tells those who wait for something of a merchant what has changed in its journal. */
export function notifyListeners(
  { listeners }: { readonly listeners: ReadonlySet<JournalListener> },
  change?: JournalChange,
): void {
  for (const listener of listeners) listener(change);
}

/** How many merchants a sandbox has at the most unless it is told otherwise. */
export const DEFAULT_MAX_MERCHANTS = 10_000;

/** Whether a text is an http or https address that paths can be put after. */
export const isBaseUrl = (text: string): boolean =>
  /^https?:\/\/[^\s/?#][^\s?#]*$/i.test(text) && parseUrl(text) !== undefined;

/** The key of an `Authorization: Bearer` header, the scheme in any case. */
export function bearerKey(authorization: string | undefined): string | undefined {
  return /^bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
}

/** Something that happened in a sandbox, for those who watch it. */
export type Activity = RecordedCall | ControlCall | WorldChanged | MerchantsChanged;

/** A call of the merchant API, as its entry has it; undefined stands for the merchant of a call without a valid key. */
export interface RecordedCall {
  readonly kind: 'entry';
  readonly id: number;
  readonly merchant: Merchant | undefined;
  readonly entry: StoredEntry;
  /** How long it took in real time. */
  readonly elapsedMs: number;
}

/** A call of the control plane that was answered. */
export interface ControlCall {
  readonly kind: 'control';
  readonly id: number;
  /** Whose key was sent, if anybody's. */
  readonly merchant: Merchant | undefined;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  readonly status: number;
  /** Why it was refused; empty where it was not. */
  readonly problems: readonly string[];
  readonly elapsedMs: number;
}

/** The control plane changed the World of a merchant. */
export interface WorldChanged {
  readonly kind: 'world';
  readonly id: number;
  readonly merchant: Merchant;
}

/** A merchant is new, gone, or has another key. */
export interface MerchantsChanged {
  readonly kind: 'merchants';
  readonly id: number;
  readonly merchant: Merchant;
  readonly change: 'created' | 'removed' | 'key';
}

export type ActivityListener = (activity: Activity) => void;

/** What happens in a sandbox, numbered from 1 as long as its process lives. */
export interface ActivityFeed {
  lastId: number;
  readonly listeners: Set<ActivityListener>;
}

export const createActivityFeed = (): ActivityFeed => ({ lastId: 0, listeners: new Set() });

/** The number of what happens next. */
export const nextActivityId = (feed: ActivityFeed): number => ++feed.lastId;

/** What happened, apart from its number. */
type Unnumbered<A> = A extends Activity ? Omit<A, 'id'> : never;

/** Numbers what happened and tells those who watch. It costs next to nothing where nobody does. */
export function announce(feed: ActivityFeed, happened: Unnumbered<Activity>): void {
  const id = nextActivityId(feed);
  if (feed.listeners.size > 0) publish(feed, { ...happened, id } as Activity);
}

/** Tells those who watch what has a number already. */
export function publish({ listeners }: ActivityFeed, activity: Activity): void {
  for (const listener of listeners) listener(activity);
}
