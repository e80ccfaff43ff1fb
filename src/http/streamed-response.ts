import { takeTurn } from '../core/clock.ts';

const liveResponses = new WeakSet<Response>();

/** Marks a response whose body is made while it is read. */
export function live(response: Response): Response {
  liveResponses.add(response);
  return response;
}

/** Whether the body of a response is made while it is read. */
export const isLive = (response: Response): boolean => liveResponses.has(response);

/** A response whose body is written while it is sent: as fast as it is read, and in turns with other calls. */
export function streamText(chunks: Iterator<string>, init: ResponseInit): Response {
  const utf8 = new TextEncoder();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        for (;;) {
          await takeTurn();
          const { done, value } = chunks.next();
          if (done) return controller.close();
          if (value !== '') return controller.enqueue(utf8.encode(value));
        }
      },
      cancel: () => void chunks.return?.(),
    },
    { highWaterMark: 0 },
  );
  return live(new Response(body, init));
}
