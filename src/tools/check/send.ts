/* Sends the requests of a check within limits of time and size, and waits where the server asks to wait. */

import { describeFailure } from '../../connect/failed-call.ts';
import { NetworkError, type ReceivedResponse, type Send } from '../../connect/receive.ts';
import { parseJson } from '../../world/json.ts';
import { type Instant, SECOND_MS } from '../../world/time.ts';
import type { Mask } from './mask.ts';

/** The check is not possible. The message is one line with the URL and the reason. */
export class CheckError extends Error {
  override readonly name = 'CheckError';
}

/** Sends a request over a socket, or to a sandbox in this process. */
export type Fetch = (request: Request) => Promise<Response>;

/** The clock and timer of a check. */
export interface CheckTime {
  now(): Instant;
  /** Resolves after the given milliseconds, or when the signal aborts. */
  wait(ms: number, signal?: AbortSignal): Promise<void>;
}

export interface Limits {
  /** How long a whole response may take, in milliseconds. */
  readonly timeout: number;
  /** How long to wait in all after 429, or 503 with Retry-After, in milliseconds. */
  readonly patience: number;
  readonly mask: Mask;
}

const MAX_BYTES = 10 * 1024 * 1024;

/** Sends requests and reads their whole responses. Repeats those that the server postpones. */
export function createSend(
  fetch: Fetch,
  time: CheckTime,
  { timeout, patience, mask }: Limits,
): Send {
  let waited = 0;
  const sendOnce = async ({ url, method, headers, redirect }: Request, body: BodyInit | null) => {
    const stop = new AbortController();
    const done = new AbortController();
    const late = time.wait(timeout, done.signal).then(() => undefined);
    const { signal } = stop;
    const request = new Request(url, { method, headers, redirect, body, signal });
    const response = receive(fetch, request, mask);
    try {
      const first = await Promise.race([response, late]);
      if (first) return first;
      stop.abort(null);
      // A late result is ignored.
      response.catch(() => undefined);
      throw new NetworkError(`sent no complete response within ${timeout / SECOND_MS} s`);
    } finally {
      // With a reason, an abort does not create an exception with a stack.
      done.abort(null);
    }
  };
  return async (request) => {
    // Read once for all attempts: clones would share a stream, which takes longer than the call.
    const body = request.body && (await request.arrayBuffer());
    for (let attempt = 0; ; attempt += 1) {
      const response = await sendOnce(request, body);
      const delay = delayOf(response, attempt, time.now());
      if (delay === undefined) return response;
      if (waited + delay > patience) {
        throw new CheckError(
          `${new URL(request.url).origin} returned ${response.status} and asks to wait ${Math.ceil(delay / SECOND_MS)} s; the check waited ${Math.ceil(waited / SECOND_MS)} s in all. Use --patience to wait longer.`,
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

async function receive(fetch: Fetch, request: Request, mask: Mask): Promise<ReceivedResponse> {
  try {
    const response = await fetch(request);
    const text = await readText(response);
    return { status: response.status, headers: response.headers, text, body: parseJson(text) };
  } catch (error) {
    if (error instanceof NetworkError) throw error;
    throw new NetworkError(mask(describeFailure(error)));
  }
}

/** The text of a response. Stops reading a response that is too large. */
async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const piece of response.body ?? []) {
    bytes += piece.byteLength;
    // Leaving the loop cancels the response.
    if (bytes > MAX_BYTES) throw new NetworkError('sent more than 10 MB in one response');
    text += decoder.decode(piece, { stream: true });
  }
  return text + decoder.decode();
}
