import type { ClientRequest, IncomingMessage, InformationEvent, ServerResponse } from 'node:http';
import { MAX_BODY_BYTES } from '../../api/request.ts';
import { describeFailure } from '../../contract/client.ts';
import { type BodyCopy, passAnswer } from './answer.ts';
import { ProxiedCall, type ProxyContext, targetOf } from './call.ts';
import { pairsOf, requestHeaders, writeEarlyHints } from './headers.ts';

/** Forwards a call to the service, and its answer back, both unchanged. */
export function forward(
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  context: ProxyContext,
): void {
  const call = new ProxiedCall(incoming, outgoing, context);
  if (targetOf(incoming) === undefined) {
    call.refuse(
      400,
      'refused: the request target is not a path',
      'The request target must be a path, or an http or https URL with a path.',
    );
    return;
  }
  const { target } = context;
  const { method, target: path } = call.timed.request;
  let upstream: ClientRequest;
  try {
    const headers = requestHeaders(incoming, target.host).flat();
    upstream = target.ask(incoming.socket, { method, path, headers });
  } catch (error) {
    // Node accepts some requests that it refuses to send.
    call.refuseOfService(400, `can not be asked this: ${(error as Error).message}`);
    return;
  }
  call.upstream = upstream;
  const sent = sendOn(call, upstream);
  const isConnected = call.watchConnection(upstream);
  let isAnswered = false;
  const onAnswer = call.guarded((answer: IncomingMessage) => {
    isAnswered = true;
    passAnswer(call, answer, sent);
  });
  // A switch of protocols has an event of its own; without a listener, Node would close the connection.
  upstream.on('response', onAnswer).on('upgrade', onAnswer);
  upstream.on(
    'error',
    call.guarded((error: NodeJS.ErrnoException) => {
      incoming.unpipe(upstream).resume();
      if (isAnswered || outgoing.destroyed) return;
      const why = describeFailure(error);
      if (!isConnected() || error.code?.startsWith('HPE_')) return call.badGateway(why);
      call.pass(null, `the service ${why}`);
      outgoing.socket?.resetAndDestroy();
    }),
  );
  outgoing.on('close', () => {
    if (outgoing.writableFinished) return;
    call.pass(null, 'the client went away before the answer was there');
    upstream.destroy();
  });
}

/** Forwards the request as it comes. Returns a copy of its body. */
function sendOn(call: ProxiedCall, upstream: ClientRequest): BodyCopy {
  const { incoming, outgoing, timed } = call;
  upstream.on(
    'information',
    call.guarded(({ statusCode, rawHeaders }: InformationEvent) => {
      // HTTP/1.0 has no interim responses.
      if (incoming.httpVersion === '1.0') return;
      if (statusCode === 100) outgoing.writeContinue();
      if (statusCode === 102) outgoing.writeProcessing();
      if (statusCode === 103) writeEarlyHints(outgoing, rawHeaders);
    }),
  );
  // With `Expect: 100-continue` the body follows only after the service has read the head.
  if (incoming.headers.expect !== undefined) upstream.flushHeaders();
  const copy: BodyCopy = { size: 0, chunks: [] };
  if (timed.call) {
    incoming.on('data', (chunk: Buffer) => {
      copy.size += chunk.length;
      if (copy.size <= MAX_BODY_BYTES) copy.chunks?.push(chunk);
      else copy.chunks = undefined;
    });
  }
  incoming.on(
    'end',
    call.guarded(() => {
      const trailers = pairsOf(incoming.rawTrailers);
      if (trailers.length > 0) upstream.addTrailers(trailers as [string, string][]);
    }),
  );
  incoming.pipe(upstream);
  return copy;
}
