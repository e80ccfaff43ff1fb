import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Answer } from '../http/sending.ts';
import type { Connection } from '../public.ts';
import { PlainResponse } from './outgoing.ts';

/** The headers of a request: as Node read them, and as they came. */
class IncomingHeaders {
  readonly raw: readonly string[];
  readonly #values: IncomingHttpHeaders;

  constructor({ rawHeaders, headers }: IncomingMessage) {
    this.raw = rawHeaders;
    this.#values = headers;
  }

  get(name: string): string | null {
    const value = this.#values[name.toLowerCase()];
    return Array.isArray(value) ? value.join(', ') : (value ?? null);
  }

  /** Whether these are the headers that came. */
  are(came: readonly string[]): boolean {
    return this.raw.length === came.length && this.raw.every((text, place) => text === came[place]);
  }
}

/** How many different headers are remembered of a connection. */
const MOST_REMEMBERED = 4;

const remembered = new WeakMap<Socket, IncomingHeaders[]>();

/**
 * The headers of a request, read anew only if the connection has not lately sent the same. Clients send
 * the same few again and again, and the journal keeps them: what is kept costs most of what recording costs.
 */
export function headersOf(incoming: IncomingMessage): IncomingHeaders {
  const { socket, rawHeaders } = incoming;
  const lately = remembered.get(socket);
  const same = lately?.find((headers) => headers.are(rawHeaders));
  if (same) return same;
  const headers = new IncomingHeaders(incoming);
  if (!lately) remembered.set(socket, [headers]);
  else if (lately.unshift(headers) > MOST_REMEMBERED) lately.pop();
  return headers;
}

/** As much of a Request as the sandbox reads. */
export class IncomingRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHeaders;
  readonly #incoming: IncomingMessage;
  readonly #outgoing: ServerResponse;
  readonly #closing: AbortSignal;
  #signal: AbortSignal | undefined;

  constructor(
    incoming: IncomingMessage,
    outgoing: ServerResponse,
    url: string,
    headers: IncomingHeaders,
    closing: AbortSignal,
  ) {
    this.method = incoming.method ?? 'GET';
    this.url = url;
    this.headers = headers;
    this.#incoming = incoming;
    this.#outgoing = outgoing;
    this.#closing = closing;
  }

  /** Aborts when the client is gone, or the server closes. */
  get signal(): AbortSignal {
    if (this.#signal) return this.#signal;
    const controller = new AbortController();
    const abort = () => controller.abort();
    if (this.#closing.aborted || this.#outgoing.destroyed) abort();
    this.#closing.addEventListener('abort', abort, { once: true });
    this.#outgoing.once('close', () => {
      this.#closing.removeEventListener('abort', abort);
      if (!this.#outgoing.writableFinished) abort();
    });
    this.#signal = controller.signal;
    return this.#signal;
  }

  /**
   * The bytes as they come. Whoever stops half-way refuses the request: the rest is read and let go,
   * because a connection whose request has not ended answers no other.
   */
  get body(): ReadableStream {
    const chunks = this.#incoming.iterator({ destroyOnReturn: false });
    return new ReadableStream({
      pull: async (controller) => {
        const { done, value } = await chunks.next();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: async () => {
        await chunks.return?.();
        this.#incoming.resume();
      },
    });
  }

  arrayBuffer(): Promise<Uint8Array> {
    return new Promise((resolve, reject) => {
      const chunks: Uint8Array[] = [];
      this.#incoming
        .on('data', (chunk: Uint8Array) => chunks.push(chunk))
        .on('end', () =>
          resolve(chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks)),
        )
        .on('error', reject);
    });
  }
}

export class IncomingConnection implements Connection {
  readonly rawHeaders: readonly string[];
  readonly #socket: Socket;

  constructor({ raw }: IncomingHeaders, { socket }: IncomingMessage) {
    this.rawHeaders = raw;
    this.#socket = socket;
  }

  get remoteAddress(): string | undefined {
    return this.#socket.remoteAddress;
  }

  respond(answer: Answer): Response {
    return new PlainResponse(answer) as unknown as Response;
  }
}

const PLAIN_TARGET = /^\/[!$&-;=?-Z_a-z~]*$/;
const DOT_SEGMENT = /\/\.\.?(?:[/?]|$)/;
const PLAIN_HOST = /^[\w.-]+(?::\d{1,5})?$/;

/** The URL of a request, parsed only if it is not one that parsing would leave as it is. */
export function urlOf(headers: IncomingHeaders, target = '/'): string | undefined {
  // An empty Host is allowed, and would make a URL whose host is the first word of the path.
  const host = headers.get('host') || 'localhost';
  if (PLAIN_TARGET.test(target) && PLAIN_HOST.test(host) && !DOT_SEGMENT.test(target)) {
    return `http://${host}${target}`;
  }
  try {
    return new URL(target.startsWith('/') ? `http://${host}${target}` : target).href;
  } catch {
    return undefined;
  }
}
