import { parseUrl } from '../core/url.ts';
import type { Operation } from '../http/operation.ts';
import type { ProbeRequest } from './probe.ts';
import type { MaskSecrets } from './secrets.ts';

/** Sends a request over whatever the check was given: a socket, or a sandbox in this process. */
export type Fetch = (request: Request) => Promise<Response>;

/** Time, as the check needs it. */
export interface Time {
  now(): number;
  /** Resolves after that many milliseconds, or as soon as the signal aborts. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/** A response, read to its end. */
export interface ReceivedResponse {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The JSON it holds; undefined if it holds none. */
  readonly body: unknown;
}

/** How far a server's clock may be from its Date header. */
export const DATE_SLACK_MS = 120_000;

/** Why there is no response, in words that follow the address. */
export class NetworkError extends Error {
  override readonly name = 'NetworkError';
}

/** Sends a request and reads its response. Throws `NetworkError` where none comes. */
export type Send = (request: Request) => Promise<ReceivedResponse>;

/** Sends no more than `rps` requests a second, and waits no longer than `timeout` milliseconds for a response. */
export function createClient(
  fetch: Fetch,
  time: Time,
  { rps, timeout }: { readonly rps: number | undefined; readonly timeout: number },
  mask: MaskSecrets,
): Send {
  let free = Number.NEGATIVE_INFINITY;
  return async (request) => {
    if (rps !== undefined) {
      const now = time.now();
      const at = Math.max(now, free);
      free = at + 1000 / rps;
      if (at > now) await time.wait(at - now);
    }
    const stop = new AbortController();
    const done = new AbortController();
    const late = time.wait(timeout, done.signal).then(() => undefined);
    const response = receive(fetch, new Request(request, { signal: stop.signal }), mask);
    try {
      const first = await Promise.race([response, late]);
      if (first) return first;
      stop.abort(null);
      // Whatever still comes of it is of no interest.
      response.catch(() => undefined);
      throw new NetworkError(`gave no whole answer within ${timeout} ms`);
    } finally {
      // With a reason of its own, an abort makes no exception with a stack.
      done.abort(null);
    }
  };
}

async function receive(
  fetch: Fetch,
  request: Request,
  mask: MaskSecrets,
): Promise<ReceivedResponse> {
  try {
    const response = await fetch(request);
    const text = await readText(response);
    return { status: response.status, headers: response.headers, text, body: parseJson(text) };
  } catch (error) {
    if (error instanceof NetworkError) throw error;
    throw new NetworkError(mask(describeFailure(error)));
  }
}

/** No answer of the contract comes near it. */
const MAX_BYTES = 10 * 1024 * 1024;

/** The text of a response. What is larger than any answer could be is not read to its end. */
async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength;
    // Leaving the loop ends the response.
    if (bytes > MAX_BYTES) throw new NetworkError('sends more than 10 MB in one answer');
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}

/** The JSON a text holds; undefined if it holds none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, 'refused the connection: nothing listens there'],
  [/ENOTFOUND|EAI_AGAIN/, 'has a host name that no address is known of'],
  [/EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|CONNECT_TIMEOUT/, 'can not be reached'],
  [/ECONNRESET|EPIPE|UND_ERR_SOCKET|terminated|closed|lost/i, 'cut the connection'],
  // Fetch asserts that a status is 100 or more; its parser does not look.
  [/HPE_|Parse Error|ERR_ASSERTION/, 'answered something that is not HTTP'],
  [/ERR_SSL|EPROTO|WRONG_VERSION/, 'does not speak TLS, which https asks for'],
  [/CERT|TLS|self.signed/i, 'has a certificate that is not trusted'],
];

/** Why a request failed, by the codes and messages that runtimes put into errors. */
export function describeFailure(error: unknown): string {
  const causes: string[] = [];
  for (let each = error; each instanceof Error; each = each.cause) {
    causes.push(`${(each as { code?: unknown }).code ?? ''} ${each.message}`.trim());
    const { errors } = each as { errors?: unknown };
    if (Array.isArray(errors)) causes.push(String(errors[0]?.code ?? ''));
  }
  const known = REASONS.find(([pattern]) => pattern.test(causes.toReversed().join(' ')));
  return known?.[1] ?? `could not be asked: ${causes.at(-1) ?? String(error)}`;
}

/** The request of a probe, or why it must not be sent. */
export function buildRequest(
  base: string,
  operation: Operation,
  key: string,
  probed: ProbeRequest,
): Request | string {
  const url =
    'url' in probed ? followed(base, operation, probed.url) : urlOf(base, operation, probed);
  if (typeof url === 'string') return url;
  const { contentType = 'application/json', authorization = `Bearer ${key}` } = probed;
  const method = probed.method ?? operation.method.toUpperCase();
  const headers = new Headers({ accept: 'application/json' });
  if (authorization !== null) headers.set('authorization', authorization);
  const withBody = method !== 'GET';
  if (withBody) headers.set('content-type', contentType);
  return new Request(url, {
    method,
    headers,
    redirect: 'manual',
    ...(withBody && { body: bodyOf(probed) }),
  });
}

// Bytes, because a text would bring a Content-Type of its own.
const bodyOf = ({ raw, input = {} }: ProbeRequest): Uint8Array<ArrayBuffer> =>
  raw instanceof Uint8Array ? raw : new TextEncoder().encode(raw ?? JSON.stringify(input));

/**
 * Where an address that an answer gave leads on the server that is checked: its path and query there. The key
 * goes to the server it was given for, and to no other.
 */
function followed(base: string, { path }: Operation, address: unknown): URL | string {
  const url = typeof address === 'string' ? parseUrl(address) : undefined;
  if (!url) return 'is not an absolute URL';
  const { pathname, search } = url;
  // Behind an address of its own, a server may not know what its paths begin with for the caller.
  const there = pathname.endsWith(path) ? base + path : new URL(base).origin + pathname;
  return new URL(there + search);
}

function urlOf(base: string, operation: Operation, { input }: ProbeRequest): URL {
  const url = new URL(base + operation.path);
  if (operation.method !== 'get') return url;
  for (const [key, value] of Object.entries(input ?? {})) {
    if (!url.pathname.includes(`:${key}`)) url.searchParams.set(key, String(value));
    else url.pathname = url.pathname.replace(`:${key}`, encodeURIComponent(String(value)));
  }
  return url;
}
