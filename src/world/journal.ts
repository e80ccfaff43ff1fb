import { type BodyText, bytesOf } from './body-text.ts';
import type { Fault } from './faults.ts';
import type { Instant } from './time.ts';

/** How many calls a World remembers, and how many bytes of what was sent and answered, unless it has less room. */
export const MAX_JOURNAL_ENTRIES = 1000;
export const MAX_JOURNAL_BYTES = 16 * 1024 * 1024;

/** Header names and values in turn as a server read them, or a web-standard header list. */
export type RawHeaders = readonly string[] | Headers;

/**
 * One call as it was received and answered: texts and header lists, nothing decoded. Reading the journal
 * decodes, so that writing it costs next to nothing.
 */
export interface StoredEntry {
  readonly id: string;
  /** Its number in the feed of what happened in this process; 0 where a snapshot held it. */
  readonly feedId: number;
  readonly at: Instant;
  readonly operation: string | null;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Null when there was no response. */
  readonly status: number | null;
  readonly duration_ms: number;
  readonly fault: Fault | null;
  /**
   * The key that authenticated, which is shown nowhere. Null where none did, and in what a snapshot held,
   * which is redacted already.
   */
  readonly key: string | null;
  /** Whether keys and identity numbers are taken out wherever it is shown. */
  readonly redacted: boolean;
  readonly request: { readonly headers: RawHeaders; readonly body: string | null };
  readonly response: {
    readonly headers: Readonly<Record<string, string>>;
    readonly body: BodyText | null;
  } | null;
}

/** The newest calls of a World, oldest first. */
export interface Journal {
  /** Undefined before `start`: what is no longer kept is let go at once. */
  entries: (StoredEntry | undefined)[];
  /** How many bytes of what was sent and answered each of `entries` holds. */
  sizes: number[];
  /** Where the oldest kept entry stands in `entries`. */
  start: number;
  /** How many entries were let go so far: with its place in the list, it numbers an entry for good. */
  dropped: number;
  bytes: number;
  /** Header lists that were sent lately, the newest last. */
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

const NOTHING: readonly StoredEntry[] = [];

/** Adds an entry and answers those, oldest first, that the journal let go to make room for it. */
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

/** How many header lists are remembered. */
const MAX_RECENT_HEADERS = 4;

/**
 * The list that entries before keep already, if these headers are the same: clients send the same few again
 * and again, and what is kept costs most of what recording costs.
 */
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

/** The entries kept, oldest first. */
export const listEntries = (journal: Journal): StoredEntry[] =>
  journal.entries.slice(journal.start) as StoredEntry[];

export const countEntries = ({ entries, start }: Journal): number => entries.length - start;

/**
 * The entries kept at this moment, newest first. A slow reader holds none of them: what the journal lets go meanwhile is
 * left out.
 */
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

/** Lets go of every entry. */
export function clearEntries(journal: Journal): void {
  const dropped = journal.dropped + countEntries(journal);
  Object.assign(journal, createJournal(), { dropped });
}

/** A fault may answer with a body that is not sent, after a HEAD for one; its entry shows it all the same. */
function sizeOf({ path, request, response, fault }: StoredEntry): number {
  const injected = fault?.effect.kind === 'respond' ? JSON.stringify(fault.effect.body) : undefined;
  return (
    path.length +
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
