/* Forwards a request and returns its response, both unchanged, and compares the response. */

import type { ClientRequest, IncomingMessage, InformationEvent, ServerResponse } from 'node:http';
import { promisify } from 'node:util';
import { brotliDecompress, gunzip, inflate, inflateRaw } from 'node:zlib';
import { MAX_BODY_BYTES } from '../../api/request.ts';
import { describeFailure } from '../../kit/failed-call.ts';
import type { ProxyEntry } from '../../tools/proxy/index.ts';
import { sleepUnmocked } from '../../world/clock.ts';
import { inTurn } from '../connections.ts';
import { ProxiedCall, type ProxyContext, targetOf } from './call.ts';
import {
  type Head,
  type Header,
  headOf,
  pairsOf,
  requestHeaders,
  valuesOf,
  writeEarlyHints,
  writeHead,
} from './headers.ts';

/** Forwards a request to the service and returns the response, both unchanged. */
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
    call.refuseOfService(400, `cannot be sent this request: ${(error as Error).message}`);
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
  // A protocol switch is a separate event. Without a listener, Node would close the connection.
  upstream.on('response', onAnswer).on('upgrade', onAnswer);
  upstream.on(
    'error',
    call.guarded((error: NodeJS.ErrnoException) => {
      incoming.unpipe(upstream).resume();
      if (isAnswered || outgoing.destroyed) return;
      const why = describeFailure(error);
      if (!isConnected() || error.code?.startsWith('HPE_')) return call.badGateway(why);
      call.pass(null, `the service ${why}`);
      inTurn(outgoing, (socket) => socket.resetAndDestroy());
    }),
  );
  outgoing.on('close', () => {
    if (outgoing.writableFinished) return;
    call.pass(null, 'the client disconnected before the response');
    upstream.destroy();
  });
}

/** Streams the request to the service. Returns a copy of its body. */
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
  // With `Expect: 100-continue` the client sends the body only after the service has read the head.
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

/** A copy of a streamed request body. */
export interface BodyCopy {
  size: number;
  /** The whole body; undefined if it is larger than the contract allows. */
  chunks: Buffer[] | undefined;
}

const UNKNOWN_PATH = 'the contract has no such path';

/**
 * Returns a response to the client: compared first, or streamed, or cut off where the service cut it off. Throws if its
 * head cannot be returned.
 */
export function passAnswer(call: ProxiedCall, answer: IncomingMessage, sent: BodyCopy): void {
  const { incoming, outgoing, upstream, context } = call;
  const head = headOf(answer, incoming);
  if (!upstream?.shouldKeepAlive) outgoing.shouldKeepAlive = false;
  const { maxBytes, maxMs } = context.hold;
  let held: Buffer[] = [];
  let size = 0;
  /** Aborts when the response is no longer held back. */
  const released = new AbortController();

  const writeHeld = () => {
    writeHead(incoming, outgoing, head);
    for (const chunk of held) outgoing.write(chunk);
    held = [];
  };
  // `close` follows and handles it.
  answer.on('error', () => undefined);
  answer.once('close', () => released.abort());
  answer.once(
    'close',
    call.guarded(() => {
      if (answer.complete || outgoing.destroyed) return;
      if (!outgoing.headersSent) writeHeld();
      call.cutOff();
      call.pass(head.status, 'the service cut the response off');
    }),
  );

  const collect = call.guarded((chunk: Buffer) => {
    held.push(chunk);
    size += chunk.length;
    if (size > maxBytes) stream(`the response is larger than ${inWords(maxBytes)}`);
  });
  const judgeWhole = call.guarded(() => {
    released.abort();
    return answerJudged(call, answer, head, { bytes: Buffer.concat(held), sent });
  });
  /** Streams a response without comparing it. */
  const stream = call.guarded((why: string) => {
    if (released.signal.aborted) return;
    released.abort();
    answer.off('data', collect).off('end', judgeWhole);
    writeHeld();
    answer.pipe(outgoing, { end: false });
    answer.once(
      'end',
      call.guarded(() => {
        if (!answer.complete) return;
        call.pass(head.status, why);
        end(outgoing, answer);
      }),
    );
  });

  const why = unjudgedReason(call, head);
  if (why !== undefined) {
    stream(why);
    return;
  }
  answer.on('data', collect).once('end', judgeWhole);
  void sleepUnmocked(maxMs, released.signal).then(() =>
    stream(`the response took longer than ${maxMs / 1000} s`),
  );
}

