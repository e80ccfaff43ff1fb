import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { ConnectionLost, type ResponseParts } from '../api/context.ts';
import { ControlError, problemOf } from '../control/control-error.ts';
import type { OpenSandbox } from '../open-sandbox.ts';
import { stopwatch } from '../world/clock.ts';
import { joinBody } from '../world/json.ts';
import { parseUrl } from '../world/platform.ts';
import type { RequestLog } from './request-log.ts';

/** Answers Node's requests from a sandbox. */
export function createListener(
  { handle, closing }: Pick<OpenSandbox, 'handle' | 'closing'>,
  log: RequestLog | undefined,
): RequestListener {
  /** The newest request, for what fails before it is more than that. */
  let newest: Arrival | undefined;
  const { listener, Response } = libraryListener(
    async (request, bindings) => {
      // Of the two kinds of bindings there are, a server of node:http gives these.
      const { incoming, outgoing } = bindings as HttpBindings;
      const { rawHeaders, socket } = incoming;
      const arrival = newest;
      try {
        const authority = checkTarget(request, incoming);
        const { remoteAddress } = socket;
        const abort = () => void socket.destroy();
        const connection = { rawHeaders, remoteAddress, authority, closing, abort, Response };
        return await handle(request, connection);
      } catch (error) {
        if (!(error instanceof ConnectionLost)) return respondFailure(error, arrival, log);
        loseConnection(outgoing, error.truncated);
        return RESPONSE_ALREADY_SENT;
      } finally {
        if (incoming.readableDidRead && !incoming.readableEnded) discardRest(incoming);
      }
    },
    {
      // The host of a request that names none.
      hostname: 'localhost',
      // It would cut a client that sends more than a little after its refusal, which then never reads why.
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
 * A listener of `@hono/node-server`, and the library's own `Response`, which it writes without reading a stream: a
 * quote takes half as long. The library makes its classes global; this puts the platform's back at once.
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
  return { listener, Response };
}

/** A request as Node read it, and when it came by the stopwatch. */
interface Arrival {
  readonly incoming: IncomingMessage;
  readonly since: number;
}

/**
 * Lets go what nobody read of a body that was refused half-way, as Node does with one that nobody touched:
 * a connection whose request has not ended takes no other.
 */
function discardRest(incoming: IncomingMessage): void {
  incoming.removeAllListeners('data').resume();
}

/** Ends a connection without a response, or in the middle of one. */
function loseConnection(outgoing: ServerResponse, truncated: ResponseParts | undefined): void {
  const { socket } = outgoing;
  if (!socket || socket.destroyed) return;
  if (!truncated) {
    socket.resetAndDestroy();
    return;
  }
  const { status, headers, body } = truncated;
  const bytes = Buffer.from(joinBody(body));
  outgoing.writeHead(status, { ...headers, 'content-length': bytes.length });
  outgoing.write(bytes.subarray(0, bytes.length >> 1));
  // What was written leaves first.
  socket.destroySoon();
}

/** Answers, and logs, what never reached the sandbox; and answers what it failed at. */
function respondFailure(
  error: unknown,
  arrival: Arrival | undefined,
  log: RequestLog | undefined,
): Response {
  const refusal =
    error instanceof RequestError
      ? new ControlError(400, 'The Host or the path of the request can not be read.')
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

/** `host`, `host:port`, `[IPv6]` or `[IPv6]:port`: nothing that a URL could take for its path or for a user. */
const AUTHORITY = /^(?:[a-z0-9._-]+|\[[0-9a-f:.]+\])(?::\d{1,5})?$/i;

/** A target that is a whole URL, as clients send it to a proxy. */
const ABSOLUTE_TARGET = /^https?:\/\/([^/?#]*)/;

/**
 * Refuses a request whose Host or target RFC 9112 (3.2) does not allow. Both become part of its URL, where more
 * than the name of a host would take the place of the path that was sent.
 *
 * @returns the authority that a target in absolute form names
 */
function checkTarget(
  { headers }: Request,
  { url: target = '', httpVersion }: IncomingMessage,
): string | undefined {
  // Two lines are read as one here, with a comma.
  const host = headers.get('host');
  if (host === null && httpVersion !== '1.0') throw new ControlError(400, 'There is no Host.');
  // An empty one is what RFC 9112 asks of a client whose URL names no host.
  if (host !== null && host !== '' && !isAuthority(host)) {
    throw new ControlError(400, `The Host must be ${FORMS}; ${JSON.stringify(host)} is none.`);
  }
  const authority = ABSOLUTE_TARGET.exec(target)?.[1];
  if (authority !== undefined && !isAuthority(authority)) {
    throw new ControlError(400, `A URL as target must name its host as ${FORMS}.`);
  }
  return authority;
}

const FORMS = 'host, host:port, [IPv6 address] or [IPv6 address]:port';

const isAuthority = (text: string): boolean =>
  AUTHORITY.test(text) && parseUrl(`http://${text}`) !== undefined;
