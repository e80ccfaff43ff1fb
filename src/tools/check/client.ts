/* Sends the requests of a check, one after another, within limits of time and size. */

import { describeFailure } from '../../kit/failed-call.ts';
import { NetworkError, parseJson, type ReceivedResponse, type Send } from '../../kit/receive.ts';
import { type Instant, SECOND_MS } from '../../world/time.ts';
import { CheckError } from './check-error.ts';
import type { MaskSecrets } from './secrets.ts';

/** Sends a request over a socket, or to a sandbox in this process. */
export type Fetch = (request: Request) => Promise<Response>;

/** The clock and timer of a check. */
export interface CheckTime {
  now(): number;
  /** Resolves after the given milliseconds, or when the signal aborts. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The time in a server's Date header; undefined without one, and for a sandbox, whose clock can differ. */
export function dateOf({ headers }: Pick<ReceivedResponse, 'headers'>): Instant | undefined {
  const date = headers.has('sandbox-request-id')
    ? Number.NaN
    : Date.parse(headers.get('date') ?? '');
  return Number.isNaN(date) ? undefined : date;
}

/** What a client allows a server. */
interface ClientLimits {
  /** Maximum requests per second. */
  readonly rps?: number | undefined;
  /** How long a whole response may take, in milliseconds. */
  readonly timeout: number;
  /** How long to wait in all after 429, or 503 with Retry-After, in milliseconds. Default: such a response counts. */
  readonly patience?: number;
  /** How large a response may be. Default: far more than any response of the contract. */
  readonly maxBytes?: number;
}

const MAX_BYTES = 10 * 1024 * 1024;

/** Sends requests one after another, and reads their whole responses. Repeats those that the server postpones. */
export function createClient(
  fetch: Fetch,
  time: CheckTime,
  { rps, timeout, patience, maxBytes = MAX_BYTES }: ClientLimits,
  mask: MaskSecrets,
): Send {
  let free = Number.NEGATIVE_INFINITY;
  let waited = 0;
  const sendOnce: Send = async (request) => {
    if (rps !== undefined) {
      const now = time.now();
      const at = Math.max(now, free);
      free = at + 1000 / rps;
      if (at > now) await time.wait(at - now);
    }
    const stop = new AbortController();
    const done = new AbortController();
    const late = time.wait(timeout, done.signal).then(() => undefined);
    const stoppable = new Request(request, { signal: stop.signal });
    const response = receive(fetch, stoppable, maxBytes, mask);
    try {
      const first = await Promise.race([response, late]);
      if (first) return first;
      stop.abort(null);
      // A late result is ignored.
      response.catch(() => undefined);
      throw new NetworkError(`sent no complete response within ${timeout} ms`);
    } finally {
      // With a reason, an abort does not create an exception with a stack.
      done.abort(null);
    }
  };
  if (patience === undefined) return sendOnce;
  return async (request) => {
    for (let attempt = 0; ; attempt += 1) {
      const response = await sendOnce(request.clone());
      const delay = delayOf(response, attempt, time.now());
      if (delay === undefined) return response;
      if (waited + delay > patience) {
        const { origin } = new URL(request.url);
        throw new CheckError(
          `${mask(origin)} returned ${response.status} and asks to wait ${Math.ceil(delay / SECOND_MS)} s; the check waited ${Math.ceil(waited / SECOND_MS)} s in all. Use --rps or --patience.`,
        );
      }
      waited += delay;
      await time.wait(delay);
    }
  };
}

/** How long a server asks to wait before a request is repeated; undefined if it answered the request. */
function delayOf(
  { status, headers }: ReceivedResponse,
  attempt: number,
  now: Instant,
): number | undefined {
  const asked = headers.get('retry-after');
  if (status !== 429 && (status !== 503 || asked === null)) return undefined;
  const seconds = Number(asked ?? '');
  const until = Date.parse(asked ?? '') - now;
  const delay = asked !== null && seconds >= 0 ? seconds * SECOND_MS : until;
  // Without a time, each wait is twice the one before.
  return Math.max(MIN_DELAY_MS, Number.isNaN(delay) ? SECOND_MS * 2 ** attempt : delay);
}

const MIN_DELAY_MS = 100;

async function receive(
  fetch: Fetch,
  request: Request,
  maxBytes: number,
  mask: MaskSecrets,
): Promise<ReceivedResponse> {
  try {
    const response = await fetch(request);
    const text = await readText(response, maxBytes);
    return { status: response.status, headers: response.headers, text, body: parseJson(text) };
  } catch (error) {
    if (error instanceof NetworkError) throw error;
    throw new NetworkError(mask(describeFailure(error)));
  }
}

/** The text of a response. Stops reading a response that is too large. */
async function readText(response: Response, maxBytes: number): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength;
    // Leaving the loop cancels the response.
    if (bytes > maxBytes) {
      throw new NetworkError(`sent more than ${maxBytes / 1024 / 1024} MB in one response`);
    }
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}
