import { ControlError, problemOf } from '../control/control-error.ts';
import { ConnectionLost } from '../http/connection-lost.ts';
import type { OpenSandbox } from '../open-sandbox.ts';

/** Answers a request from a part of the sandbox. */
export async function answer({ handle }: OpenSandbox, request: Request): Promise<Response> {
  try {
    return await handle(request, {});
  } catch (error) {
    if (!(error instanceof ConnectionLost)) throw error;
    // Whoever was to have no answer is gone by now; the engine wants one.
    return new Response(null, { status: 504 });
  }
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
