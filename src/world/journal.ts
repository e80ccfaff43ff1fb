/* What a World remembers of its calls and of what happened between them: the newest, within limits of number and size. */

import type { JournalProblem } from '../types/control-wire.ts';
import type { OperationId, RowChange } from '../types/public.ts';
import type { Fault } from './faults.ts';
import { bytesOf } from './json.ts';
import { append, createNewest, drop, type Newest, removeFrom } from './newest.ts';
import type { Instant } from './time.ts';
import type { StoredEvent } from './world-events.ts';

/** The limits of a journal: entries, and bytes of requests and responses. A host may have a lower byte limit. */
export const MAX_JOURNAL_ENTRIES = 1000;
export const MAX_JOURNAL_BYTES = 8 * 1024 * 1024;

/** Alternating header names and values, as a server reads them. */
export type RawHeaders = readonly string[];

/** The moment at which a call arrived. */
export interface EntryPoint {
  /** The number of steps in the history of its World. */
  readonly steps: number;
  /** The number of items that the journal got while the call was running. */
  readonly items: number;
}

/** A call as texts and header lists. Reading the journal decodes them, so writing it is cheap. */
export interface StoredEntry {
  readonly id: string;
  /** The journal that it was added to, where calls before it may be that it is about. */
  readonly journal: Journal;
  /** The merchant of its World. Null without a valid key. */
  readonly merchant: { readonly id: number; readonly name: string } | null;
  /** Its number among the activities of this process; 0 if it comes from a snapshot. */
  readonly feedId: number;
  readonly at: Instant;
  readonly operation: OperationId | null;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Null if there was no response. */
  readonly status: number | null;
  readonly duration_ms: number;
  /** When it was received, as a reading of the stopwatch; null if it comes from a snapshot or an earlier run. */
  readonly received: number | null;
  /** Its duration in real time; null if it comes from a snapshot or an earlier run. */
  readonly elapsed_ms: number | null;
  readonly fault: Fault | null;
  /** The text of `Sandbox-Hint`. */
  readonly hint: string | null;
  /** The ids in `Sandbox-Assumptions`. */
  readonly assumptions: readonly string[];
  readonly problems: readonly Readonly<JournalProblem>[];
  /** Why a token was refused, in what the merchant cannot know. Null for other calls, and for a token never issued. */
  readonly cause: string | null;
  readonly changes: readonly RowChange[];
  /** The moment before it, to rewind to. Null if no history knows it: it comes from storage, or belongs to no World. */
  readonly before: EntryPoint | null;
  /** The key of the call, which redaction hides. Null without a valid key, and for entries of a snapshot. */
  readonly key: string | null;
  /** Whether keys and identity numbers are redacted. */
  readonly redacted: boolean;
  readonly request: { readonly headers: RawHeaders; readonly body: string | null };
  readonly response: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: string | null;
  } | null;
}

/** A call, or an event of the World between two. */
export type JournalItem = StoredEntry | StoredEvent;

export const isEvent = (item: JournalItem): item is StoredEvent => 'kind' in item;

/** The newest calls of a World and the events between them. */
export interface Journal extends Newest<JournalItem> {
  /** The number of calls among `items`. */
  calls: number;
  /** The id of the latest event. It goes on after a rewind. */
  lastEventId: number;
  /** Recent header lists, newest last. */
  readonly recentHeaders: RawHeaders[];
}

export const createJournal = (): Journal => ({
  ...createNewest(),
  calls: 0,
  lastEventId: 0,
  recentHeaders: [],
});

/** The calls in a journal, oldest first. */
export const entriesOf = ({ items }: Journal): StoredEntry[] =>
  items.filter((item): item is StoredEntry => !isEvent(item));

/** Adds an item after the newest one. The oldest ones make room for it. There may be as many events as calls. */
export function addItem(journal: Journal, item: JournalItem, maxBytes = MAX_JOURNAL_BYTES): void {
  const { items } = journal;
  append(journal, item, bytesOfItem(item));
  if (isEvent(item)) journal.lastEventId = item.id;
  else journal.calls += 1;
  while (journal.calls > MAX_JOURNAL_ENTRIES || (journal.bytes > maxBytes && items.length > 1)) {
    if (!isEvent(drop(journal))) journal.calls -= 1;
  }
  if (items.length - journal.calls > MAX_JOURNAL_ENTRIES) {
    drop(journal, items.findIndex(isEvent));
  }
}

/** The highest number of recent header lists. */
const MAX_RECENT_HEADERS = 4;

/** Headers as a list: an equal recent one, if there is one. Storing the same headers again is expensive. */
export function shareHeaders(journal: Journal, sent: RawHeaders | Headers): RawHeaders {
  let headers = sent as RawHeaders;
  if (sent instanceof Headers) {
    const list: string[] = [];
    // Three times as fast as to spread them.
    for (const [name, value] of sent) list.push(name, value);
    headers = list;
  }
  const { recentHeaders } = journal;
  for (const recent of recentHeaders) {
    if (isSameList(recent, headers)) return recent;
  }
  if (recentHeaders.length === MAX_RECENT_HEADERS) recentHeaders.shift();
  recentHeaders.push(headers);
  return headers;
}

function isSameList(a: readonly string[], b: readonly string[]): boolean {
  if (a.length !== b.length) return false;
  for (let place = a.length - 1; place >= 0; place--) if (a[place] !== b[place]) return false;
  return true;
}

/** The number of the first item that came after a call of the journal had arrived. */
export const numberBefore = (journal: Journal, entry: StoredEntry, { items }: EntryPoint): number =>
  journal.dropped + journal.items.indexOf(entry) - items;

/** Deletes all items. Later ones go on with the numbers. */
export function clearJournal(journal: Journal): void {
  while (journal.items.length > 0) drop(journal);
  journal.calls = 0;
  journal.recentHeaders.length = 0;
}

/** Keeps the items up to this number, and deletes later ones. */
export function keepItems(journal: Journal, number: number): void {
  for (const item of removeFrom(journal, number)) if (!isEvent(item)) journal.calls -= 1;
}

/** What an event counts besides what it ended. */
const EVENT_BYTES = 500;
const EFFECT_BYTES = 200;

/** The bytes of an item that its journal counts. */
export function bytesOfItem(item: JournalItem): number {
  if (isEvent(item)) {
    return EVENT_BYTES + (item.kind === 'clock' ? item.effects.length * EFFECT_BYTES : 0);
  }
  const { path, request, response, fault, problems } = item;
  let bytes = path.length + bytesOf(request.body ?? '') + bytesOf(response?.body ?? '');
  for (const { message } of problems) bytes += message.length;
  for (const text of request.headers) bytes += text.length;
  // The entry contains the body of a fault even if it is not sent, as after a HEAD.
  if (fault?.effect.kind === 'respond') bytes += bytesOf(JSON.stringify(fault.effect.body) ?? '');
  return bytes;
}