function unjudgedReason(
  { timed, context }: ProxiedCall,
  { status, headers }: Head,
): string | undefined {
  if (!timed.call) return UNKNOWN_PATH;
  if (timed.request.method === 'HEAD') return 'a response to HEAD has no body';
  if (status === 304) return 'a 304 response has no body';
  const [type = ''] = valuesOf(headers, 'content-type');
  return context.judge.passedReason(status, type);
}

const inWords = (bytes: number): string =>
  bytes >= 1_000_000 ? `${Math.floor(bytes / 1_000_000)} MB` : `${bytes} bytes`;

function end(outgoing: ServerResponse, { rawTrailers }: IncomingMessage): void {
  if (rawTrailers.length > 0) outgoing.addTrailers(pairsOf(rawTrailers) as [string, string][]);
  outgoing.end();
}

/** Compares a complete response and returns it to the client. */
async function answerJudged(
  call: ProxiedCall,
  answer: IncomingMessage,
  head: Head,
  { bytes, sent }: { readonly bytes: Buffer; readonly sent: BodyCopy },
): Promise<void> {
  const { incoming, outgoing, context } = call;
  const body = await readBody(bytes, pairsOf(answer.rawHeaders), context.hold.maxBytes);
  // The client has disconnected.
  if (outgoing.destroyed) return;
  const entry = await entryOf(call, answer, body, sent);
  // The client has disconnected.
  if (outgoing.destroyed) return;
  call.report(() => entry);
  const count = entry.differences.length;
  writeHead(incoming, outgoing, head, count > 0 ? [['Sandbox-Differences', `${count}`]] : []);
  if (bytes.length > 0) outgoing.write(bytes);
  end(outgoing, answer);
}

async function entryOf(
  { incoming, timed, context: { judge } }: ProxiedCall,
  { statusCode: status = 0, rawHeaders }: IncomingMessage,
  body: ReadBody,
  sent: BodyCopy,
): Promise<ProxyEntry> {
  const { request, call } = timed;
  if (!call) return judge.pass(timed, status, UNKNOWN_PATH);
  if ('unreadable' in body) return judge.pass(timed, status, body.unreadable);
  const headers = pairsOf(request.headers);
  const isWhole = incoming.complete && encodingsOf(headers).length === 0;
  const [declared = '0'] = valuesOf(headers, 'content-length');
  try {
    return await judge.judge(
      { ...timed, call },
      {
        ...request,
        sent: isWhole && sent.chunks ? Buffer.concat(sent.chunks) : undefined,
        sentBytes: Math.max(sent.size, Number(declared)),
        status,
        responseHeaders: rawHeaders,
        responseText: body.text,
      },
    );
  } catch (error) {
    const defect = `bug in the proxy, please report it: ${(error as Error).message}`;
    return judge.pass(timed, status, defect);
  }
}

/** The text of a body, or why it cannot be read. The reason follows "not compared: ". */
type ReadBody = { readonly text: string } | { readonly unreadable: string };

type Decode = (bytes: Buffer, options: { maxOutputLength: number }) => Promise<Buffer>;

const deflated = promisify(inflate) as Decode;

/** Some services send raw deflate as `deflate`. */
const DECODERS: Readonly<Record<string, Decode>> = {
  gzip: promisify(gunzip) as Decode,
  'x-gzip': promisify(gunzip) as Decode,
  br: promisify(brotliDecompress) as Decode,
  deflate: (bytes, options) =>
    deflated(bytes, options).catch(() => promisify(inflateRaw)(bytes, options)),
};

/** The encodings of a body, in the order in which they were applied. */
const encodingsOf = (headers: readonly Header[]): string[] =>
  valuesOf(headers, 'content-encoding')
    .flatMap((value) => value.toLowerCase().split(','))
    .map((each) => each.trim())
    .filter((each) => each !== '' && each !== 'identity');

/** Decodes a body. */
async function readBody(
  bytes: Buffer,
  headers: readonly Header[],
  maxOutputLength: number,
): Promise<ReadBody> {
  let decoded = bytes;
  for (const encoding of encodingsOf(headers).toReversed()) {
    const decoder = Object.hasOwn(DECODERS, encoding) ? DECODERS[encoding] : undefined;
    if (!decoder) return { unreadable: `the content encoding ${encoding} is not supported` };
    try {
      decoded = await decoder(decoded, { maxOutputLength });
    } catch (error) {
      const isLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
      return {
        unreadable: isLarge ? 'the response is too large' : `the response is not valid ${encoding}`,
      };
    }
  }
  return { text: new TextDecoder().decode(decoded) };
}
