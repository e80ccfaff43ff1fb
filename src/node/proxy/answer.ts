import type { IncomingMessage } from 'node:http';
import type { ProxyEntry } from '../../contract/proxy/index.ts';
import { wait } from '../../world/clock.ts';
import type { AnsweredCall, AskedCall, ForwardContext, ForwardedCall } from './call.ts';
import { decode, encodingsOf, UnreadableBody } from './copy.ts';
import { headOf, writeHead } from './head.ts';
import { pairsOf, valuesOf } from './headers.ts';

const UNKNOWN_PATH = 'the contract has no such path';

/**
 * Passes an answer on: held until it is judged, or as it comes, or cut off where it is cut off. Throws where its
 * head can't be passed on.
 */
export function receive(asked: AskedCall, answer: IncomingMessage, context: ForwardContext): void {
  const { incoming, outgoing, timed, upstream, guarded } = asked;
  const call: AnsweredCall = { ...asked, head: headOf(answer, incoming) };
  if (!upstream.shouldKeepAlive) outgoing.shouldKeepAlive = false;
  const held: Buffer[] = [];
  // An error says what a close without an end says.
  answer.on('error', () => undefined);
  answer.on(
    'close',
    guarded(() => {
      if (answer.complete || outgoing.destroyed) return;
      if (!outgoing.headersSent) writeHead(call);
      for (const chunk of held.splice(0)) outgoing.write(chunk);
      cutOff(call);
      const { status } = call.head;
      call.tell(() => context.judge.pass(timed, status, 'the service cut the answer off'));
    }),
  );
  const why = whyUnjudged(call, answer);
  if (why === undefined) hold(call, answer, held, context);
  else {
    writeHead(call);
    stream(call, answer, why, context);
  }
}

function whyUnjudged({ timed }: ForwardedCall, { statusCode }: IncomingMessage) {
  if (!timed.call) return UNKNOWN_PATH;
  if (timed.request.method === 'HEAD') return 'an answer to HEAD has no body';
  return statusCode === 304 ? 'an answer that is not modified has no body' : undefined;
}

/** Writes what was written already, and ends the connection before the answer has ended. */
export function cutOff({ outgoing }: ForwardedCall): void {
  outgoing.flushHeaders();
  if (outgoing.socket) outgoing.socket.destroySoon();
  else outgoing.destroy();
}

/** Collects an answer until it is whole, too large, or late. */
function hold(
  call: AnsweredCall,
  answer: IncomingMessage,
  held: Buffer[],
  context: ForwardContext,
): void {
  const { maxBytes, maxMs } = context.hold;
  const done = new AbortController();
  let size = 0;
  const collect = call.guarded((chunk: Buffer) => {
    held.push(chunk);
    size += chunk.length;
    if (size > maxBytes) release(`it has more than ${inWords(maxBytes)}`);
  });
  const judgeWhole = call.guarded(() => {
    done.abort();
    return answerJudged(call, answer, Buffer.concat(held.splice(0)), context);
  });
  const release = call.guarded((why: string) => {
    if (done.signal.aborted) return;
    done.abort();
    answer.off('data', collect).off('end', judgeWhole);
    writeHead(call);
    for (const chunk of held.splice(0)) call.outgoing.write(chunk);
    stream(call, answer, why, context);
  });
  answer.on('data', collect);
  answer.once('end', judgeWhole);
  answer.once('close', () => done.abort());
  void wait(maxMs, done.signal).then(() => release(`it came in more than ${maxMs / 1000} s`));
}

const inWords = (bytes: number): string =>
  bytes >= 1_000_000 ? `${Math.floor(bytes / 1_000_000)} MB` : `${bytes} bytes`;

/** Passes on as it comes what is not judged. */
function stream(
  { outgoing, timed, tell, head, guarded }: AnsweredCall,
  answer: IncomingMessage,
  why: string,
  { judge }: ForwardContext,
): void {
  answer.pipe(outgoing, { end: false });
  answer.once(
    'end',
    guarded(() => {
      if (!answer.complete) return;
      tell(() => judge.pass(timed, head.status, why));
      end(outgoing, answer);
    }),
  );
}

function end(outgoing: ForwardedCall['outgoing'], { rawTrailers }: IncomingMessage): void {
  if (rawTrailers.length > 0) outgoing.addTrailers(pairsOf(rawTrailers));
  outgoing.end();
}

/** Judges a whole answer and passes it on. */
async function answerJudged(
  call: AnsweredCall,
  answer: IncomingMessage,
  bytes: Buffer,
  context: ForwardContext,
): Promise<void> {
  const { outgoing } = call;
  const text = await readText(bytes, answer.rawHeaders, context.hold.maxBytes);
  // Its client went away meanwhile.
  if (outgoing.destroyed) return;
  const entry = await entryOf(call, answer, text, context);
  // Its client went away meanwhile.
  if (outgoing.destroyed) return;
  call.tell(() => entry);
  const count = entry.differences.length;
  writeHead(call, count > 0 ? ['Sandbox-Differences', `${count}`] : []);
  if (bytes.length > 0) outgoing.write(bytes);
  end(outgoing, answer);
}

/** The text of a body before it was encoded, or why it can't be read. */
async function readText(
  bytes: Buffer,
  headers: readonly string[],
  maxBytes: number,
): Promise<string | UnreadableBody> {
  try {
    return new TextDecoder().decode(await decode(bytes, headers, maxBytes));
  } catch (error) {
    if (error instanceof UnreadableBody) return error;
    throw error;
  }
}

async function entryOf(
  { incoming, timed, sent }: ForwardedCall,
  { statusCode: status = 0, rawHeaders }: IncomingMessage,
  text: string | UnreadableBody,
  { judge }: ForwardContext,
): Promise<ProxyEntry> {
  const { request, call } = timed;
  if (!call) return judge.pass(timed, status, UNKNOWN_PATH);
  if (typeof text !== 'string') return judge.pass(timed, status, text.message);
  const isWhole = incoming.complete && encodingsOf(request.headers).length === 0;
  const [declared = '0'] = valuesOf(request.headers, 'content-length');
  try {
    return await judge.judge(
      { ...timed, call },
      {
        ...request,
        sent: isWhole ? sent.bytes() : undefined,
        sentBytes: Math.max(sent.size, Number(declared)),
        status,
        responseHeaders: rawHeaders,
        responseText: text,
      },
    );
  } catch (error) {
    const defect = `the proxy has a defect, please report it: ${(error as Error).message}`;
    return judge.pass(timed, status, defect);
  }
}
