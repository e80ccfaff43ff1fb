/* Headers are pairs, which keeps their order, their case and repeated names. */

import {
  type IncomingMessage,
  type ServerResponse,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http';

export type Header = readonly [name: string, value: string];

/** What belongs to one connection, and not to the message (RFC 9110, 7.6.1). */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'te',
  'upgrade',
  'http2-settings',
];

/** These stay even if `Connection` names them. */
const NEVER_DROPPED = ['host', 'content-length', 'transfer-encoding'];

/** Methods whose requests Node takes to have no body unless they say so. */
const WITHOUT_BODY = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'];

/** The pairs of what Node reads as names and values in turn. */
export function pairsOf(rawHeaders: readonly string[]): Header[] {
  const pairs: Header[] = [];
  for (let place = 0; place + 1 < rawHeaders.length; place += 2) {
    pairs.push([rawHeaders[place] as string, rawHeaders[place + 1] as string]);
  }
  return pairs;
}

/** The values of a header. The name is in lower case. */
export const valuesOf = (headers: readonly Header[], name: string): string[] =>
  headers.filter(([each]) => each.toLowerCase() === name).map(([, value]) => value);

const without = (headers: readonly Header[], ...names: string[]): Header[] =>
  headers.filter(([name]) => !names.includes(name.toLowerCase()));

/** The headers that go on to the next connection. */
function endToEnd(rawHeaders: readonly string[]): Header[] {
  const headers = pairsOf(rawHeaders);
  const named = valuesOf(headers, 'connection')
    .flatMap((value) => value.toLowerCase().split(','))
    .map((name) => name.trim())
    .filter((name) => !NEVER_DROPPED.includes(name));
  return without(headers, ...HOP_BY_HOP, ...named);
}

/** Whether headers say how long the body is. */
const isFramed = (headers: readonly Header[]): boolean =>
  ['content-length', 'transfer-encoding'].some((name) => valuesOf(headers, name).length > 0);

/** The headers of a request to another host. */
export function requestHeaders(
  { method = 'GET', rawHeaders }: IncomingMessage,
  host: string,
): Header[] {
  const headers = endToEnd(rawHeaders);
  const place = headers.findIndex(([name]) => name.toLowerCase() === 'host');
  const name = headers[place]?.[0] ?? 'Host';
  const addressed = without(headers, 'host').toSpliced(Math.max(place, 0), 0, [name, host]);
  // Without it Node would announce a body in chunks.
  if (!isFramed(headers) && !WITHOUT_BODY.includes(method)) addressed.push(['Content-Length', '0']);
  return addressed;
}

/** An answer that can't be passed on. The message follows the address of the service. */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer';
}

/** The head of an answer, as it can be written. */
export interface Head {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly Header[];
}

/** Node reads any byte in a reason phrase but does not write these. */
const UNWRITABLE = /[^\t\x20-\x7e\x80-\xff]/g;

/** The head of an answer with only the changes that HTTP requires. Throws if Node could not write it. */
export function headOf(
  { statusCode: status = 0, statusMessage = '', rawHeaders }: IncomingMessage,
  { httpVersion }: IncomingMessage,
): Head {
  if (status < 100) {
    const shown = String(status).padStart(3, '0');
    throw new UnusableAnswer(`answered with status ${shown}, which HTTP does not have`);
  }
  if (status === 101) {
    throw new UnusableAnswer('switched to another protocol, which the request did not ask for');
  }
  let headers = endToEnd(rawHeaders);
  // HTTP/1.0 has no chunks: the end of the connection ends the answer.
  if (httpVersion === '1.0') headers = without(headers, 'transfer-encoding');
  if (!hasTrailers(status, headers)) headers = without(headers, 'trailer');
  headers = withLengthBehindDisposition(headers);
  for (const [name, value] of headers) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  return { status, reason: statusMessage.replace(UNWRITABLE, ' '), headers };
}

/** Whether Node takes the header `Trailer`. */
const hasTrailers = (status: number, headers: readonly Header[]): boolean =>
  status !== 204 &&
  status !== 304 &&
  valuesOf(headers, 'transfer-encoding').some((value) => /\bchunked\b/i.test(value));

/** Node changes the bytes of a Content-Disposition, or refuses them, where it follows a Content-Length. */
function withLengthBehindDisposition(headers: Header[]): Header[] {
  if (!valuesOf(headers, 'content-disposition').some((value) => /[\x80-\xff]/.test(value))) {
    return headers;
  }
  const lengths = headers.filter(([name]) => name.toLowerCase() === 'content-length');
  return [...without(headers, 'content-length'), ...lengths];
}

/** Writes the head of an answer, with what the proxy adds. */
export function writeHead(
  { method }: IncomingMessage,
  outgoing: ServerResponse,
  { status, reason, headers }: Head,
  added: readonly Header[] = [],
): void {
  if (!isFramed(headers)) {
    outgoing.useChunkedEncodingByDefault = false;
    if (method !== 'HEAD' && status !== 204 && status !== 304) outgoing.shouldKeepAlive = false;
  }
  const all = [...headers, ...added];
  outgoing.sendDate = false;
  // After `setHeader`, Node keeps only the last of repeated names in a list.
  if (outgoing.getHeaderNames().length > 0) {
    for (const [name, values] of grouped(all)) outgoing.setHeader(name, values);
    outgoing.writeHead(status, reason);
  } else outgoing.writeHead(status, reason, all.flat());
}

/** Passes early hints on, except those that Node refuses to write. */
export function writeEarlyHints(outgoing: ServerResponse, rawHeaders: readonly string[]): void {
  // An interim answer has no body to frame.
  const headers = without(endToEnd(rawHeaders), 'content-length', 'transfer-encoding', 'trailer');
  const hints: Record<string, string | string[]> = {};
  for (const [name, values] of grouped(headers)) {
    if (name.toLowerCase() === 'link') hints.link = values.flatMap(linksIn);
    else hints[name] = values.join(', ');
  }
  try {
    outgoing.writeEarlyHints(hints);
  } catch {}
}

/** The links of a list; an address may hold a comma. */
const linksIn = (list: string): string[] => list.split(/,(?=\s*<)/).map((link) => link.trim());

/** The values of each name, in its first spelling. */
function grouped(headers: readonly Header[]): Iterable<[name: string, values: string[]]> {
  const groups = new Map<string, [string, string[]]>();
  for (const [name, value] of headers) {
    const known = groups.get(name.toLowerCase());
    if (known) known[1].push(value);
    else groups.set(name.toLowerCase(), [name, [value]]);
  }
  return groups.values();
}
