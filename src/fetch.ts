import { ConnectionLost, type ResponseParts } from './api/context.ts';
import { isLive } from './api/respond.ts';
import { nextTurn } from './world/clock.ts';
import { joinBody } from './world/json.ts';
import { atCaller, onAbort } from './world/platform.ts';

/** Relative URLs resolve against this one. */
const BASE = 'http://sandbox';

type Fetch = typeof globalThis.fetch;

/**
 * Creates a `fetch` that is served in this process.
 *
 * @param serve returns the response to a request, or throws `ConnectionLost`
 * @param closedReason returns why the sandbox no longer responds; undefined while it is open
 */
export function createFetch(
  serve: (request: Request) => Promise<Response> | Response,
  closedReason: () => string | undefined,
): Fetch {
  const fetch: Fetch = async (input, init) => {
    const request = requestOf(input, init, fetch);
    // Without the caller's own signal, the request can't be aborted.
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    signal?.throwIfAborted();
    const reason = closedReason();
    if (reason !== undefined) throw atCaller(new TypeError(reason), fetch);
    try {
      const serving = serve(request);
      const response = await (signal ? untilAborted(serving, signal) : serving);
      signal?.throwIfAborted();
      return signal && isLive(response) ? endWith(signal, response) : response;
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ConnectionLost)) throw error;
      if (error.cut?.sent === 'half') return truncatedResponse(error.cut.parts);
      throw lostReason(error, closedReason());
    }
  };
  return fetch;
}

/** The error of a call whose connection is lost. */
function lostReason(lost: ConnectionLost, closed: string | undefined): TypeError {
  if (lost.cause !== undefined) {
    return new TypeError('The body of the request could not be read', { cause: lost.cause });
  }
  return closed === undefined ? lost : new TypeError(closed, { cause: lost });
}

/** Returns the request that the platform would send. The stack of a TypeError begins where `caller` was called. */
function requestOf(input: unknown, init: RequestInit | undefined, caller: Fetch): Request {
  try {
    if (!(input instanceof Request)) return new Request(addressOf(input), init);
    // Copies only if needed. A request whose body is used throws here, as with the platform's fetch.
    return init || input.bodyUsed ? new Request(input, init) : input;
  } catch (error) {
    throw atCaller(error as Error, caller);
  }
}

/** Returns the absolute URL of a text or a URL object, which may be of another realm. */
function addressOf(input: unknown): URL {
  const text = typeof input === 'string' ? input : hrefOf(input);
  let url: URL;
  try {
    url = new URL(text, BASE);
  } catch (cause) {
    throw new TypeError(`Failed to parse URL from ${text}`, { cause });
  }
  if (/^https?:$/.test(url.protocol)) return url;
  throw new TypeError(`The sandbox supports http: and https: URLs, not ${url.protocol}`);
}

function hrefOf(input: unknown): string {
  const href = typeof input === 'object' && input !== null && Reflect.get(input, 'href');
  if (typeof href === 'string') return href;
  const got = input === null ? 'null' : typeof input === 'object' ? 'an object' : typeof input;
  throw new TypeError(`fetch takes a string, a URL or a Request; got ${got}`);
}

/** Calls of this turn that may need an abort listener. Most finish within the turn. */
const begun = new Set<() => void>();
let isPlanned = false;

/**
 * Rejects when the signal aborts, a turn later, so that the sandbox has ended its own waits and written its journal.
 * Adding a listener is expensive compared with a call, so only calls that outlast their turn get one.
 */
function untilAborted(
  serving: Response | Promise<Response>,
  signal: AbortSignal,
): Promise<Response> {
  return new Promise((resolve, reject) => {
    let stop = () => {};
    const watch = () => {
      stop = onAbort([signal], () => void nextTurn().then(() => reject(signal.reason)));
    };
    const settle =
      <Value>(how: (value: Value) => void) =>
      (value: Value) => {
        begun.delete(watch);
        stop();
        how(value);
      };
    begun.add(watch);
    if (!isPlanned) void nextTurn().then(watchBegun);
    isPlanned = true;
    Promise.resolve(serving).then(settle(resolve), settle(reject));
  });
}

function watchBegun(): void {
  isPlanned = false;
  for (const watch of begun) watch();
  begun.clear();
}

/** Makes the body of a response fail when the signal aborts. The body is produced while it is read. */
function endWith(signal: AbortSignal, response: Response): Response {
  const reader = response.body?.getReader();
  if (!reader) return response;
  let stop = () => {};
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        stop = onAbort([signal], () => {
          controller.error(signal.reason);
          reader.cancel(signal.reason).catch(() => {});
        });
      },
      async pull(controller) {
        const { done, value } = await reader.read();
        if (signal.aborted) return;
        if (!done) return controller.enqueue(value);
        stop();
        controller.close();
      },
      cancel(reason) {
        stop();
        return reader.cancel(reason);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(body, response);
}

/** A response with the full content-length, whose body fails after half of it. */
function truncatedResponse({ status, headers, body }: ResponseParts): Response {
  const bytes = new TextEncoder().encode(joinBody(body));
  const half = bytes.subarray(0, bytes.byteLength >> 1);
  let isSent = false;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (isSent) return controller.error(new ConnectionLost());
        isSent = true;
        controller.enqueue(half);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(stream, {
    status,
    headers: { ...headers, 'content-length': String(bytes.byteLength) },
  });
}
