import type { Fault } from './faults.ts';
import type { Exchange, RawHeaders } from './journal.ts';

/** What stands where a key or an identity number stood. */
export const REDACTED = '[redacted]';

/** Fields and headers whose values the journal never shows. */
const SECRET_FIELDS = new Set(['nin_number', 'api_key']);
const SECRET_HEADERS = new Set(['authorization', 'cookie', 'proxy-authorization']);

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
  const { request, response } = exchange;
  return {
    id: exchange.id,
    at: new Date(exchange.at).toISOString(),
    operation: exchange.operation,
    method: exchange.method,
    path: exchange.path,
    status: exchange.status,
    duration_ms: exchange.duration_ms,
    fault: exchange.fault,
    request: { headers: presentHeaders(request.headers), body: presentBody(request.body) },
    response: response && {
      headers: { ...response.headers },
      body: presentBody(response.body),
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

function presentHeaders(raw: RawHeaders): Record<string, string> {
  const headers: Record<string, string> = {};
  const show = (name: string, value: string) => {
    headers[name] = SECRET_HEADERS.has(name) ? REDACTED : value;
  };
  if (raw instanceof Headers) raw.forEach((value, name) => void show(name, value));
  else {
    for (let place = 0; place + 1 < raw.length; place += 2) {
      show((raw[place] as string).toLowerCase(), raw[place + 1] as string);
    }
  }
  return headers;
}

/** The JSON of a body, or its text where it is none. */
function presentBody(text: string | null): unknown {
  if (text === null) return null;
  try {
    return redact(JSON.parse(text));
  } catch {
    return text.replace(/("(?:nin_number|api_key)"\s*:\s*)("[^"]*"?|[^,}\s]+)/g, `$1"${REDACTED}"`);
  }
}

function redact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redact);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      SECRET_FIELDS.has(key) && inner !== null ? REDACTED : redact(inner),
    ]),
  );
}
