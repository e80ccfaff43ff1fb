import { z } from '@hono/zod-openapi';
import type { TypedResponse } from 'hono';
import type { JSONParsed } from 'hono/utils/types';
import { createTurns } from '../core/clock.ts';
import { inChunks, jsonPieces, type Streamed } from '../core/json-pieces.ts';

/** A success that shows the outcome, as its document declares it. */
export const done = <S extends z.ZodType>(schema: S) => withExample(schema, exampleOf(schema));

/** The same where the outcome is a list: `{ "data": [ … ] }`. */
export const doneList = <S extends z.ZodType>(name: string, element: S) =>
  withExample(z.strictObject({ data: z.array(element) }).openapi(name), {
    data: [exampleOf(element)],
  });

const liveResponses = new WeakSet<Response>();

/** Marks a response whose body is made while it is read. */
export function live(response: Response): Response {
  liveResponses.add(response);
  return response;
}

/** Whether the body of a response is made while it is read. */
export const isLive = (response: Response): boolean => liveResponses.has(response);

/** A success whose body is written while it is sent, as fast as it is read. */
export function streamJson<Body>(
  document: Streamed,
): Response & TypedResponse<JSONParsed<Body>, 200, 'json'> {
  const chunks = inChunks(jsonPieces(document));
  const utf8 = new TextEncoder();
  const turn = createTurns();
  const body = new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await turn();
        const { done, value } = chunks.next();
        if (done) controller.close();
        else controller.enqueue(utf8.encode(value));
      },
    },
    { highWaterMark: 0 },
  );
  const response = live(new Response(body, { headers: { 'content-type': 'application/json' } }));
  return response as Response & TypedResponse<JSONParsed<Body>, 200, 'json'>;
}

/** A success without a body. */
export const noContent = { description: 'Done.' } as const;

const exampleOf = (schema: z.ZodType): unknown => schema.meta()?.examples?.[0];

const withExample = <S extends z.ZodType>(schema: S, example: unknown) => ({
  description: 'Done; the answer shows the outcome.',
  content: { 'application/json': { schema, example } },
});
