/* Reads bodies, queries and arguments of the control plane, and writes its JSON responses. */

import { type Hook, z } from '@hono/zod-openapi';
import type { Context, HonoRequest } from 'hono';
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
import { withEmptyObjects } from '../world/empty-objects.ts';
import { DomainError } from '../world/errors.ts';
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
  const input = isQuery ? withRead(data, Object.keys(data as object), readDecimal) : data;
  refuseInput(input, result.error, isQuery ? 'the query' : 'the body');
};

/** @param whole what the input is called */
function refuseInput(input: unknown, error: z.core.$ZodError, whole: string): never {
  const problems = formatIssues(input, error, { whole });
  throw new ControlError(422, problems[0] as string, problems);
}

/** Converts an argument to what would arrive over HTTP: JSON that shares nothing with the caller. */
function jsonRoundTrip(input: unknown, maxDepth = MAX_DEPTH): unknown {
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

/** Returns an object as JSON that shares nothing with the caller. Other values stay, to be refused. */
export const jsonOf = (input: unknown, maxDepth?: number): unknown =>
  isPlainObject(input) ? jsonRoundTrip(input, maxDepth) : input;

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
  /** Where it expects an object, an empty array is one. */
  readonly schema?: z.ZodType | undefined;
}

/** Reads a body for the validator. Throws 400, 413 or 415 if it is not valid JSON. */
export async function readJsonBody(
  { req }: Pick<Context, 'req'>,
  { optional = false, maxBytes = MAX_BODY_BYTES, maxDepth = MAX_DEPTH, schema }: BodyLimits = {},
): Promise<void> {
  const text = await readBody(req.raw, maxBytes);
  const isAbsent = text === '' && optional;
  if (!isAbsent && !isJson(req.header('content-type'))) {
    throw new ControlError(415, 'The Content-Type header must be application/json.');
  }
  refusing(() => refuseDeepNesting(text, maxDepth));
  // Where the validator looks first. Hono's cache of bodies holds promises.
  const read = isAbsent ? '{}' : withObjects(text, schema);
  Object.assign(req.bodyCache, { text: Promise.resolve(read) });
  passAsJson(req);
}

/** Whether a text has an empty array, outside or inside a string. */
const EMPTY_ARRAY = /\[\s*\]/;

/** The text with an object in place of an empty array that stands for one. A snapshot beyond the usual size has none. */
function withObjects(text: string, schema: z.ZodType | undefined): string {
  if (!schema || text.length > MAX_BODY_BYTES || !EMPTY_ARRAY.test(text)) return text;
  let sent: unknown;
  try {
    sent = JSON.parse(text);
  } catch {
    // The validator refuses it.
    return text;
  }
  const read = withEmptyObjects(schema, sent);
  return read === sent ? text : JSON.stringify(read);
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
  const names = Object.keys(schema.shape);
  const numbers = names.filter((name) => isOf(z.ZodNumber, schema.shape[name]));
  const flags = names.filter((name) => isOf(z.ZodBoolean, schema.shape[name]));
  return z.preprocess(
    (query) => withRead(withRead(query, numbers, readDecimal), flags, readFlag),
    schema,
  ) as unknown as S;
}

const isOf = (type: typeof z.ZodNumber | typeof z.ZodBoolean, field: unknown): boolean =>
  field instanceof type ||
  (field instanceof z.ZodOptional && isOf(type, field.unwrap())) ||
  (field instanceof z.ZodUnion && field.options.some((option) => isOf(type, option)));

function withRead(
  query: unknown,
  names: readonly string[],
  readValue: (value: unknown) => unknown,
): Record<string, unknown> {
  const read: Record<string, unknown> = { ...(query as object) };
  for (const name of names) {
    if (Object.hasOwn(read, name)) read[name] = readValue(read[name]);
  }
  return read;
}

const FLAGS: Readonly<Record<string, boolean>> = { true: true, false: false };

const readFlag = (value: unknown): unknown =>
  typeof value === 'string' && Object.hasOwn(FLAGS, value) ? FLAGS[value] : value;

const DECIMAL = /^-?\d{1,15}(\.\d+)?$/;

/** The number whose digits a text has. Anything else stays as it is. */
export const readDecimal = (value: unknown): unknown =>
  typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
