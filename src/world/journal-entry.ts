import { joinBody } from './body-text.ts';
import type { Fault, FaultEffect } from './faults.ts';
import type { RawHeaders, StoredEntry } from './journal.ts';
import { exceedsDepth, MAX_DEPTH } from './json.ts';
import { createSharedJson } from './json-pieces.ts';
import { AS_SENT, createRedact, type Redact } from './redaction.ts';

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
