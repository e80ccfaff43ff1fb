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
  /** The number of entries that were added while the call was running. */
  readonly calls: number;
  /** The number of World events that happened while the call was running. */
  readonly events: number;
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

/** The newest calls of a World and the events between them, oldest first. */
export interface Journal {
  entries: StoredEntry[];
  /** The bytes of each of `entries`. */
  sizes: number[];
  /** The number of entries dropped so far. Added to its position, it gives an entry a permanent number. */
  dropped: number;
  /** The events since the oldest entry. */
  events: StoredEvent[];
  /** The number of events dropped so far. */
  droppedEvents: number;
  /** The id of the latest event. It goes on after a rewind. */
  lastEventId: number;
  /** The bytes of entries and events. */
  bytes: number;
  /** Recent header lists, newest last. */
  recentHeaders: (readonly string[])[];
}

export const createJournal = (): Journal => ({
  entries: [],
  sizes: [],
  dropped: 0,
  events: [],
  droppedEvents: 0,
  lastEventId: 0,
  bytes: 0,
  recentHeaders: [],
});

/** Adds an entry. The oldest ones make room for it. */
export function addEntry(journal: Journal, entry: StoredEntry, maxBytes = MAX_JOURNAL_BYTES): void {
  journal.entries.push(entry);
  const size = sizeOf(entry);
  journal.sizes.push(size);
  journal.bytes += size;
  makeRoom(journal, maxBytes);
}

/** Adds an event after the newest entry. The oldest entries make room for it. */
export function addEvent(journal: Journal, event: StoredEvent, maxBytes = MAX_JOURNAL_BYTES): void {
  journal.events.push(event);
  journal.lastEventId = event.id;
  journal.bytes += bytesOfEvent(event);
  if (journal.events.length > MAX_JOURNAL_ENTRIES) dropEvent(journal);
  makeRoom(journal, maxBytes);
}

function makeRoom(journal: Journal, maxBytes: number): void {
  const { entries, sizes } = journal;
  while (entries.length > MAX_JOURNAL_ENTRIES || (journal.bytes > maxBytes && entries.length > 1)) {
    entries.shift();
    journal.bytes -= sizes.shift() as number;
    journal.dropped += 1;
    // What happened before the oldest entry has no place any more.
    while (journal.events[0] && journal.events[0].place < journal.dropped) dropEvent(journal);
  }
  while (journal.bytes > maxBytes && journal.events.length > 1) dropEvent(journal);
}

function dropEvent(journal: Journal): void {
  const event = journal.events.shift();
  if (!event) return;
  journal.bytes -= bytesOfEvent(event);
  journal.droppedEvents += 1;
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

/** An entry, or an event of the World between two. */
export type JournalItem = StoredEntry | StoredEvent;

export const isEvent = (item: JournalItem): item is StoredEvent => 'place' in item;

/** All entries and events, newest first. */
export function itemsOf(journal: Journal): JournalItem[] {
  const items: JournalItem[] = [];
  const { events, dropped } = journal;
  let next = 0;
  const addUpTo = (place: number) => {
    for (let event = events[next]; event && event.place <= place; event = events[next]) {
      items.push(event);
      next += 1;
    }
  };
  for (const [position, entry] of journal.entries.entries()) {
    addUpTo(dropped + position);
    items.push(entry);
  }
  addUpTo(Number.POSITIVE_INFINITY);
  return items.reverse();
}

/** The bytes of an entry or an event that its journal counts. */
export const bytesOfItem = (item: JournalItem): number =>
  isEvent(item) ? bytesOfEvent(item) : sizeOf(item);

/** The number that the next entry gets. */
export const nextPlace = ({ dropped, entries }: Journal): number => dropped + entries.length;

/** The number of events so far. */
export const countEvents = ({ droppedEvents, events }: Journal): number =>
  droppedEvents + events.length;

/** The moment before a call whose entry is in the journal: the numbers of entries and events before it. */
export function pointBefore(journal: Journal, entry: StoredEntry, { calls, events }: EntryPoint) {
  const number = journal.dropped + journal.entries.indexOf(entry);
  const until = journal.events.filter(({ place }) => place <= number).length;
  return { entries: number - calls, events: journal.droppedEvents + Math.max(until - events, 0) };
}

/** Deletes all entries and events. */
export function clearEntries(journal: Journal): void {
  const dropped = nextPlace(journal);
  const droppedEvents = countEvents(journal);
  const { lastEventId } = journal;
  Object.assign(journal, createJournal(), { dropped, droppedEvents, lastEventId });
}

/** Keeps the entries and the events up to these permanent numbers, and deletes later ones. */
export function keepItems(journal: Journal, numbers: { entries: number; events: number }): void {
  const kept = Math.max(numbers.events - journal.droppedEvents, 0);
  for (const event of journal.events.splice(kept)) journal.bytes -= bytesOfEvent(event);
  const length = Math.max(numbers.entries - journal.dropped, 0);
  journal.entries.splice(length);
  for (const size of journal.sizes.splice(length)) journal.bytes -= size;
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
