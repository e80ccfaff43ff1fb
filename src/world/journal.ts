/* What a World remembers of its calls: the newest, within limits of number and size. */

import type { OperationId, RowChange } from '../public.ts';
import type { Fault } from './faults.ts';
import { type BodyText, bytesOf } from './json.ts';
import type { Instant } from './time.ts';

/** The limits of a journal: entries, and bytes of requests and responses. A host may have a lower byte limit. */
export const MAX_JOURNAL_ENTRIES = 1000;
export const MAX_JOURNAL_BYTES = 16 * 1024 * 1024;

/** Alternating header names and values, as a server reads them, or a `Headers` object. */
export type RawHeaders = readonly string[] | Headers;

/** A reason of a refusal, as a journal shows it. */
interface JournalProblem {
  readonly field?: string | undefined;
  readonly message: string;
}

/** The moment at which a call arrived. */
export interface EntryPoint {
  /** The number of steps in the history of its World. */
  readonly steps: number;
  /** The number of entries that were added while the call was running. */
  readonly calls: number;
}

/** A call as texts and header lists. Reading the journal decodes them, so writing it is cheap. */
export interface StoredEntry {
  readonly id: string;
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
  readonly problems: readonly JournalProblem[];
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
    readonly body: BodyText | null;
  } | null;
}

/** The newest calls of a World, oldest first. */
export interface Journal {
  /** Undefined before `start`, so that dropped entries are freed at once. */
  entries: (StoredEntry | undefined)[];
  /** The bytes of each of `entries`. */
  sizes: number[];
  /** The position of the oldest entry in `entries`. */
  start: number;
  /** The number of entries dropped so far. Added to its position, it gives an entry a permanent number. */
  dropped: number;
  bytes: number;
  /** Recent header lists, newest last. */
  recentHeaders: (readonly string[])[];
}

export const createJournal = (): Journal => ({
  entries: [],
  sizes: [],
  start: 0,
  dropped: 0,
  bytes: 0,
  recentHeaders: [],
});

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

const NOTHING: readonly StoredEntry[] = [];

/** Adds an entry. Returns the entries, oldest first, that were dropped to make room. */
export function addEntry(
  journal: Journal,
  entry: StoredEntry,
  maxBytes = MAX_JOURNAL_BYTES,
): readonly StoredEntry[] {
  let dropped: StoredEntry[] | undefined;
  journal.entries.push(entry);
  const size = sizeOf(entry);
  journal.sizes.push(size);
  journal.bytes += size;
  while (
    journal.entries.length - journal.start > MAX_JOURNAL_ENTRIES ||
    (journal.bytes > maxBytes && journal.entries.length - journal.start > 1)
  ) {
    dropped ??= [];
    dropped.push(journal.entries[journal.start] as StoredEntry);
    journal.bytes -= journal.sizes[journal.start] as number;
    journal.entries[journal.start] = undefined;
    journal.start += 1;
    journal.dropped += 1;
  }
  if (journal.start >= MAX_JOURNAL_ENTRIES) {
    journal.entries = journal.entries.slice(journal.start);
    journal.sizes = journal.sizes.slice(journal.start);
    journal.start = 0;
  }
  return dropped ?? NOTHING;
}

/** The highest number of recent header lists. */
const MAX_RECENT_HEADERS = 4;

/** Returns an equal recent list, if there is one. Storing the same headers again is expensive. */
export function shareHeaders(journal: Journal, headers: RawHeaders): RawHeaders {
  if (headers instanceof Headers) return headers;
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

/** All entries, oldest first. */
export const listEntries = (journal: Journal): StoredEntry[] =>
  journal.entries.slice(journal.start) as StoredEntry[];

export const countEntries = ({ entries, start }: Journal): number => entries.length - start;

/** The current entries, newest first. A slow reader does not keep them alive: entries dropped meanwhile are skipped. */
export function newestFirst(journal: Journal): Generator<StoredEntry, void> {
  return downFrom(journal, journal.dropped + countEntries(journal) - 1);
}

function* downFrom(journal: Journal, newest: number): Generator<StoredEntry, void> {
  for (let number = newest; ; number--) {
    const place = number - journal.dropped;
    if (place < 0 || place >= countEntries(journal)) return;
    yield journal.entries[journal.start + place] as StoredEntry;
  }
}

/** Deletes all entries. */
export function clearEntries(journal: Journal): void {
  const dropped = journal.dropped + countEntries(journal);
  Object.assign(journal, createJournal(), { dropped });
}

/** Keeps the entries up to this permanent number, and deletes later ones. */
export function keepEntries(journal: Journal, number: number): void {
  const length = journal.start + Math.max(number - journal.dropped, 0);
  for (const size of journal.sizes.slice(length)) journal.bytes -= size;
  journal.entries.length = Math.min(length, journal.entries.length);
  journal.sizes.length = journal.entries.length;
}

/** Counts the body of a fault too: the entry contains it even if it is not sent, as after a HEAD. */
function sizeOf({ path, request, response, fault, problems }: StoredEntry): number {
  const injected = fault?.effect.kind === 'respond' ? JSON.stringify(fault.effect.body) : undefined;
  let messageLength = 0;
  for (const { message } of problems) messageLength += message.length;
  return (
    path.length +
    messageLength +
    headerBytes(request.headers) +
    bytesOf(request.body ?? '') +
    bytesOf(response?.body ?? '') +
    bytesOf(injected ?? '')
  );
}

function headerBytes(headers: RawHeaders): number {
  let bytes = 0;
  if (headers instanceof Headers) {
    headers.forEach((value, name) => {
      bytes += name.length + value.length;
    });
  } else for (const text of headers) bytes += text.length;
  return bytes;
}
