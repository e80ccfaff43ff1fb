import type { Instant } from '../world/time.ts';
import { type Json, parseJson, valueAt } from './json.ts';
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
  readonly body: Json;
}

/** Whether a response says that the call was done. */
export const isAccepted = ({ status, body }: ReceivedResponse): boolean => {
  const success = valueAt(body, 'success');
  return success === true || (success === undefined && status < 400);
};

/** The moment of a server's Date; undefined where it gives none, or is a sandbox, whose clocks may be moved. */
export function dateOf({ headers }: Pick<ReceivedResponse, 'headers'>): Instant | undefined {
  const date = headers.has('sandbox-request-id')
    ? Number.NaN
    : Date.parse(headers.get('date') ?? '');
  return Number.isNaN(date) ? undefined : date;
}

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

const REASONS: readonly (readonly [RegExp, string])[] = [
  [/ECONNREFUSED/, 'refused the connection: nothing listens there'],
  [/ENOTFOUND|EAI_AGAIN/, 'has a host name that no address is known of'],
  [/EHOSTUNREACH|ENETUNREACH|ETIMEDOUT|CONNECT_TIMEOUT/, 'can not be reached'],
  [/ECONNRESET|EPIPE|UND_ERR_SOCKET|terminated|closed|lost/i, 'cut the connection'],
  // Fetch asserts that a status is 100 or more; its parser does not look, and gives its errors no code in Node 24.
  [/HPE_|Parse Error|ERR_ASSERTION|not match the HTTP/, 'answered something that is not HTTP'],
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
