/* Passes Node's requests to the sandbox, and ends connections when a fault demands it. */

import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import { ConnectionLost, type CreateResponse, type CutResponse } from '../api/context.ts';
import { ControlError, problemOf } from '../control/control-error.ts';
import type { SandboxCore } from '../sandbox/core.ts';
import { stopwatch } from '../world/clock.ts';
import { parseUrl } from '../world/platform.ts';
import { inTurn } from './connections.ts';
import type { RequestLog } from './request-log.ts';

/** Passes Node's requests to a sandbox. */
export function createListener(
  { handle, closing }: Pick<SandboxCore, 'handle' | 'closing'>,
  log: RequestLog | undefined,
): RequestListener {
  /** The latest request, to log failures that happen before it reaches the app. */
  let newest: Arrival | undefined;
  const { listener, createResponse } = libraryListener(
    async (request, bindings) => {
      // `Http2Bindings` never occur here.
      const { incoming, outgoing } = bindings as HttpBindings;
      const { rawHeaders, socket } = incoming;
      const arrival = newest;
      try {
        const authority = checkTarget(request, incoming);
        const { remoteAddress } = socket;
        const abort = () => void socket.destroy();
        const endAfterResponse = () => {
          outgoing.shouldKeepAlive = false;
        };
        const readBytes = (maxBytes: number) => readIncoming(incoming, maxBytes);
        const methods = { abort, endAfterResponse, readBytes, createResponse };
        const connection = { rawHeaders, remoteAddress, authority, closing, ...methods };
        return await handle(request, connection);
      } catch (error) {
        if (!(error instanceof ConnectionLost)) return respondFailure(error, arrival, log);
        inTurn(outgoing, (socket) => loseConnection(socket, outgoing, error.cut));
        return (await import('@hono/node-server/utils/response')).RESPONSE_ALREADY_SENT;
      } finally {
        if (incoming.readableDidRead && !incoming.readableEnded) discardRest(incoming);
      }
    },
    {
      // The host of requests without a Host header.
      hostname: 'localhost',
      // Cleaning up would cut off clients that are still sending a large body before they read the refusal.
      autoCleanupIncoming: false,
      errorHandler: (error) => respondFailure(error, newest, log),
    },
  );
  if (!log) return listener;
  return (incoming, outgoing) => {
    newest = { incoming, since: stopwatch() };
    return listener(incoming, outgoing);
  };
}

/**
 * A listener of `@hono/node-server`, and the library's own `Response`, which halves the time of a quote because it is
 * written without a stream. The library replaces the global classes; this restores them at once.
 */
function libraryListener(...args: Parameters<typeof getRequestListener>) {
  const platform = (['Request', 'Response'] as const).map(
    (name) => [name, Object.getOwnPropertyDescriptor(globalThis, name)] as const,
  );
  const listener = getRequestListener(...args);
  const { Response } = globalThis;
  for (const [name, descriptor] of platform) {
    if (descriptor) Object.defineProperty(globalThis, name, descriptor);
  }
  const createResponse: CreateResponse = (text, init) => new Response(text, init);
  return { listener, createResponse };
}

/** A request as Node read it, and the stopwatch's time of arrival. */
interface Arrival {
  readonly incoming: IncomingMessage;
  readonly since: number;
}

/** Reads a request body from Node. The library's `Request` would copy it, which takes a tenth of a quote's time. */
function readIncoming(incoming: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    const finish = () =>
      resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
    incoming
      .on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        size += chunk.length;
        if (size <= maxBytes) return;
        incoming.removeAllListeners('data').pause();
        finish();
      })
      .on('end', finish)
      .on('close', () => {
        if (!incoming.readableEnded) reject(new Error('The client went away'));
      });
  });
}

/**
 * Drains the unread body of a refused request, so that the connection can take the next request. Node drains only bodies
 * that nobody has begun to read.
 */
