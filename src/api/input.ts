/* Reads the input of a call, and refuses an invalid one with all its problems. */

import { z } from '@hono/zod-openapi';
import {
  DomainError,
  type FieldError,
  fieldError,
  type Malformed,
  refused,
  throwIfInvalid,
} from '../world/errors.ts';
import { ruleOf } from '../world/rules.ts';
import type { MerchantCall } from './context.ts';
import { ignoredHint, noteFields, repeatedHint } from './hints.ts';
import { NO_FIELDS } from './known-fields.ts';
import type { Operation, RuleScope } from './operation.ts';
import { isJson, lastOfEach, TEXT_TRIM } from './request.ts';

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns a function that reads the input of a call. It refuses what is not JSON with 415, 413 or 400, and an invalid
 * input with every problem, including those of the rule. It adds to the hint what there is to say of its fields.
 */
export function inputReader(operation: Operation): (call: MerchantCall) => unknown {
  const { request, input: schema, settings } = operation;
  // A path keeps blank values: a policy number of white space is unknown, not missing.
  const { readFields, readPath } = TEXT_TRIM.of(settings);
  const known = request.params ? NO_FIELDS : operation.fields;
  return (call) => {
    const sent = request.body ? bodyOf(call) : queryOf(call);
    const { ignored, accepted } = noteFields(sent, known);
    if (ignored.length > 0 && !Array.isArray(sent)) addHint(call, ignoredHint(ignored));
    if (!schema) return undefined;
    const fields = request.params ? readPath(call.req.param()) : readFields(sent);
    const read = schema.safeParse(fields);
    if (!read.success) return throwInvalidRequest(operation, call, fields);
    // One of each kind in a list.
    if (accepted.length > 0) addHint(call, [...new Set(accepted)].join(' '));
    return read.data;
  };
}

/** Adds a sentence to the hint of a call. */
function addHint(call: MerchantCall, sentence: string): void {
  call.hint = call.hint === undefined ? sentence : `${call.hint} ${sentence}`;
}

/** The JSON of a body. */
function bodyOf({ req, body: { json, refusal } }: MerchantCall): unknown {
  if (!isJson(req.header('content-type'))) {
    throw refused('unsupported_media_type', 'The Content-Type header must be application/json.');
  }
  if (refusal) throw refusal;
  return json;
}

/** The parameters of a query, each with its last value. */
function queryOf(call: MerchantCall): Fields {
  const queries = call.req.queries();
  for (const name in queries) {
    if ((queries[name] as string[]).length === 1) continue;
    addHint(call, repeatedHint(name));
    break;
  }
  return lastOfEach(queries);
}

/** Refuses a request with every problem, in the order of the specification's table. */
function throwInvalidRequest(
  { operationId, input: schema, check }: Operation,
  scope: RuleScope,
  sent: unknown,
): never {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    const message = 'The request body must be a JSON object.';
    throw new DomainError('invalid', [{ rule: 'type', message, assumptions: ['request-body'] }]);
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
    const parsed = z.safeParse(schema, value, { reportInput: true });
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
      errors.push(fieldError(path, ruleOf(issue), issue.message));
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
