/* What a World remembers of its calls and of what happened between them: the newest, within limits of number and size. */

import type { JournalProblem } from '../types/control-wire.ts';
import type { OperationId, RowChange } from '../types/public.ts';
import type { Fault } from './faults.ts';
import { bytesOf } from './json.ts';
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
export interface Journal {
  /** Oldest first. */
  items: JournalItem[];
  /** The number of calls among `items`. */
  calls: number;
  /** The number of items dropped so far. Added to its position, it gives an item a permanent number. */
  dropped: number;
  /** The id of the latest event. It goes on after a rewind. */
  lastEventId: number;
  /** The bytes of all items. */
  bytes: number;
  /** Recent header lists, newest last. */
  recentHeaders: (readonly string[])[];
}

export const createJournal = (): Journal => ({
  items: [],
  calls: 0,
  dropped: 0,
  lastEventId: 0,
  bytes: 0,
  recentHeaders: [],
});

/** The calls in a journal, oldest first. */
export const entriesOf = ({ items }: Journal): StoredEntry[] =>
  items.filter((item): item is StoredEntry => !isEvent(item));

/** Adds an item after the newest one. The oldest ones make room for it. */
export function addItem(journal: Journal, item: JournalItem, maxBytes = MAX_JOURNAL_BYTES): void {
  journal.items.push(item);
  count(journal, item);
  makeRoom(journal, maxBytes);
}

function count(journal: Journal, item: JournalItem): void {
  journal.bytes += bytesOfItem(item);
  if (isEvent(item)) journal.lastEventId = item.id;
  else journal.calls += 1;
}

/** Drops the oldest items beyond the limits. There may be as many events as calls. */
function makeRoom(journal: Journal, maxBytes: number): void {
  const { items } = journal;
  while (journal.calls > MAX_JOURNAL_ENTRIES || (journal.bytes > maxBytes && items.length > 1)) {
    discount(journal, items.shift() as JournalItem);
    journal.dropped += 1;
  }
  if (items.length - journal.calls <= MAX_JOURNAL_ENTRIES) return;
  for (const event of items.splice(items.findIndex(isEvent), 1)) discount(journal, event);
  journal.dropped += 1;
}

function discount(journal: Journal, item: JournalItem): void {
  journal.bytes -= bytesOfItem(item);
  if (!isEvent(item)) journal.calls -= 1;
}

/** What an event counts besides what it ended. */
const EVENT_BYTES = 500;
const EFFECT_BYTES = 200;

const bytesOfEvent = (event: StoredEvent): number =>
  EVENT_BYTES + (event.kind === 'clock' ? event.effects.length * EFFECT_BYTES : 0);

/** The highest number of recent header lists. */
const MAX_RECENT_HEADERS = 4;

/** Headers as a list: an equal recent one, if there is one. Storing the same headers again is expensive. */
export function shareHeaders(journal: Journal, sent: RawHeaders | Headers): RawHeaders {
  const headers = sent instanceof Headers ? [...sent].flat() : sent;
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

/** The bytes of an item that its journal counts. */
export const bytesOfItem = (item: JournalItem): number =>
  isEvent(item) ? bytesOfEvent(item) : sizeOf(item);

/** The number that the next item gets. */
export const nextPlace = ({ dropped, items }: Journal): number => dropped + items.length;

/** The number of the first item that came after a call of the journal had arrived. */
export const placeBefore = (journal: Journal, entry: StoredEntry, { items }: EntryPoint): number =>
  journal.dropped + journal.items.indexOf(entry) - items;

/** Deletes all items. */
export function clearJournal(journal: Journal): void {
  const { lastEventId } = journal;
  Object.assign(journal, createJournal(), { dropped: nextPlace(journal), lastEventId });
}

/** Keeps the items up to this permanent number, and deletes later ones. */
export function keepItems(journal: Journal, number: number): void {
  const length = Math.max(number - journal.dropped, 0);
  for (const item of journal.items.splice(length)) discount(journal, item);
}

/** Counts the body of a fault too: the entry contains it even if it is not sent, as after a HEAD. */
function sizeOf({ path, request, response, fault, problems }: StoredEntry): number {
  const injected = fault?.effect.kind === 'respond' ? JSON.stringify(fault.effect.body) : undefined;
  let textLength = path.length;
  for (const { message } of problems) textLength += message.length;
  for (const text of request.headers) textLength += text.length;
  return (
    textLength +
    bytesOf(request.body ?? '') +
    bytesOf(response?.body ?? '') +
    bytesOf(injected ?? '')
  );
}
