import type { Operation } from '../http/operation.ts';
import type { Call } from './probe.ts';

/** The request of a call, or why it must not be sent. */
export function requestOf(
  base: string,
  operation: Operation,
  key: string,
  call: Call,
): Request | string {
  if ('url' in call && !(typeof call.url === 'string' && URL.canParse(call.url))) {
    return 'is not an absolute URL';
  }
  const url = urlOf(base, operation, call);
  // The key goes to the server it was given for, and to no other.
  if (url.origin !== new URL(base).origin) return `leads to another server, ${url.origin}`;
  const method = call.method ?? operation.method.toUpperCase();
  const headers = new Headers({ accept: 'application/json' });
  const authorization = call.authorization === undefined ? `Bearer ${key}` : call.authorization;
  if (authorization !== null) headers.set('authorization', authorization);
  const withBody = method !== 'GET';
  const contentType = call.contentType === undefined ? 'application/json' : call.contentType;
  if (withBody && contentType !== null) headers.set('content-type', contentType);
  return new Request(url, {
    method,
    headers,
    redirect: 'manual',
    ...(withBody && { body: bodyOf(call) }),
  });
}

// Bytes, because a text would bring a Content-Type of its own.
const bodyOf = ({ raw, input = {} }: Call): Uint8Array<ArrayBuffer> =>
  raw instanceof Uint8Array ? raw : new TextEncoder().encode(raw ?? JSON.stringify(input));

function urlOf(base: string, operation: Operation, call: Call): URL {
  if (call.url !== undefined) return new URL(call.url);
  const url = new URL(base + (call.path ?? operation.path));
  if (operation.method !== 'get') return url;
  for (const [key, value] of Object.entries((call.input ?? {}) as Record<string, unknown>)) {
    if (!url.pathname.includes(`:${key}`)) url.searchParams.set(key, String(value));
    else url.pathname = url.pathname.replace(`:${key}`, encodeURIComponent(String(value)));
  }
  return url;
}
