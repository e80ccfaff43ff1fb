import { ConnectionLost } from '../api/context.ts';
import { ControlError, problemOf } from '../control/control-error.ts';
import type { OpenSandbox } from '../open-sandbox.ts';
import { wait } from '../world/clock.ts';
import type { Lifetime } from './engine.ts';

/** How long a client is waited for that still sends what is refused. */
const MOST_SENDING_MS = 5_000;
/** A body of that length, in bytes, is read whole or not at all. */
const SMALL_BYTES = 64 * 1024;

/**
 * Answers a request from a part of the sandbox, without waiting for long for the rest of its body, which is read anyway: a
 * client that is still sending could not read the refusal otherwise, nor use its connection again.
 */
export async function answer(
  { handle }: OpenSandbox,
  sent: Request,
  lifetime: Lifetime,
): Promise<Response> {
  const { request, readRest } = readable(sent);
  try {
    const response = await handle(request, {});
    // An engine that closes the connection meanwhile would cut off whoever still sends, who then reads no answer.
    if (response.status === 413) await Promise.race([readRest(), wait(MOST_SENDING_MS)]);
    return response;
  } catch (error) {
    if (!(error instanceof ConnectionLost)) throw error;
    // Whoever was to have no answer is gone by now; the engine wants one.
    return new Response(null, { status: 504 });
  } finally {
    lifetime.waitUntil(readRest().catch(() => undefined));
  }
}

/** The same request, and what reads the rest of its body after whoever answers it. */
function readable(request: Request): { request: Request; readRest(): Promise<void> } {
  const isSmall = Number(request.headers.get('content-length') ?? Number.NaN) <= SMALL_BYTES;
  if (!request.body || isSmall) {
    return {
      request,
      async readRest() {
        if (request.body && !request.bodyUsed) await request.arrayBuffer();
      },
    };
  }
  const reader = request.body.getReader();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
    },
    { highWaterMark: 0 },
  );
  const half = { body, duplex: 'half' } as RequestInit;
  return {
    request: new Request(request, half),
    async readRest() {
      while (!(await reader.read()).done);
    },
  };
}

/** Answers what went wrong where no part of the sandbox could answer. */
export function answerProblem(error: unknown): Response {
  if (!(error instanceof ControlError)) console.error(error);
  const problem = problemOf(error);
  return Response.json(problem, {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json' },
  });
}
