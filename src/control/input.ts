import * as z from 'zod/mini';
import { DomainError } from '../core/errors.ts';
import { formProblems } from '../core/form.ts';
import { MOST_LEVELS } from '../core/nesting.ts';
import { isJson, parseJson, readText } from '../http/body.ts';
import type { SandboxContext } from '../http/context.ts';
import { ControlError } from './problems.ts';
import type { ControlRequest } from './route.ts';

type Schema = z.core.$ZodType;

/** Bytes a body may have unless its call says otherwise. */
const MOST_BYTES = 1024 * 1024;

/** The input a schema makes of what was sent, or a refusal that names every problem. */
export function checked<S extends Schema>(schema: S, sent: unknown): z.output<S> {
  const parsed = z.safeParse(schema, sent);
  if (parsed.success) return parsed.data;
  const problems = formProblems(sent, parsed.error).map((line) =>
    line.startsWith('the document: unknown') ? `${line}; known: ${fieldsOf(schema)}` : line,
  );
  throw new ControlError(422, problems[0] as string, { errors: problems });
}

const fieldsOf = (schema: Schema): string =>
  schema instanceof z.ZodMiniObject ? Object.keys(schema.shape).join(', ') : '';

/** What code in this process hands in, as it would arrive over HTTP: nothing shared, nothing but JSON. */
export function overTheWire(given: unknown, mostLevels = MOST_LEVELS): unknown {
  let text: string | undefined;
  try {
    text = JSON.stringify(given);
  } catch (error) {
    throw new ControlError(422, `This can not be written as JSON: ${(error as Error).message}`);
  }
  return text === undefined ? undefined : readJson(text, mostLevels);
}

export async function readControlInput(
  c: SandboxContext,
  request: ControlRequest | undefined,
): Promise<unknown> {
  if (!request) return undefined;
  const sent = request.in === 'query' ? queryOf(c, request) : await readBody(c, request);
  return checked(request.schema(), sent);
}

/** The query, its numbers read. What is no number, or stands there twice, the schema then refuses. */
function queryOf(c: SandboxContext, { numbers = [] }: ControlRequest): Record<string, unknown> {
  const query: Record<string, unknown> = Object.fromEntries(
    Object.entries(c.req.queries()).map(([name, sent]) => [
      name,
      sent.length === 1 ? sent[0] : sent,
    ]),
  );
  for (const name of numbers) {
    const sent = query[name];
    if (typeof sent === 'string' && /^-?\d{1,15}(\.\d+)?$/.test(sent)) query[name] = Number(sent);
  }
  return query;
}

async function readBody(
  c: SandboxContext,
  { optional = false, mostBytes = MOST_BYTES, mostLevels = MOST_LEVELS }: ControlRequest,
): Promise<unknown> {
  const text = await sentText(c, mostBytes);
  if (text === '' && optional) return {};
  if (!isJson(c.req.header('content-type'))) {
    throw new ControlError(415, 'The Content-Type header must be application/json.');
  }
  return readJson(text, mostLevels);
}

async function sentText(c: SandboxContext, mostBytes: number): Promise<string> {
  try {
    return await readText(c.req.raw, mostBytes);
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    if (error.code !== 'too_large') throw new ControlError(400, error.message);
    throw new ControlError(413, `The request body must not be larger than ${mostBytes} bytes.`);
  }
}

function readJson(text: string, mostLevels: number): unknown {
  try {
    return parseJson(text, mostLevels);
  } catch (error) {
    throw error instanceof DomainError ? new ControlError(400, error.message) : error;
  }
}
