/* What happens in a sandbox, told to those who listen: calls, changed Worlds, merchants. */

import type { StoredEntry } from './journal.ts';
import type { MerchantOf } from './merchant.ts';
import type { WorldCore } from './world.ts';

/** Something that happened in a sandbox, for listeners. */
export type Activity = RecordedCall | ControlCall | BlockedPage | WorldChanged | MerchantsChanged;

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

/** The control plane changed the World of a merchant, or a fault moved its clock. */
export interface WorldChanged {
  readonly kind: 'world';
  readonly id: number;
  readonly merchant: MerchantOf<WorldCore>;
  readonly change: 'clock' | 'faults' | 'journal' | 'reset' | 'rewind' | 'snapshot';
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
  lastId: number;
  readonly listeners: Set<ActivityListener>;
}

export const createActivityFeed = (): ActivityFeed => ({ lastId: 0, listeners: new Set() });

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
