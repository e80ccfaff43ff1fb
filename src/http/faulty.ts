import { wait } from '../core/clock.ts';
import type { Fault } from '../core/faults.ts';
import type { Answer } from './sending.ts';

/** A connection that ended without an answer, because a fault wanted it so. In process, fetch rejects with it. */
export class ConnectionLost extends TypeError {
  override readonly name = 'ConnectionLost';
  constructor() {
    super('The connection was lost (fault)');
  }
}

/**
 * Whether a fault that acts before the service lets it do its work after all: a delay does, if the client
 * still waits when it is over.
 */
export async function letsWork({ effect }: Fault, signal: AbortSignal): Promise<boolean> {
  if (effect.kind !== 'delay') return false;
  await wait(effect.ms, signal);
  return !signal.aborted;
}

/** What a fault that lets no answer of the service through makes of an answer. `delay` lets it through. */
export async function disturb(
  { effect }: Fault,
  answer: Answer,
  signal: AbortSignal,
): Promise<Answer | Response> {
  switch (effect.kind) {
    case 'delay':
      await wait(effect.ms, signal);
      if (signal.aborted) throw new ConnectionLost();
      return answer;
    case 'respond':
      return {
        ...answer,
        status: effect.status,
        body: effect.body === undefined ? answer.body : JSON.stringify(effect.body),
      };
    case 'malformed':
      // Every body is an object; this one goes on after its last field, and ends.
      return { ...answer, status: 200, body: `${answer.body.slice(0, -1)},` };
    case 'truncate':
      return truncated(answer);
    case 'hang':
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      throw new ConnectionLost();
    case 'drop':
      throw new ConnectionLost();
  }
}

/** Half the body of an answer that announced all of it, then the end of the connection. */
function truncated({ status, headers, body }: Answer): Response {
  const bytes = new TextEncoder().encode(body);
  const half = bytes.subarray(0, bytes.byteLength >> 1);
  let sent = false;
  const stream = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        if (sent) return controller.error(new ConnectionLost());
        sent = true;
        controller.enqueue(half);
      },
    },
    { highWaterMark: 0 },
  );
  return new Response(stream, {
    status,
    headers: { ...headers, 'content-length': String(bytes.byteLength) },
  });
}
