/* Answers the requests of the Worker and its objects, and reads what is left of their bodies. */

import type { Lifetime } from 'cloudflare:workers';
import { ConnectionLost } from '../api/context.ts';
import { problemOf } from '../control/control-error.ts';
import type { OpenSandbox } from '../sandbox/open-sandbox.ts';
import { wait } from '../world/clock.ts';

/** How long a 413 response waits for a client that is still sending. */
const MAX_DRAIN_MS = 5_000;
/** Bodies up to this size are read completely or not at all. */
const SMALL_BYTES = 64 * 1024;

/**
 * Handles a request with one part of the sandbox, and reads the rest of its body afterwards. Otherwise a client that is
 * still sending could neither read a refusal nor reuse its connection.
 */
export async function answer(
  { handle }: OpenSandbox,
  sent: Request,
  lifetime: Lifetime,
): Promise<Response> {
  const { request, drain } = drainable(sent);
  try {
    const response = await handle(request, {});
    // The engine would cut off a client that is still sending before it reads the response.
    if (response.status === 413) await Promise.race([drain(), wait(MAX_DRAIN_MS)]);
    return response;
  } catch (error) {
    if (!(error instanceof ConnectionLost)) throw error;
    // The client has disconnected, but the engine requires a response.
    return new Response(null, { status: 504 });
  } finally {
    lifetime.waitUntil(drain().catch(() => undefined));
  }
}

/** The same request, and a function that reads the rest of its body. */
function drainable(request: Request): { request: Request; drain(): Promise<void> } {
  const isSmall = Number(request.headers.get('content-length') ?? Number.NaN) <= SMALL_BYTES;
  if (!request.body || isSmall) {
    return {
      request,
      async drain() {
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
  return {
    request: new Request(request, { body, duplex: 'half' } as RequestInit),
    async drain() {
      while (!(await reader.read()).done);
    },
  };
}

/** The response to an error outside the sandbox. */
export function answerProblem(error: unknown, method?: string): Response {
  const problem = problemOf(error);
  if (problem.status === 500) console.error(error);
  return new Response(method === 'HEAD' ? null : JSON.stringify(problem), {
    status: problem.status,
    headers: { 'content-type': 'application/problem+json' },
  });
}
