/* Headers as lists of names and values in turn: their order, their case and those sent twice stay as they are. */

/** What belongs to one connection, and not to the message (RFC 9110, 7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'proxy-authorization',
  'te',
  'upgrade',
  'http2-settings',
]);

/** What frames or addresses a message stays, whatever Connection says. */
const NEVER_DROPPED = new Set(['host', 'content-length', 'transfer-encoding']);

/** The values of a header. */
export function valuesOf(headers: readonly string[], name: string): string[] {
  return headers.filter((_value, place) => place % 2 === 1 && nameAt(headers, place - 1) === name);
}

const nameAt = (headers: readonly string[], place: number): string =>
  (headers[place] as string).toLowerCase();

/** The headers that go on to the next connection. */
export function endToEnd(headers: readonly string[]): string[] {
  const named = valuesOf(headers, 'connection').flatMap((value) =>
    value
      .toLowerCase()
      .split(',')
      .map((name) => name.trim()),
  );
  const dropped = new Set([...HOP_BY_HOP, ...named.filter((name) => !NEVER_DROPPED.has(name))]);
  const kept: string[] = [];
  for (let place = 0; place + 1 < headers.length; place += 2) {
    if (dropped.has(nameAt(headers, place))) continue;
    kept.push(headers[place] as string, headers[place + 1] as string);
  }
  return kept;
}

/** Methods whose requests Node takes to have no body unless they say so. */
const WITHOUT_BODY = new Set(['GET', 'HEAD', 'DELETE', 'OPTIONS', 'TRACE', 'CONNECT']);

/** The headers of a request to another host. */
export function requestHeaders(headers: readonly string[], host: string, method: string): string[] {
  const kept = endToEnd(headers);
  const addressed: string[] = [];
  let isAddressed = false;
  for (let place = 0; place < kept.length; place += 2) {
    const isHost = nameAt(kept, place) === 'host';
    if (isHost && isAddressed) continue;
    isAddressed ||= isHost;
    addressed.push(kept[place] as string, isHost ? host : (kept[place + 1] as string));
  }
  if (!isAddressed) addressed.unshift('Host', host);
  // Node would announce a body in pieces, of a request that has none.
  if (!isFramed(kept) && !WITHOUT_BODY.has(method)) addressed.push('Content-Length', '0');
  return addressed;
}

/** Whether headers say how long the body is. */
export const isFramed = (headers: readonly string[]): boolean =>
  ['content-length', 'transfer-encoding'].some((name) => valuesOf(headers, name).length > 0);

/** Pairs of names and values, as trailers are sent. */
export const pairsOf = (headers: readonly string[]): [string, string][] =>
  headers.flatMap((value, place) =>
    place % 2 === 1 ? [[headers[place - 1] as string, value] as [string, string]] : [],
  );
