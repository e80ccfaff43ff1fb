/* Reads bodies, queries and arguments of the control plane, and writes its JSON responses. */

import { type Hook, z } from '@hono/zod-openapi';
import type { Context, HonoRequest, TypedResponse } from 'hono';
import type { JSONParsed } from 'hono/utils/types';
import { ConnectionLost } from '../api/context.ts';
import {
  isJson,
  JSON_TYPE,
  jsonBody,
  MAX_BODY_BYTES,
  MAX_DEPTH,
  parseJson,
  readText,
  refuseDeepNesting,
} from '../api/request.ts';
import { streamLongText } from '../api/respond.ts';
import { DomainError } from '../world/errors.ts';
import {
  inChunks,
  type JsonText,
  jsonPieces,
  listed,
  type SKIPPED,
  type Streamed,
  streamed,
} from '../world/json.ts';
import { describeValue, formatIssues, isPlainObject } from '../world/problem-texts.ts';
import type { ControlEnv } from './access.ts';
import { ControlError } from './control-error.ts';

/**
 * Parses the object that a method takes. A Date, a Map or another instance has no fields of its own, and would pass as
 * an empty object. Throws 422 with every problem.
 *
 * @param takes what the method takes, if that is more than an object with the fields of the schema
 */
export function parseArgument<S extends z.ZodObject>(
  method: string,
  schema: S,
  input: unknown,
  takes = `an object with ${Object.keys(schema.shape).join(', ')}`,
): z.output<S> {
  if (!isPlainObject(input)) {
    throw new ControlError(422, `${method}() takes ${takes}; got ${describeValue(input)}.`);
  }
  const parsed = schema.safeParse(input);
  return parsed.success ? parsed.data : refuseInput(input, parsed.error, `${method}()`);
}

/** Throws 422 with every problem of an input that a route's validator has parsed. */
export const validationHook: Hook<unknown, ControlEnv, string, unknown> = (result) => {
  if (result.success) return;
  // The library's types omit the input.
  const { data } = result as { data?: unknown };
  const isQuery = result.target === 'query';
  const input = isQuery ? withNumbers(data, Object.keys(data as object)) : data;
  refuseInput(input, result.error, isQuery ? 'the query' : 'the body');
};

/** @param whole what the input is called */
function refuseInput(input: unknown, error: z.core.$ZodError, whole: string): never {
  const problems = formatIssues(input, error, { whole });
  throw new ControlError(422, problems[0] as string, { errors: problems });
}

/** Converts an argument to what would arrive over HTTP: JSON that shares nothing with the caller. */
export function jsonRoundTrip(input: unknown, maxDepth = MAX_DEPTH): unknown {
  let text: string | undefined;
  try {
    text = JSON.stringify(input);
  } catch (error) {
    throw new ControlError(
      422,
      `The value cannot be converted to JSON: ${(error as Error).message}`,
    );
  }
  return text === undefined ? undefined : refusing(() => parseJson(text, maxDepth));
}

/** A JSON body that may be absent, which means `{}`. */
export const optionalJsonBody = <S extends z.ZodObject>(schema: S) => ({
  body: { ...jsonBody(schema).body, required: false as const },
});

/** What a body may be. */
export interface BodyLimits {
  /** Whether it may be absent. */
  readonly optional?: boolean;
  readonly maxBytes?: number;
  /** Levels of nesting. */
  readonly maxDepth?: number;
}

/** Reads a body for the validator. Throws 400, 413 or 415 if it is not valid JSON. */
export async function readJsonBody(
  { req }: Pick<Context, 'req'>,
  { optional = false, maxBytes = MAX_BODY_BYTES, maxDepth = MAX_DEPTH }: BodyLimits = {},
): Promise<void> {
  const text = await readBody(req.raw, maxBytes);
  const isAbsent = text === '' && optional;
  if (!isAbsent && !isJson(req.header('content-type'))) {
    throw new ControlError(415, 'The Content-Type header must be application/json.');
  }
  refusing(() => refuseDeepNesting(text, maxDepth));
  // Where the validator looks first. Hono's cache of bodies holds promises.
  Object.assign(req.bodyCache, { text: Promise.resolve(isAbsent ? '{}' : text) });
  passAsJson(req);
}

