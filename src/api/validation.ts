import { z } from '@hono/zod-openapi';
import { createMiddleware } from 'hono/factory';
import {
  type FieldError,
  fieldError,
  type Malformed,
  refused,
  throwIfInvalid,
} from '../world/errors.ts';
import type { Settings } from '../world/settings.ts';
import type { MerchantContext, MerchantEnv } from './context.ts';
import { passAsJson } from './middlewares.ts';
import type { Operation } from './operation.ts';
import { isJson, type RouteRequest, refuseDeepNesting, stripEmpty, trimTexts } from './request.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The result of the library's validator, whose types omit the input. */
interface Result {
  readonly success: boolean;
  readonly data?: unknown;
}

/** Refuses a body that the validator cannot read, with 415, 413 or 400. */
export const requireJsonBody = createMiddleware<MerchantEnv>((c, next) => {
  if (!isJson(c.req.header('content-type'))) {
    throw refused('unsupported_media_type', 'The Content-Type header must be application/json.');
  }
  const { text, error } = c.get('call').body;
  if (error) throw error;
  refuseDeepNesting(text ?? '');
  passAsJson(c.req);
  return next();
});

/** The input of an operation as its validator reads it: without values that count as missing. */
export function validatedRequest(request: RouteRequest, settings: Settings): RouteRequest {
  const normalise = normaliserOf(request, settings);
  const read = (schema: z.ZodObject) => z.preprocess(normalise, schema) as unknown as z.ZodObject;
  const { body, query, params } = request;
  return {
    ...(body && {
      body: {
        required: true,
        content: { 'application/json': { schema: read(body.content['application/json'].schema) } },
      },
    }),
    ...(query && { query: read(query) }),
    ...(params && { params: read(params) }),
  } as RouteRequest;
}

/**
 * If a query repeats a field, the first one counts. A path stays as it is: a policy number of white space is unknown,
 * not missing.
 */
function normaliserOf({ query, params }: RouteRequest, { textTrim }: Settings) {
  const trim = textTrim === 'trim' ? trimTexts : (sent: unknown) => sent;
  if (params) return trim;
  if (query) return (sent: unknown) => stripEmpty(trim(firstValues(sent as Fields)));
  return (sent: unknown) => stripEmpty(trim(sent));
}

const firstValues = (query: Fields): Fields =>
  Object.fromEntries(
    Object.entries(query).map(([name, value]) => [name, Array.isArray(value) ? value[0] : value]),
  );

/** Refuses a request that the schema refuses, with every problem, including those of the rule. */
export function validationHook(operation: Operation, settings: Settings) {
  const normalise = normaliserOf(operation.request, settings);
  const schema = operation.inputUnder(settings);
  return ({ success, data }: Result, c: MerchantContext): void => {
    if (success) return;
    const { world, now } = c.var;
    throwInvalidRequest({ ...operation, input: schema }, { world, now }, normalise(data));
  };
}

/** Refuses a request with every problem, in the order of the specification's table. */
export function throwInvalidRequest(
  { operationId, input: schema, check }: Pick<Operation, 'operationId' | 'input' | 'check'>,
  scope: Parameters<NonNullable<Operation['check']>>[0],
  sent: unknown,
): never {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    throw refused('invalid', 'The request body must be a JSON object.', 'request-body');
  }
  const { errors } = validateFields(
    schema?.shape ?? {},
    sent as Fields,
    (input, malformed) => check?.(scope, input, malformed) ?? [],
  );
  throwIfInvalid(errors);
  throw new Error(`The schema of ${operationId} refuses what its fields accept`);
}

/** Returns the well-formed fields, and every problem in the order of the shape, including those of the rule. */
export function validateFields(
  shape: z.ZodObject['shape'],
  sent: Fields,
  check: (input: Fields, malformed: Malformed) => readonly FieldError[],
): { input: Fields; errors: FieldError[] } {
  const input: Record<string, unknown> = {};
  const malformed: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  for (const [field, schema] of Object.entries(shape)) {
    const value = Object.hasOwn(sent, field) ? sent[field] : undefined;
    const parsed = z.safeParse(schema, value);
    if (parsed.success) {
      if (parsed.data !== undefined) input[field] = parsed.data;
      continue;
    }
    if (value !== undefined) malformed[field] = value;
    const named = new Set<string>();
    for (const issue of parsed.error.issues) {
      const path = [field, ...issue.path].join('.');
      if (named.has(path)) continue;
      named.add(path);
      errors.push(fieldError(path, issue.message));
    }
  }
  errors.push(...check(input, malformed));
  return { input, errors: inOrder(errors, Object.keys(shape)) };
}

/** Orders errors by field, and errors of one field by element. */
function inOrder(errors: readonly FieldError[], fields: readonly string[]): FieldError[] {
  return errors
    .map((error) => {
      const [field = '', element] = error.field.split('.', 2);
      return { error, field: fields.indexOf(field), element: Number(element ?? -1) };
    })
    .toSorted((a, b) => a.field - b.field || a.element - b.element)
    .map(({ error }) => error);
}