function discardRest(incoming: IncomingMessage): void {
  incoming.removeAllListeners('data').resume();
}

/** Every response is longer. */
const LONGEST_INTERIM = 'HTTP/1.1 100 Continue\r\n\r\n'.length;

/**
 * Ends a connection without a response, or in the middle of a response.
 *
 * If a reused connection is reset before any byte of the response, Chromium and others send the request again by
 * themselves, and a lost response would not stay lost. A rule prevents reuse; the header of a request is too late for
 * that, so the headers are sent first.
 */
function loseConnection(
  socket: Socket,
  outgoing: ServerResponse,
  cut: CutResponse | undefined,
): void {
  if (socket.destroyed) return;
  const isReused = socket.bytesWritten > LONGEST_INTERIM;
  if (!cut || (cut.sent === 'nothing' && !isReused)) {
    socket.resetAndDestroy();
    return;
  }
  const { status, headers, body } = cut.parts;
  const bytes = Buffer.from(body ?? '');
  outgoing.writeHead(status, { ...headers, 'content-length': bytes.length });
  if (cut.sent === 'nothing') {
    outgoing.flushHeaders();
    socket.resetAndDestroy();
    return;
  }
  outgoing.write(bytes.subarray(0, bytes.length >> 1));
  // Sends the written bytes, then closes.
  socket.destroySoon();
}

/** Responds to a request that did not reach the sandbox or failed in it. Logs refusals. */
function respondFailure(
  error: unknown,
  arrival: Arrival | undefined,
  log: RequestLog | undefined,
): Response {
  const refusal =
    error instanceof RequestError
      ? new ControlError(400, 'The Host header or the path of the request is invalid.')
      : error;
  const problem = problemOf(refusal);
  const { status, detail } = problem;
  if (!(refusal instanceof ControlError)) console.error(error);
  else if (arrival) {
    const { method = '', url: path = '' } = arrival.incoming;
    const elapsedMs = stopwatch() - arrival.since;
    log?.add({ kind: 'refused', method, path, status, problems: [detail], elapsedMs });
  }
  return new Response(JSON.stringify(problem), {
    status,
    headers: { 'content-type': 'application/problem+json' },
  });
}

/** `host`, `host:port`, `[IPv6]` or `[IPv6]:port`. It cannot contain a path or a user. */
const AUTHORITY = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** A request target that is a whole URL, as clients send to a proxy. */
const ABSOLUTE_TARGET = /^https?:\/\/([^/?#]*)/;

/**
 * Refuses a Host or a request target that RFC 9112 (3.2) does not allow. Both become part of the request's URL, where
 * anything but a host name could replace the path.
 *
 * @returns the authority of a target in absolute form
 */
function checkTarget(
  { headers }: Request,
  { url: target = '', httpVersion }: IncomingMessage,
): string | undefined {
  // Node joins two Host lines with a comma.
  const host = headers.get('host');
  if (host === null && httpVersion !== '1.0')
    throw new ControlError(400, 'The Host header is missing.');
  // Under RFC 9112 clients send an empty Host if their URL has no host.
  if (host !== null && host !== '' && !isAuthority(host)) {
    throw new ControlError(400, `The Host header must be ${FORMS}; got ${JSON.stringify(host)}.`);
  }
  const authority = ABSOLUTE_TARGET.exec(target)?.[1];
  if (authority !== undefined && !isAuthority(authority)) {
    throw new ControlError(400, `The host of the request target must be ${FORMS}.`);
  }
  return authority;
}

const FORMS = 'host, host:port, [IPv6 address] or [IPv6 address]:port';

/** Clients send the same Host with every request, so it is parsed once. */
let lastAuthority: string | undefined;

function isAuthority(text: string): boolean {
  if (text === lastAuthority) return true;
  if (!AUTHORITY.test(text) || parseUrl(`http://${text}`) === undefined) return false;
  lastAuthority = text;
  return true;
}
