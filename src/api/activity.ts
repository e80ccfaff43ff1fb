import type { StoredEntry } from '../world/journal.ts';
import type { Merchant } from './merchant.ts';

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
