import type { ClientRequest, IncomingMessage, InformationEvent, ServerResponse } from 'node:http';
import { MAX_BODY_BYTES } from '../../api/request.ts';
import { describeFailure } from '../../contract/client.ts';
import { systemNow } from '../../world/clock.ts';
import { receive } from './answer.ts';
import type { AskedCall, ForwardContext, ForwardedCall } from './call.ts';
import { watchConnection } from './connection.ts';
import { createCopy } from './copy.ts';
import { createGuard } from './guard.ts';
import { writeEarlyHints } from './head.ts';
import { pairsOf, requestHeaders } from './headers.ts';
import { badGateway, giveUp, ofService, refuse } from './refuse.ts';

/** Lets a call go on to the service, and its answer come back, as they are. */
export function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  context: ForwardContext,
): void {
  const { target, judge } = context;
  const accepted = createCall(incoming, outgoing, context);
  const { timed } = accepted;
  if (targetOf(incoming) === undefined) {
    refuse(accepted, judge, 400, {
      told: 'refused: the request target is not a path',
      detail: 'The request target must be a path, or an http or https URL with a path.',
    });
    return;
  }
  let upstream: ClientRequest;
  try {
    upstream = target.ask(incoming.socket, {
      method: timed.request.method,
      path: timed.request.target,
      headers: requestHeaders(incoming.rawHeaders, target.host, timed.request.method),
    });
  } catch (error) {
    // Node reads some requests that it would not write.
    const why = `can not be asked this: ${(error as Error).message}`;
    refuse(accepted, judge, 400, ofService(target, why));
    return;
  }
  const guarded = createGuard((error) => giveUp(call, context, error));
  const call: AskedCall = { ...accepted, upstream, guarded };
  sendOn(call);
  const isConnected = watchConnection(call);
  let isAnswered = false;
  const onAnswer = guarded((answer: IncomingMessage) => {
    isAnswered = true;
    receive(call, answer, context);
  });
  // A switch of protocols has an event of its own; without a listener, Node would close the connection.
  upstream.on('response', onAnswer).on('upgrade', onAnswer);
  upstream.on(
    'error',
    guarded((error: NodeJS.ErrnoException) => {
      incoming.unpipe(upstream).resume();
      if (isAnswered || outgoing.destroyed) return;
      const why = describeFailure(error);
      if (!isConnected() || error.code?.startsWith('HPE_')) return badGateway(call, context, why);
      call.tell(() => judge.pass(timed, null, `the service ${why}`));
      outgoing.socket?.resetAndDestroy();
    }),
  );
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
  const { method = 'GET', url = '/', rawHeaders } = incoming;
  const target = targetOf(incoming) ?? withoutUser(url);
  const request = { method, target, headers: rawHeaders };
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

/**
 * Path and query. A client that takes this for a proxy of another kind sends a whole URL. Undefined where there is
 * no path.
 */
export function targetOf({ method, url = '/' }: IncomingMessage): string | undefined {
  if (url === '*' && method === 'OPTIONS') return url;
  return /^(?:https?:\/\/[^/?#]*)?(\/.*)$/i.exec(url)?.[1];
}

const withoutUser = (url: string): string => url.replace(/\/\/[^/?#]*@/, '//');

/** Sends the request on as it comes. */
function sendOn({ incoming, outgoing, timed, sent, upstream, guarded }: AskedCall): void {
  upstream.on(
    'information',
    guarded(({ statusCode, rawHeaders }: InformationEvent) => {
      // HTTP/1.0 knows none of them.
      if (incoming.httpVersion === '1.0') return;
      if (statusCode === 100) outgoing.writeContinue();
      if (statusCode === 102) outgoing.writeProcessing();
      if (statusCode === 103) writeEarlyHints(outgoing, rawHeaders);
    }),
  );
  // Whoever expects 100 sends nothing until the service has read the head.
  if (incoming.headers.expect !== undefined) upstream.flushHeaders();
  if (timed.call) incoming.on('data', sent.add);
  incoming.on(
    'end',
    guarded(() => {
      const trailers = pairsOf(incoming.rawTrailers);
      if (trailers.length > 0) upstream.addTrailers(trailers);
    }),
  );
  incoming.pipe(upstream);
}