/**
 * Shows the validator a plain Content-Type, once a body counts as JSON. Its own check refuses types that RFC 9110
 * allows, such as `application/json;`.
 */
function passAsJson(request: HonoRequest): void {
  const { headers } = request.raw;
  if (headers.get('content-type') === JSON_TYPE) return;
  const header = (name: string) =>
    name.toLowerCase() === 'content-type' ? JSON_TYPE : (headers.get(name) ?? undefined);
  Object.assign(request, { header });
}

async function readBody(request: Request, maxBytes: number): Promise<string> {
  try {
    return await readText(request, maxBytes);
  } catch (error) {
    // The client went away in the middle of the request.
    if (!(error instanceof DomainError)) throw ConnectionLost.whileReading(error);
    if (error.code !== 'too_large') throw new ControlError(400, error.message);
    throw new ControlError(413, `The request body must not be larger than ${maxBytes} bytes.`);
  }
}

function refusing<Result>(read: () => Result): Result {
  try {
    return read();
  } catch (error) {
    throw error instanceof DomainError ? new ControlError(400, error.message) : error;
  }
}

/** Adapts a schema to a query, whose values are texts: converts digits where the schema expects numbers. */
export function fromQuery<S extends z.ZodObject>(schema: S): S {
  const numbers = Object.keys(schema.shape).filter((name) => isNumber(schema.shape[name]));
  return z.preprocess((query) => withNumbers(query, numbers), schema) as unknown as S;
}

const isNumber = (field: unknown): boolean =>
  field instanceof z.ZodNumber || (field instanceof z.ZodOptional && isNumber(field.unwrap()));

function withNumbers(query: unknown, names: readonly string[]): unknown {
  const read: Record<string, unknown> = { ...(query as object) };
  for (const name of names) {
    if (Object.hasOwn(read, name)) read[name] = readDecimal(read[name]);
  }
  return read;
}

const DECIMAL = /^-?\d{1,15}(\.\d+)?$/;

/** The number whose digits a text has. Anything else stays as it is. */
export const readDecimal = (value: unknown): unknown =>
  typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;

/** A successful response with a body. */
export const done = <S extends z.ZodType>(schema: S) => withExample(schema, exampleOf(schema));

/** A successful response with a list: `{ "data": [ … ] }`. */
export const doneList = <S extends z.ZodType>(name: string, element: S) =>
  withExample(z.strictObject({ data: z.array(element) }).openapi(name), {
    data: [exampleOf(element)],
  });

type JsonResponse<Body> = Response & TypedResponse<JSONParsed<Body>, 200, 'json'>;

/** A response whose body is streamed if it is long. Default: status 200, JSON. */
export async function streamJson<Body>(
  document: unknown,
  { status = 200, contentType = 'application/json' } = {},
): Promise<JsonResponse<Body>> {
  const chunks = inChunks(jsonPieces(document));
  const init = { status, headers: { 'content-type': contentType } };
  const response = await streamLongText(chunks, init);
  return response as JsonResponse<Body>;
}

/** A streamed text. Its type fits routes that return JSON otherwise. */
export async function streamPlainText(
  pieces: Iterable<string>,
): Promise<Response & TypedResponse<never, 200, 'json'>> {
  const init = { headers: { 'content-type': 'text/plain; charset=utf-8' } };
  return (await streamLongText(inChunks(pieces), init)) as never;
}

/** A streamed list: `{ "data": [ … ] }`. Elements are made while they are sent. */
export const streamList = <Element>(
  elements: () => Iterable<Element | JsonText | Streamed | typeof SKIPPED>,
): Promise<JsonResponse<{ data: Element[] }>> => streamJson(streamed({ data: listed(elements) }));

/** A successful response without a body. */
export const noContent = { description: 'Done.' } as const;

const exampleOf = (schema: z.ZodType): unknown => schema.meta()?.examples?.[0];

const withExample = <S extends z.ZodType>(schema: S, example: unknown) => ({
  description: 'Done. The body shows the result.',
  content: { 'application/json': { schema, example } },
});
