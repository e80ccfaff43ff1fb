import type { ResponseParts } from './api/context.ts';
import { ConnectionLost } from './api/context.ts';
import { isLive } from './api/respond.ts';
import { nextTurn } from './world/clock.ts';
import { joinBody } from './world/json.ts';
import { atCaller, onAbort } from './world/platform.ts';

/** Where the addresses are that name no host. */
const BASE = 'http://sandbox';

type Fetch = typeof globalThis.fetch;

/**
 * The platform's `fetch`, answered in this process.
 *
 * @param serve answers a request, or throws `ConnectionLost`
 * @param whyNot says why nothing is answered any more, if that is so
 */
export function createFetch(
  serve: (request: Request) => Promise<Response> | Response,
  whyNot: () => string | undefined,
): Fetch {
  const fetch = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
    const given = requestOf(input, init, fetch);
    const request = given instanceof Promise ? await given : given;
    const { signal } = request;
    if (signal.aborted) throw signal.reason;
    const refusal = whyNot();
    if (refusal !== undefined) throw atCaller(new TypeError(refusal), fetch);
    try {
      const response = await answered(serve(request), signal);
      if (signal.aborted) throw signal.reason;
      return isLive(response) ? endWith(signal, response) : response;
    } catch (error) {
      if (signal.aborted) throw signal.reason;
      if (!(error instanceof ConnectionLost)) throw error;
      if (error.truncated) return truncatedResponse(error.truncated);
      throw lostBecause(error, whyNot());
    }
  };
  return fetch;
}

/** What a call whose connection is lost fails with. */
function lostBecause(lost: ConnectionLost, refusal: string | undefined): TypeError {
  if (lost.cause !== undefined) {
    return new TypeError('The body of the request could not be read', { cause: lost.cause });
  }
  return refusal === undefined ? lost : new TypeError(refusal, { cause: lost });
}

/** The request that the platform would send. Throws its TypeErrors, as if it stood where the caller stands. */
function requestOf(
  input: unknown,
  init: RequestInit | undefined,
  caller: Fetch,
): Request | Promise<Request> {
  try {
    if (!isRequest(input)) return new Request(addressOf(input), init);
    if (!(input instanceof Request)) return adopt(requireUnused(input), addressOf(input.url), init);
    return init ? new Request(input, init) : requireUnused(input);
  } catch (error) {
    throw atCaller(error as Error, caller);
  }
}

function requireUnused<R extends Pick<Request, 'bodyUsed'>>(request: R): R {
  if (!request.bodyUsed) return request;
  throw new TypeError('The body of this Request has been used already.');
}

/** The address a text or a URL names; that may be one of another realm, or of a library. */
function addressOf(input: unknown): URL {
  const text = typeof input === 'string' ? input : hrefOf(input);
  let url: URL;
  try {
    url = new URL(text, BASE);
  } catch (cause) {
    throw new TypeError(`Failed to parse URL from ${text}`, { cause });
  }
  if (/^https?:$/.test(url.protocol)) return url;
  throw new TypeError(`The sandbox answers http and https, not ${url.protocol}`);
}

function hrefOf(input: unknown): string {
  const href = typeof input === 'object' && input !== null && Reflect.get(input, 'href');
  if (typeof href === 'string') return href;
  const got = input === null ? 'null' : typeof input === 'object' ? 'an object' : typeof input;
  throw new TypeError(`fetch takes a URL, as a text or a URL object, or a Request; got ${got}`);
}

/** What all implementations of `Request` have in common. */
type ForeignRequest = Pick<Request, 'url' | 'method' | 'bodyUsed' | 'body' | 'arrayBuffer'> & {
  readonly headers: Iterable<[string, string]>;
  readonly signal?: AbortSignal | null;
};

/** Whether it is a `Request`, of this runtime, of another realm, or of a library such as node-fetch or undici. */
function isRequest(input: unknown): input is Request | ForeignRequest {
  if (input instanceof Request) return true;
  if (typeof input !== 'object' || input === null) return false;
  const { url, method, headers, arrayBuffer } = input as Partial<ForeignRequest>;
  return (
    typeof url === 'string' &&
    typeof method === 'string' &&
    headers !== undefined &&
    Symbol.iterator in headers &&
    typeof arrayBuffer === 'function'
  );
}

/** The same request as one of this runtime. */
async function adopt(
  given: ForeignRequest,
  address: URL,
  init: RequestInit | undefined,
): Promise<Request> {
  const { method, headers, signal } = given;
  const body = given.body ? await given.arrayBuffer() : null;
  const request = new Request(address, {
    method,
    headers: [...headers],
    body,
    ...(signal instanceof AbortSignal && { signal }),
  });
  return init ? new Request(request, init) : request;
}

/** Calls that began in this turn; most of them are answered in it. */
const begun = new Set<() => void>();
let isPlanned = false;

/**
 * Whoever gives up waiting hears of it at once. What waits for long in the sandbox ends with the signal by itself and
 * is in the journal then; what does not, a body that never ends, is left. Watching a signal costs a good part of
 * what most calls take: so it is watched from the turn after on.
 */
function answered(response: Response | Promise<Response>, signal: AbortSignal): Promise<Response> {
  return new Promise((resolve, reject) => {
    let stop = () => {};
    const watch = () => {
      stop = onAbort([signal], () => void nextTurn().then(() => reject(signal.reason)));
    };
    const end = () => {
      begun.delete(watch);
      stop();
    };
    begun.add(watch);
    if (!isPlanned) void nextTurn().then(watchBegun);
    isPlanned = true;
    Promise.resolve(response).then(
      (given) => {
        end();
        resolve(given);
      },
      (error) => {
        end();
        reject(error);
      },
    );
  });
}

function watchBegun(): void {
  isPlanned = false;
  for (const watch of begun) watch();
  begun.clear();
}

/** A response whose body is still being made fails to be read on once its signal aborts. */
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

/** Half the body of a response that announced all of it, then the end of the connection. */
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
