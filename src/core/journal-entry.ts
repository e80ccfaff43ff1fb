import type { Fault } from './faults.ts';
import type { Exchange, RawHeaders } from './journal.ts';
import { isDeeper, MOST_LEVELS } from './nesting.ts';
import { createRedact, type Redact } from './redaction.ts';

/** An exchange as it is shown: decoded, keys and identity numbers redacted. */
export interface JournalEntry {
  readonly id: string;
  /** When the request came, by the World's clock. */
  readonly at: string;
  /** Null for an unknown route. */
  readonly operation: string | null;
  readonly method: string;
  readonly path: string;
  /** Null when no answer was made. */
  readonly status: number | null;
  /** By the World's clock: 0 while it is frozen. */
  readonly duration_ms: number;
  readonly fault: Fault | null;
  readonly request: { readonly headers: Record<string, string>; readonly body: unknown };
  readonly response: { readonly headers: Record<string, string>; readonly body: unknown } | null;
}

export function presentExchange(exchange: Exchange): JournalEntry {
  const { request, response, fault } = exchange;
  const sent = headersOf(request.headers);
  const redact = createRedact(/^bearer +(\S+)/i.exec(sent.authorization ?? '')?.[1]);
  return {
    id: exchange.id,
    at: new Date(exchange.at).toISOString(),
    operation: exchange.operation,
    method: exchange.method,
    path: redact.text(exchange.path),
    status: exchange.status,
    duration_ms: exchange.duration_ms,
    fault: fault && structuredClone(fault),
    request: { headers: presentHeaders(sent, redact), body: presentBody(request.body, redact) },
    response: response && {
      headers: presentHeaders(response.headers, redact),
      body: presentBody(response.body, redact),
    },
  };
}

/** The exchange an entry shows, as a restored World remembers it. */
export function exchangeOf(entry: JournalEntry): Exchange {
  const { request, response } = entry;
  return {
    ...entry,
    at: Date.parse(entry.at),
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
    Object.entries(headers).map(([name, value]) => [name, redact.header(name, value)]),
  );

/** The JSON of a body, or its text where it is none that the service would read. */
function presentBody(text: string | null, redact: Redact): unknown {
  if (text === null) return null;
  if (isDeeper(text, MOST_LEVELS)) return redact.text(text);
  try {
    return redact.json(JSON.parse(text));
  } catch {
    return redact.text(text);
  }
}
