import { takeTurn } from '../world/clock.ts';

const liveResponses = new WeakSet<Response>();

/** Marks a response whose body is made while it is read. */
export function live(response: Response): Response {
  liveResponses.add(response);
  return response;
}

/** Whether the body of a response is made while it is read. */
export const isLive = (response: Response): boolean => liveResponses.has(response);

/** A response whose body is written while it is sent: as fast as it is read, and in turns with other calls. */
export function streamText(chunks: Iterable<string>, init: ResponseInit): Response {
  const utf8 = new TextEncoder();
  const rest = chunks[Symbol.iterator]();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          await takeTurn();
          const { done, value } = rest.next();
          if (done) return controller.close();
          if (value !== '') return controller.enqueue(utf8.encode(value));
        }
      },
      cancel: () => void rest.return?.(),
    },
    { highWaterMark: 0 },
  );
  return live(new Response(body, init));
}

/** The same for a text that is usually short: one of a single chunk is made at once, and sent whole. */
export async function streamLongText(
  chunks: Iterator<string>,
  init: ResponseInit,
): Promise<Response> {
  const ahead: string[] = [];
  while (ahead.length < 2) {
    await takeTurn();
    const { done, value } = chunks.next();
    if (done) return new Response(ahead.join(''), init);
    if (value !== '') ahead.push(value);
  }
  return streamText(following(ahead, chunks), init);
}

function* following(ahead: readonly string[], rest: Iterator<string>): Generator<string, void> {
  yield* ahead;
  for (;;) {
    const { done, value } = rest.next();
    if (done) return;
    yield value;
  }
}
