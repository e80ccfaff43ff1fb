import type { ClientRequest, IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describeFailure } from '../../check/client.ts';
import { systemNow } from '../../core/clock.ts';
import { MAX_BODY_BYTES } from '../../http/body.ts';
import { receive } from './answer.ts';
import type { ForwardContext, ForwardedCall } from './call.ts';
import { createCopy } from './copy.ts';
import { pairsOf, requestHeaders } from './headers.ts';
import { respondProblem } from './problem.ts';

/** Lets a call go on to the service, and its answer come back, as they are. */
export function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  context: ForwardContext,
): void {
  const { target, judge } = context;
  const call = createCall(incoming, outgoing, context);
  const { timed } = call;
  let upstream: ClientRequest;
  try {
    upstream = target.ask(incoming.socket, {
      method: timed.request.method,
      path: timed.request.target,
      headers: requestHeaders(incoming.rawHeaders, target.host, timed.request.method),
    });
  } catch (error) {
    // Node reads some requests that it would not write.
    refuse(call, context, 400, `can not be asked this: ${(error as Error).message}`);
    return;
  }
  sendOn(call, upstream);
  const isConnected = watchConnection(call, upstream);
  let isAnswered = false;
  upstream.on('response', (answer) => {
    isAnswered = true;
    receive(call, upstream, answer, context);
  });
  upstream.on('error', (error: NodeJS.ErrnoException) => {
    incoming.unpipe(upstream).resume();
    if (isAnswered || outgoing.destroyed) return;
    const why = describeFailure(error);
    if (!isConnected() || error.code?.startsWith('HPE_')) return refuse(call, context, 502, why);
    call.tell(() => judge.pass(timed, null, `the service ${why}`));
    outgoing.socket?.resetAndDestroy();
  });
  outgoing.on('close', () => {
    if (outgoing.writableFinished) return;
    call.tell(() => judge.pass(timed, null, 'the client went away before the answer was there'));
    upstream.destroy();
  });
}

function createCall(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  { judge, told }: ForwardContext,
): ForwardedCall {
  const { method = 'GET', rawHeaders } = incoming;
  const request = { method, target: targetOf(incoming), headers: rawHeaders };
  let isTold = false;
  return {
    incoming,
    outgoing,
    timed: { request, call: judge.callOf(request), startedAt: systemNow() },
    sent: createCopy(MAX_BODY_BYTES),
    tell(entry) {
      if (isTold) return;
      isTold = true;
      told(entry());
    },
  };
}

/** Path and query; a client that takes this for a proxy of another kind sends a whole URL. */
export const targetOf = ({ url = '/' }: IncomingMessage): string =>
  url.replace(/^https?:\/\/[^/?#]*(?=\/|$)/i, '') || '/';

/** Answers in the place of a service that can't. */
function refuse(
  { outgoing, timed, tell }: ForwardedCall,
  { target, judge }: ForwardContext,
  status: number,
  why: string,
): void {
  tell(() => judge.pass(timed, status, `the service ${why}`));
  respondProblem(outgoing, status, `${target.url} ${why}.`);
}

/** Sends the request on as it comes. */
function sendOn({ incoming, outgoing, timed, sent }: ForwardedCall, upstream: ClientRequest): void {
  upstream.on('continue', () => outgoing.writeContinue());
  upstream.on('information', ({ statusCode, headers }) => {
    if (statusCode === 102) outgoing.writeProcessing();
    if (statusCode === 103) outgoing.writeEarlyHints(headers as Record<string, string>);
  });
  // Whoever expects 100 sends nothing until the service has read the head.
  if (incoming.headers.expect !== undefined) upstream.flushHeaders();
  if (timed.call) incoming.on('data', sent.add);
  incoming.on('end', () => {
    const trailers = pairsOf(incoming.rawTrailers);
    if (trailers.length > 0) upstream.addTrailers(trailers);
  });
  incoming.pipe(upstream);
}

/** Connections to a service that end with a client's. */
const tied = new WeakSet<Socket>();

/** Tells whether there is a connection; when the service closes it, the client's, if it is idle, is closed too. */
function watchConnection(
  { incoming, outgoing }: ForwardedCall,
  upstream: ClientRequest,
): () => boolean {
  const client = incoming.socket;
  let isConnected = false;
  upstream.on('socket', (socket) => {
    if (tied.has(socket)) {
      isConnected = true;
      return;
    }
    tied.add(socket);
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
      isConnected = true;
    });
    socket.once('close', () => {
      if (outgoing.writableFinished && !busy.has(client)) client.destroySoon();
    });
  });
  busy.set(client, (busy.get(client) ?? 0) + 1);
  outgoing.once('close', () => {
    const left = (busy.get(client) ?? 1) - 1;
    if (left === 0) busy.delete(client);
    else busy.set(client, left);
  });
  return () => isConnected;
}

/** How many calls of each client's connection are under way. */
const busy = new WeakMap<Socket, number>();
