/* `sandbox.fetch`: serves in this process, and fails as the platform's fetch does. */

import { ConnectionLost, type CreateResponse, type ResponseParts } from '../api/context.ts';
import { liveResponses } from '../api/respond.ts';
import type { ControlEnv, SandboxApp } from '../control/access.ts';
import { CLOSED } from '../control/host.ts';
import { holdProcess, nextTurn } from '../world/clock.ts';
import { atCaller, onAbort } from '../world/platform.ts';
import { STATUS_TEXTS } from './status-texts.ts';

/** Relative URLs resolve against this one. */
const BASE = 'http://sandbox';

/** The platform's. Saved here, because a program may put `sandbox.fetch` in its place. */
const { fetch: platformFetch } = globalThis;

type Fetch = typeof globalThis.fetch;

/**
 * Creates a `fetch` that is served in this process. It fails as the platform's fetch fails, so that retry libraries and
 * catch blocks do what they do over a socket.
 *
 * @param app responds to a request, or throws `ConnectionLost`
 * @param bindings what it takes with every request
 */
export function createFetch(app: SandboxApp, bindings: ControlEnv['Bindings']): Fetch {
  const { closing } = bindings.connection;
  const env = { ...bindings, connection: { ...bindings.connection, createResponse } };
  const fetch: Fetch = async (input, init) => {
    const request = requestOf(input, init, fetch);
    // For no server at all.
    if (/^(data|blob):/.test(request.url)) return platformFetch(request);
    // Without the caller's own signal, the request can't be aborted.
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined);
    signal?.throwIfAborted();
    if (closing?.aborted) {
      throw atCaller(fetchFailed(failure('connect', 'ECONNREFUSED', CLOSED)), fetch);
    }
    let response: Response;
    try {
      const served = await untilAborted(app.fetch(request, env), signal);
      signal?.throwIfAborted();
      response = responseClass().of(served, request, signal);
    } catch (error) {
      signal?.throwIfAborted();
      if (!(error instanceof ConnectionLost)) throw error;
      const { cut, message, cause } = error;
      if (cut?.sent !== 'half') {
        throw fetchFailed(
          cause ?? failure('read', 'ECONNRESET', closing?.aborted ? CLOSED : message),
        );
      }
      response = responseClass().of(truncatedResponse(cut.parts, message), request);
    }
    if (response.status === PERMANENT_REDIRECT && request.redirect !== 'manual') {
      if (request.redirect === 'error') throw fetchFailed(new Error('unexpected redirect'));
      const address = new URL(response.headers.get('location') ?? '', request.url);
      const page = await fetch(new Request(address, request));
      return Object.defineProperty(page, 'redirected', { value: true });
    }
    if (request.integrity) await checkIntegrity(request, response);
    return response;
  };
  return fetch;
}

/** From the address of a page with a slash at its end. Nothing else is redirected. */
const PERMANENT_REDIRECT = 308;

const fetchFailed = (cause: unknown): TypeError => new TypeError('fetch failed', { cause });

/** An error of the system, with the reason that the sandbox has for it. */
const failure = (syscall: 'connect' | 'read', code: string, reason: string): Error =>
  Object.assign(new Error(`${syscall} ${code} (${reason})`), { code, syscall });

/** The methods that read a whole body. */
const READERS = ['arrayBuffer', 'blob', 'bytes', 'formData', 'json', 'text'] as readonly 'text'[];

/**
 * Makes the class of all responses. They have what the platform's constructor takes from nobody: the URL without the
 * fragment, and the text of a status line. A body that is a text fails if the signal aborts before it has been read. With
 * a stream for each, a quote takes 1.07 times as long, and a purchase 1.1 times.
 */
