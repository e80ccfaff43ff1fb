import type { Problem } from './errors.ts';
import type { Fault, FaultEffect } from './faults.ts';
import {
  type BodyText,
  bytesOf,
  createSharedJson,
  exceedsDepth,
  isJsonType,
  joinBody,
  MAX_DEPTH,
} from './json.ts';
import { AS_SENT, createRedact, type Redact } from './redaction.ts';
import type { Instant } from './time.ts';

/** A decoded journal entry. Keys and identity numbers are redacted unless redaction is off. */
export interface JournalEntry {
  readonly id: string;
  /** When the request arrived, by the World's clock. */
  readonly at: string;
  /** Null if no operation has this method and path. */
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  /** Null if there was no response. */
  readonly status: number | null;
  /** By the World's clock; 0 while it is frozen. */
  readonly duration_ms: number;
  readonly fault: Fault | null;
  /** Why the service refused. Empty for a success, and for a response that a fault made. */
  readonly problems: JournalProblem[];
  readonly request: { readonly headers: Record<string, string>; readonly body: unknown };
  readonly response: { readonly headers: Record<string, string>; readonly body: unknown } | null;
}

/** A reason of a refusal, as a journal shows it. */
type JournalProblem = Pick<Problem, 'field' | 'message'>;

/** The redaction of an entry and of everything derived from it. */
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
    problems: entry.problems.map(({ field, message }) => ({
      ...(field !== undefined && { field }),
      message: redact.text(message),
    })),
    request: {
      headers: presentHeaders(headersOf(request.headers), redact),
      body: presentBody(request.body, redact),
    },
    response: response && {
      headers: presentHeaders(response.headers, redact),
      body: presentBody(
        body === null ? null : joinBody(body),
        redact,
        response.headers['content-type'],
      ),
    },
  };
}

/** The JSON of an entry, cached. */
export const entryJson = createSharedJson(presentEntry);

/** The JSON of an entry in snapshots, always redacted, because they may be stored anywhere. */
export const dumpedEntryJson = createSharedJson((entry: StoredEntry) =>
  presentEntry({ ...entry, redacted: true }),
);

/** An entry as it was saved. Earlier versions saved no problems. */
export type SavedEntry = Omit<JournalEntry, 'problems'> & Partial<Pick<JournalEntry, 'problems'>>;

/** Converts an entry of a snapshot back. */
export function restoreEntry(entry: SavedEntry): StoredEntry {
  const { request, response } = entry;
  return {
    ...entry,
    feedId: 0,
    at: Date.parse(entry.at),
    key: null,
    redacted: true,
    problems: entry.problems ?? [],
    request: { headers: Object.entries(request.headers).flat(), body: bodyText(request.body) },
    response: response && {
      headers: response.headers,
      body: bodyText(response.body, response.headers['content-type']),
    },
  };
}

function bodyText(body: unknown, contentType?: string): string | null {
  if (body === null) return null;
  return typeof body === 'string' && !isJsonType(contentType) ? body : JSON.stringify(body);
}

/** Headers by lower-case name; repeated headers are joined as in `Headers`. */
function headersOf(raw: RawHeaders): Record<string, string> {
  const headers = new Map<string, string>();
  const add = (name: string, value: string) => {
    const known = headers.get(name);
    headers.set(name, known === undefined ? value : `${known}, ${value}`);
  };
  if (raw instanceof Headers) raw.forEach((value, name) => void add(name, value));
  else {
    for (let place = 0; place + 1 < raw.length; place += 2) {
      add((raw[place] as string).toLowerCase(), raw[place + 1] as string);
    }
  }
  return Object.fromEntries(headers);
}

const presentHeaders = (headers: Readonly<Record<string, string>>, redact: Redact) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [
      redact.headerName(name),
      redact.header(name, value),
    ]),
  );

/** The body of a fault may contain a secret. Its kind is ours and stays. */
const presentFault = (fault: Fault, redact: Redact): Fault => ({
  ...fault,
  effect: {
    ...(redact.json(structuredClone(fault.effect)) as FaultEffect),
    kind: fault.effect.kind,
  } as FaultEffect,
});

/** Parses a body as JSON; returns its text if it is invalid, nested too deeply, or of another type. */
function presentBody(text: string | null, redact: Redact, contentType?: string): unknown {
  if (text === null) return null;
  if (!isJsonType(contentType) || exceedsDepth(text, MAX_DEPTH)) return redact.text(text);
  try {
    return redact.json(JSON.parse(text));
  } catch {
    return redact.text(text);
  }
}

/** The limits of a journal: entries, and bytes of requests and responses. A host may have a lower byte limit. */
export const MAX_JOURNAL_ENTRIES = 1000;
export const MAX_JOURNAL_BYTES = 16 * 1024 * 1024;

/** Alternating header names and values, as a server reads them, or a `Headers` object. */
export type RawHeaders = readonly string[] | Headers;

/** A call as texts and header lists. Reading the journal decodes them, so writing it is cheap. */
export interface StoredEntry {
  readonly id: string;
  /** Its number among the activities of this process; 0 if it comes from a snapshot. */
  readonly feedId: number;
  readonly at: Instant;
  readonly operation: string | null;
  readonly method: string;
  /** Path and query. */
  readonly path: string;
  /** Null if there was no response. */
  readonly status: number | null;
  readonly duration_ms: number;
  /** Its duration in real time; undefined if it comes from a snapshot. */
  readonly elapsedMs?: number;
  readonly fault: Fault | null;
  readonly problems: readonly JournalProblem[];
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

/** Counts the body of a fault too: the entry contains it even if it is not sent, as after a HEAD. */
function sizeOf({ path, request, response, fault, problems }: StoredEntry): number {
  const injected = fault?.effect.kind === 'respond' ? JSON.stringify(fault.effect.body) : undefined;
  let told = 0;
  for (const { message } of problems) told += message.length;
  return (
    path.length +
    told +
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
