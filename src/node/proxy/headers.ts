/* The headers that a proxy passes on, as pairs: order, case and repeated names stay. */

import {
  type IncomingMessage,
  type ServerResponse,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http';

export type Header = readonly [name: string, value: string];

/** Headers of a connection, not of the message (RFC 9110, 7.6.1). */
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

/** Methods for which Node sends no body by default. */
const WITHOUT_BODY = ['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT'];

/** Pairs from Node's list of alternating names and values. */
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

/** The headers to forward. */
function endToEnd(rawHeaders: readonly string[]): Header[] {
  const headers = pairsOf(rawHeaders);
  const named = valuesOf(headers, 'connection')
    .flatMap((value) => value.toLowerCase().split(','))
    .map((name) => name.trim())
    .filter((name) => !NEVER_DROPPED.includes(name));
  return without(headers, ...HOP_BY_HOP, ...named);
}

/** Whether headers define the length of the body. */
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
  // Without it Node would send a chunked body.
  if (!isFramed(headers) && !WITHOUT_BODY.includes(method)) addressed.push(['Content-Length', '0']);
  return addressed;
}

/** A response that cannot be returned. The message follows the URL of the service. */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer';
}

/** Status and headers of a response. */
export interface Head {
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly Header[];
}

/** Bytes in a reason phrase that Node reads but does not write. */
const UNWRITABLE = /[^\t\x20-\x7e\x80-\xff]/g;

/** The head of a response, with only the changes that HTTP requires. Throws if Node cannot write it. */
export function headOf(
  { statusCode: status = 0, statusMessage = '', rawHeaders }: IncomingMessage,
  { httpVersion }: IncomingMessage,
): Head {
  if (status < 100) {
    const shown = String(status).padStart(3, '0');
    throw new UnusableAnswer(`returned status ${shown}, which is not valid HTTP`);
  }
  if (status === 101) {
    throw new UnusableAnswer('switched to another protocol, which the request did not ask for');
  }
  let headers = endToEnd(rawHeaders);
  // HTTP/1.0 has no chunks: the body ends with the connection.
  if (httpVersion === '1.0') headers = without(headers, 'transfer-encoding');
  if (!hasTrailers(status, headers)) headers = without(headers, 'trailer');
  headers = withLengthBehindDisposition(headers);
  for (const [name, value] of headers) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  return { status, reason: statusMessage.replace(UNWRITABLE, ' '), headers };
}

/** Whether Node accepts the header `Trailer`. */
const hasTrailers = (status: number, headers: readonly Header[]): boolean =>
  status !== 204 &&
  status !== 304 &&
  valuesOf(headers, 'transfer-encoding').some((value) => /\bchunked\b/i.test(value));

/** Moves Content-Length behind Content-Disposition: otherwise Node changes or refuses its bytes. */
function withLengthBehindDisposition(headers: Header[]): Header[] {
  if (!valuesOf(headers, 'content-disposition').some((value) => /[\x80-\xff]/.test(value))) {
    return headers;
  }
  const lengths = headers.filter(([name]) => name.toLowerCase() === 'content-length');
  return [...without(headers, 'content-length'), ...lengths];
}

/** Writes the head of a response, with the proxy's own headers. */
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

/** Forwards early hints, except those that Node refuses to write. */
export function writeEarlyHints(outgoing: ServerResponse, rawHeaders: readonly string[]): void {
  // An interim response has no body.
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

/** The links in a list. A URL may contain a comma. */
const linksIn = (list: string): string[] => list.split(/,(?=\s*<)/).map((link) => link.trim());

/** Values by name, in the first spelling. */
function grouped(headers: readonly Header[]): Iterable<[name: string, values: string[]]> {
  const groups = new Map<string, [string, string[]]>();
  for (const [name, value] of headers) {
    const known = groups.get(name.toLowerCase());
    if (known) known[1].push(value);
    else groups.set(name.toLowerCase(), [name, [value]]);
  }
  return groups.values();
}