function createResponseClass() {
  class FetchedResponse extends Response {
    #request!: Request;
    /** Ends a body that has not been read. Undefined if nobody can abort, or if the body is a stream that ends itself. */
    #signal: AbortSignal | undefined;
    /** The same response with a stream as its body, which was asked for. */
    #streamed: Response | undefined;

    /** The response of a request. A body that is a text is there at once; any other one ends when the signal aborts. */
    static of(served: Response, request: Request, signal?: AbortSignal): FetchedResponse {
      if (served instanceof FetchedResponse) {
        served.#request = request;
        served.#signal = signal;
        return served;
      }
      const { body } = signal ? endWith(signal, served) : served;
      return FetchedResponse.of(new FetchedResponse(body, served), request);
    }

    override get url() {
      return this.#request.url.replace(/#.*/, '');
    }

    override get statusText() {
      return STATUS_TEXTS[this.status] ?? 'unknown';
    }

    override get type() {
      return 'basic' as const;
    }

    override get body() {
      const body = super.body;
      if (!this.#signal || body === null || super.bodyUsed) return body;
      this.#streamed ??= endWith(this.#signal, new Response(body));
      return this.#streamed.body;
    }

    override get bodyUsed() {
      return this.#streamed?.bodyUsed ?? super.bodyUsed;
    }

    override clone() {
      const { body } = this.#streamed?.clone() ?? super.clone();
      const copy = new FetchedResponse(body, this);
      return FetchedResponse.of(copy, this.#request, this.#streamed ? undefined : this.#signal);
    }

    static {
      for (const name of READERS) {
        const read = Response.prototype[name];
        // Not every platform has `bytes`.
        if (!read) continue;
        const value = async function (this: FetchedResponse): Promise<unknown> {
          if (this.#streamed) return this.#streamed[name]();
          try {
            return await read.call(this);
          } finally {
            this.#signal?.throwIfAborted();
          }
        };
        const isMethod = { configurable: true, writable: true };
        Object.defineProperty(FetchedResponse.prototype, name, { value, ...isMethod });
      }
      // Their constructor is the platform's.
      Reflect.deleteProperty(FetchedResponse.prototype, 'constructor');
    }
  }
  return FetchedResponse;
}

let made: ReturnType<typeof createResponseClass> | undefined;

/** The class of all responses. Made on first use, because loading the platform's takes 20 ms. */
const responseClass = () => (made ??= createResponseClass());

/** Makes the response of a text. */
const createResponse: CreateResponse = (text, init) => new (responseClass())(text, init);

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
  if (/^(https?|data|blob):$/.test(url.protocol)) return url;
  throw new TypeError(`The sandbox supports http: and https: URLs, not ${url.protocol}`);
}

/** Rejects as the platform does if the body is not what the caller expects. The platform itself compares it. */
async function checkIntegrity({ integrity }: Request, response: Response): Promise<void> {
  const bytes = await response
    .clone()
    .arrayBuffer()
    .catch((cause) => {
      throw fetchFailed(cause);
    });
  const address = URL.createObjectURL(new Blob([bytes]));
  try {
    await platformFetch(address, { integrity });
  } finally {
    URL.revokeObjectURL(address);
  }
}

function hrefOf(input: unknown): string {
  const href = typeof input === 'object' && input !== null && Reflect.get(input, 'href');
  if (typeof href === 'string') return href;
  const got = input === null ? 'null' : typeof input === 'object' ? 'an object' : typeof input;
  throw new TypeError(`fetch takes a string, a URL or a Request; got ${got}`);
}

/** A call that has not ended. */
interface PendingCall {
  readonly signal: AbortSignal | undefined;
  /** Rejects it. */
  abort?: (reason: unknown) => void;
  /** Set if it outlasts its turn. */
  stopWatching?: () => void;
}

/** Calls that began in this turn. Most finish within it. */
const begun = new Set<PendingCall>();
let isPlanned = false;

/**
 * Keeps the process alive while a call is pending, as a socket does. Rejects when the signal aborts, a turn later, so
 * that the sandbox has ended its own waits and written its journal.
 *
 * A timer and a listener are expensive compared with a call, so only calls that outlast their turn get them.
 */
async function untilAborted(
  serving: Response | Promise<Response>,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const call: PendingCall = { signal };
  begun.add(call);
  if (!isPlanned) void nextTurn().then(watchBegun);
  isPlanned = true;
  try {
    return await new Promise((resolve, reject) => {
      call.abort = reject;
      Promise.resolve(serving).then(resolve, reject);
    });
  } finally {
    begun.delete(call);
    call.stopWatching?.();
  }
}

function watchBegun(): void {
  isPlanned = false;
  for (const call of begun) watch(call);
  begun.clear();
}

function watch(call: PendingCall): void {
  const { signal } = call;
  const release = holdProcess();
  const ignore = onAbort([signal], () => {
    void nextTurn().then(() => {
      // What serves the call may go on for long, but nobody waits for it.
      release();
      call.abort?.(signal?.reason);
    });
  });
  call.stopWatching = () => {
    release();
    ignore();
  };
}

const utf8 = new TextEncoder();

/** Makes the body of a response fail when the signal aborts before it has been read. */
function endWith(signal: AbortSignal, response: Response): Response {
  const reader = response.body?.getReader();
  if (!reader) return response;
  let stop = () => {};
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        // The body of another response is there at once, so that a read of it never waits.
        if (!liveResponses.has(response)) return;
        stop = onAbort([signal], () => controller.error(signal.reason));
      },
      async pull(controller) {
        if (!signal.aborted) {
          const { done, value } = await reader.read();
          if (!done && !signal.aborted) return controller.enqueue(value);
          if (!signal.aborted) {
            stop();
            return controller.close();
          }
        }
        controller.error(signal.reason);
        reader.cancel(signal.reason).catch(() => {});
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
function truncatedResponse({ status, headers, body }: ResponseParts, reason: string): Response {
  const bytes = utf8.encode(body ?? '');
  const half = bytes.subarray(0, bytes.byteLength >> 1);
  let isSent = false;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (isSent) return controller.error(terminated(reason));
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

/** The error of a body whose connection ended. */
function terminated(reason: string): TypeError {
  const cause = new Error(`other side closed (${reason})`);
  return new TypeError('terminated', { cause: Object.assign(cause, { code: 'UND_ERR_SOCKET' }) });
}
