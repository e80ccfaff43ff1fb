import type { Fault, FaultEffect } from './faults.ts';
import {
  type BodyText,
  bytesOf,
  createSharedJson,
  exceedsDepth,
  joinBody,
  MAX_DEPTH,
} from './json.ts';
import { AS_SENT, createRedact, type Redact } from './redaction.ts';
import type { Instant } from './time.ts';

/** A journal entry as it is shown: decoded, keys and identity numbers redacted unless the sandbox keeps them. */
export interface JournalEntry {
  readonly id: string;
  /** When the request came, by the World's clock. */
  readonly at: string;
  /** Null for an unknown route. */
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  /** Null when there was no response. */
  readonly status: number | null;
  /** By the World's clock: 0 while it is frozen. */
  readonly duration_ms: number;
  readonly fault: Fault | null;
  readonly request: { readonly headers: Record<string, string>; readonly body: unknown };
  readonly response: { readonly headers: Record<string, string>; readonly body: unknown } | null;
}

/** What takes out of an entry, and of what is told of it, what nobody is to see. */
export const redactOf = ({ redacted, key }: Pick<StoredEntry, 'redacted' | 'key'>): Redact =>
  redacted ? createRedact(key) : AS_SENT;

export function presentEntry(entry: StoredEntry): JournalEntry {
  const { request, response, fault } = entry;
  const redact = redactOf(entry);
  const body = response?.body ?? null;
  return {
    id: entry.id,
    at: new Date(entry.at).toISOString(),
    operation: entry.operation,
    method: entry.method,
    path: redact.text(entry.path),
    status: entry.status,
    duration_ms: entry.duration_ms,
    fault: fault && presentFault(fault, redact),
    request: {
      headers: presentHeaders(headersOf(request.headers), redact),
      body: presentBody(request.body, redact),
    },
    response: response && {
      headers: presentHeaders(response.headers, redact),
      body: presentBody(body === null ? null : joinBody(body), redact),
    },
  };
}

/** The JSON of an entry as it is shown. */
export const entryJson = createSharedJson(presentEntry);

/** The JSON of an entry in a document that may be kept anywhere: redacted whatever the sandbox shows. */
export const dumpedEntryJson = createSharedJson((entry: StoredEntry) =>
  presentEntry({ ...entry, redacted: true }),
);

/** An entry as a restored World remembers it. */
export function restoreEntry(entry: JournalEntry): StoredEntry {
  const { request, response } = entry;
  return {
    ...entry,
    feedId: 0,
    at: Date.parse(entry.at),
    key: null,
    redacted: true,
    request: { headers: Object.entries(request.headers).flat(), body: bodyText(request.body) },
    response: response && { headers: response.headers, body: bodyText(response.body) },
  };
}

const bodyText = (body: unknown): string | null => (body === null ? null : JSON.stringify(body));

/** Headers by their names in lower case, those sent twice joined as in a web-standard list. */
function headersOf(raw: RawHeaders): Record<string, string> {
  const headers: Record<string, string> = {};
  const add = (name: string, value: string) => {
    headers[name] = Object.hasOwn(headers, name) ? `${headers[name]}, ${value}` : value;
  };
  if (raw instanceof Headers) raw.forEach((value, name) => void add(name, value));
  else {
    for (let place = 0; place + 1 < raw.length; place += 2) {
      add((raw[place] as string).toLowerCase(), raw[place + 1] as string);
    }
  }
  return headers;
}

const presentHeaders = (headers: Readonly<Record<string, string>>, redact: Redact) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      redact.headerName(name),
      redact.header(name, value),
    ]),
  );

/** What a fault answers may repeat a secret, as any answer may; its kind is a word of ours. */
const presentFault = (fault: Fault, redact: Redact): Fault => ({
  ...fault,
  effect: {
    ...(redact.json(structuredClone(fault.effect)) as FaultEffect),
    kind: fault.effect.kind,
  } as FaultEffect,
});

/** The JSON of a body, or its text where it is none that the service would read. */
function presentBody(text: string | null, redact: Redact): unknown {
  if (text === null) return null;
  if (exceedsDepth(text, MAX_DEPTH)) return redact.text(text);
  try {
    return redact.json(JSON.parse(text));
  } catch {
    return redact.text(text);
  }
}

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
