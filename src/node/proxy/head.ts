import {
  type IncomingMessage,
  type ServerResponse,
  validateHeaderName,
  validateHeaderValue,
} from 'node:http';
import { endToEnd, isFramed, pairsOf, valuesOf } from './headers.ts';

/** The service sent an answer that no client can be given: in words that follow its address. */
export class UnusableAnswer extends Error {
  override readonly name = 'UnusableAnswer';
}

/** The head of an answer, as it can be written. */
export interface Head {
  readonly status: number;
  readonly reason: string;
  /** Names and values in turn. */
  readonly headers: readonly string[];
}

/** Node reads any byte in a reason phrase but does not write these. */
const UNWRITABLE = /[^\t\x20-\x7e\x80-\xff]/g;

/** The head of an answer with no more changes than HTTP asks for. Throws where Node could not write it. */
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
  // HTTP/1.0 has no chunks: there the end of the connection ends an answer, as where no length is told.
  if (httpVersion === '1.0') headers = without(headers, 'transfer-encoding');
  if (!hasTrailers(status, headers)) headers = without(headers, 'trailer');
  headers = withLengthBehindDisposition(headers);
  for (const [name, value] of pairsOf(headers)) {
    validateHeaderName(name);
    validateHeaderValue(name, value);
  }
  return { status, reason: statusMessage.replace(UNWRITABLE, ' '), headers };
}

/** Whether Node takes the header `Trailer`. */
const hasTrailers = (status: number, headers: readonly string[]): boolean =>
  status !== 204 &&
  status !== 304 &&
  valuesOf(headers, 'transfer-encoding').some((value) => /\bchunked\b/i.test(value));

/** Node changes the bytes of a Content-Disposition, or refuses them, where it follows a Content-Length. */
function withLengthBehindDisposition(headers: string[]): string[] {
  const isAscii = (value: string) => !/[\x80-\xff]/.test(value);
  if (valuesOf(headers, 'content-disposition').every(isAscii)) return headers;
  const lengths = pairsOf(headers).filter(([name]) => name.toLowerCase() === 'content-length');
  return [...without(headers, 'content-length'), ...lengths.flat()];
}

interface HeadWriter {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly head: Head;
}

/** Writes the head of an answer, with what the proxy adds. */
export function writeHead(
  { incoming, outgoing, head }: HeadWriter,
  added: readonly string[] = [],
): void {
  const { status, reason, headers } = head;
  if (!isFramed(headers)) {
    outgoing.useChunkedEncodingByDefault = false;
    if (hasBody(incoming, status)) outgoing.shouldKeepAlive = false;
  }
  const all = [...headers, ...added];
  outgoing.sendDate = false;
  // Headers that were set one by one make Node forget all but the last of one name in a list.
  if (outgoing.getHeaderNames().length > 0) {
    for (const [name, values] of grouped(all)) outgoing.setHeader(name, values);
    outgoing.writeHead(status, reason);
  } else outgoing.writeHead(status, reason, all);
}

const hasBody = ({ method }: IncomingMessage, status: number): boolean =>
  method !== 'HEAD' && status !== 204 && status !== 304;

/** Passes early hints on. Those that Node does not write are left out: an answer is whole without them. */
export function writeEarlyHints(outgoing: ServerResponse, rawHeaders: readonly string[]): void {
  const headers = FRAMING.reduce(without, endToEnd(rawHeaders));
  const hints: Record<string, string | string[]> = {};
  for (const [name, values] of grouped(headers)) {
    if (name.toLowerCase() === 'link') hints.link = values.flatMap(linksIn);
    else hints[name] = values.join(', ');
  }
  try {
    outgoing.writeEarlyHints(hints);
  } catch {}
}

/** What an interim answer has none of. */
const FRAMING = ['content-length', 'transfer-encoding', 'trailer'];

/** The links of a list; an address may hold a comma. */
const linksIn = (list: string): string[] => list.split(/,(?=\s*<)/).map((link) => link.trim());

const without = (headers: readonly string[], name: string): string[] =>
  pairsOf(headers)
    .filter(([each]) => each.toLowerCase() !== name)
    .flat();

/** The values of each name, which stays as it was written first. */
function grouped(headers: readonly string[]): Iterable<[name: string, values: string[]]> {
  const groups = new Map<string, [string, string[]]>();
  for (const [name, value] of pairsOf(headers)) {
    const known = groups.get(name.toLowerCase());
    if (known) known[1].push(value);
    else groups.set(name.toLowerCase(), [name, [value]]);
  }
  return groups.values();
}
