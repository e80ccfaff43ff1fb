import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { getRequestListener, type HttpBindings, RequestError } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import type { ResponseParts } from '../api/context.ts';
import { ConnectionLost } from '../api/context.ts';
import { ControlError, problemOf } from '../control/control-error.ts';
import type { OpenSandbox } from '../open-sandbox.ts';
import { stopwatch } from '../world/clock.ts';
import { joinBody } from '../world/json.ts';
import type { RequestLog } from './request-log.ts';
import { checkTarget } from './request-target.ts';

/** Answers Node's requests from a sandbox. */
export function createListener(
  { handle, closing }: Pick<OpenSandbox, 'handle' | 'closing'>,
  overrideGlobalObjects: boolean,
  log: RequestLog | undefined,
): RequestListener {
  /** The newest request, for what fails before it is more than that. */
  let newest: Arrival | undefined;
  const listener = getRequestListener(
    async (request, bindings) => {
      // Of the two kinds of bindings there are, a server of node:http gives these.
      const { incoming, outgoing } = bindings as HttpBindings;
      const { rawHeaders, socket } = incoming;
      const arrival = newest;
      try {
        const authority = checkTarget(request, incoming);
        const { remoteAddress } = socket;
        const abort = () => void socket.destroy();
        const connection = { rawHeaders, remoteAddress, authority, closing, abort };
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
      overrideGlobalObjects,
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
