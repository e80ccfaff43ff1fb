import { z } from '@hono/zod-openapi';
import type { TypedResponse } from 'hono';
import type { JSONParsed } from 'hono/utils/types';
import { streamLongText } from '../api/respond.ts';
import {
  inChunks,
  type JsonText,
  jsonPieces,
  listed,
  type SKIPPED,
  type Streamed,
  streamed,
} from '../world/json.ts';

/** A success that shows the outcome, as its document declares it. */
export const done = <S extends z.ZodType>(schema: S) => withExample(schema, exampleOf(schema));

/** The same where the outcome is a list: `{ "data": [ … ] }`. */
export const doneList = <S extends z.ZodType>(name: string, element: S) =>
  withExample(z.strictObject({ data: z.array(element) }).openapi(name), {
    data: [exampleOf(element)],
  });

type JsonResponse<Body> = Response & TypedResponse<JSONParsed<Body>, 200, 'json'>;

/** An answer whose body, if it is long, is written while it is sent: a success as JSON unless told otherwise. */
export async function streamJson<Body>(
  document: unknown,
  { status = 200, contentType = 'application/json' } = {},
): Promise<JsonResponse<Body>> {
  const chunks = inChunks(jsonPieces(document));
  const init = { status, headers: { 'content-type': contentType } };
  const response = await streamLongText(chunks, init);
  return response as JsonResponse<Body>;
}

/** A list that may be long: `{ "data": [ … ] }`, its elements made while they are sent. */
export const streamList = <Element>(
  elements: () => Iterable<Element | JsonText | Streamed | typeof SKIPPED>,
): Promise<JsonResponse<{ data: Element[] }>> => streamJson(streamed({ data: listed(elements) }));

/** A success without a body. */
export const noContent = { description: 'Done.' } as const;

const exampleOf = (schema: z.ZodType): unknown => schema.meta()?.examples?.[0];

const withExample = <S extends z.ZodType>(schema: S, example: unknown) => ({
  description: 'Done; the answer shows the outcome.',
  content: { 'application/json': { schema, example } },
});
