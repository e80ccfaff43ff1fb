/* Reads bodies, queries and arguments of the control plane. An error of theirs names every problem. */

import { z } from '@hono/zod-openapi';
import { ConnectionLost } from '../api/context.ts';
import { isJson, MAX_DEPTH, parseBody, readText } from '../api/request.ts';
import { parseWithEmptyObjects } from '../world/empty-objects.ts';
import { DomainError } from '../world/errors.ts';
import { describeValue, formatIssues, isPlainObject } from '../world/problem-texts.ts';
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
  const { data, error } = schema.safeParse(input);
  if (error) throw invalid(`${method}()`, input, error);
  return data;
}

/** The refusal of an input, with every problem. */
function invalid(name: string, input: unknown, error: z.ZodError): ControlError {
  const problems = formatIssues(input, error, name);
  return new ControlError(422, problems[0] as string, problems);
}

/** Returns an object as JSON that shares nothing with the caller. Other values stay, to be refused. */
export function jsonOf(input: unknown, maxDepth = MAX_DEPTH): unknown {
  if (!isPlainObject(input)) return input;
  let text: string;
  try {
    text = JSON.stringify(input);
  } catch (error) {
    const why = (error as Error).message;
    throw new ControlError(422, `The value cannot be converted to JSON: ${why}`);
  }
  return parseBody(text, maxDepth);
}

/** What a body may be. */
interface BodyLimits {
  readonly maxBytes?: number | undefined;
  /** Levels of nesting. */
  readonly maxDepth?: number | undefined;
}

/**
 * Reads the body of a request as its schema takes it. Where that expects an object, an empty array is one. Refuses one
 * that is not valid JSON with 400, 413 or 415. Throws 422 with every problem.
 *
 * @param isOptional whether it may be absent, which means `{}`
 */
export async function readBody<S extends z.ZodObject>(
  request: Request,
  schema: S,
  isOptional = false,
  { maxBytes, maxDepth }: BodyLimits = {},
): Promise<z.output<S>> {
  const sent = parseBody(await readJsonText(request, isOptional, maxBytes), maxDepth);
  const { data, error } = parseWithEmptyObjects(schema, sent);
  if (error) throw invalid('the body', sent, error);
  return data;
}

/** Reads the text of a body that has to be JSON by its Content-Type. Refuses another one with 413 or 415. */
export async function readJsonText(
  request: Request,
  isOptional = false,
  maxBytes?: number,
): Promise<string> {
  const text = await readText(request, maxBytes).catch((error) => {
    // The client went away in the middle of the request.
    throw error instanceof DomainError ? error : ConnectionLost.whileReading(error);
  });
  if (text === '' && isOptional) return '{}';
  if (isJson(request.headers.get('content-type'))) return text;
  throw new ControlError(415, 'The Content-Type header must be application/json.');
}

/** Reads a query, whose values are texts: converts digits where the schema expects numbers. Throws 422. */
export function readQuery<S extends z.ZodObject>(
  schema: S,
  queries: Readonly<Record<string, string[]>>,
): z.output<S> {
  const values = Object.entries(queries).map(([name, sent]) => {
    const [text = ''] = sent;
    return [name, sent.length > 1 ? sent : readValue(schema.shape[name], text)];
  });
  const query = Object.fromEntries(values);
  const { data, error } = schema.safeParse(query);
  if (error) throw invalid('the query', query, error);
  return data;
}

function readValue(field: unknown, text: string): unknown {
  if (isOf(z.ZodNumber, field)) return readDecimal(text);
  const isFlag = isOf(z.ZodBoolean, field) && (text === 'true' || text === 'false');
  return isFlag ? text === 'true' : text;
}

const isOf = (type: typeof z.ZodNumber | typeof z.ZodBoolean, field: unknown): boolean =>
  field instanceof type ||
  (field instanceof z.ZodOptional && isOf(type, field.unwrap())) ||
  (field instanceof z.ZodUnion && field.options.some((option) => isOf(type, option)));

const DECIMAL = /^-?\d{1,15}(\.\d+)?$/;

/** The number whose digits a text has. Anything else stays as it is. */
export const readDecimal = (value: unknown): unknown =>
  typeof value === 'string' && DECIMAL.test(value) ? Number(value) : value;
