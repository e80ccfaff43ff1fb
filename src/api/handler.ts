/* Serves the calls of an operation: reads the input, refuses an invalid one with all its problems, runs the rule. */

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
import type { Instant } from '../world/time.ts';
import type { WorldCore } from '../world/world.ts';
import type { Call, MerchantContext } from './context.ts';
import { transactCall } from './faults.ts';
import { fieldHints, repeatedHint } from './hints.ts';
import type { Operation, RuleScope } from './operation.ts';
import { isJson, lastOfEach, TEXT_TRIM } from './request.ts';
import { createRespond } from './respond.ts';

/** Calls one rule with a valid input, and returns the data of the success. */
export type RuleCall = (scope: RuleScope, input: unknown, c: MerchantContext) => unknown;

/** Deletes the expired purchases of a World. */
export type ExpirePending = (world: WorldCore, now: Instant) => void;

/** Makes the handler of an operation. */
export function createHandler(
  operation: Operation,
  rule: RuleCall,
  expirePending: ExpirePending,
): (c: MerchantContext) => Response {
  const read = inputReader(operation);
  const respond = createRespond(operation);
  /** Returns the call of the rule. */
  const prepare = (c: MerchantContext) => {
    const scope = { world: c.get('world'), now: c.get('call').now };
    expirePending(scope.world, scope.now);
    const input = read(c, scope);
    return () => rule(scope, input, c);
  };
  return (c) => {
    // What expires because a fault lets time pass is stored with that time.
    if (c.get('call').passes !== undefined) {
      return respond(
        c,
        transactCall(c, () => prepare(c)()),
      );
    }
    const run = prepare(c);
    return respond(c, operation.readOnly ? run() : transactCall(c, run));
  };
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Returns a function that reads the input of a call. It refuses what is not JSON with 415, 413 or 400, and an invalid
 * input with every problem, including those of the rule. It notes a hint about its fields.
 */
function inputReader(operation: Operation): (c: MerchantContext, scope: RuleScope) => unknown {
  const { request, input: schema, settings } = operation;
  // A path keeps blank values: a policy number of white space is unknown, not missing.
  const { readFields, readPath } = TEXT_TRIM.of(settings);
  const hints = fieldHints(operation);
  return (c, scope) => {
    const call = c.get('call');
    if (!request.body) note(call, repeatedHint(c.req.queries()));
    const sent = request.body ? bodyOf(c) : lastOfEach(c.req.queries());
    note(call, hints.ignored(sent));
    if (!schema) return undefined;
    const fields = request.params ? readPath(c.req.param()) : readFields(sent);
    const read = schema.safeParse(fields);
    if (!read.success) return throwInvalidRequest(operation, scope, fields);
    note(call, hints.accepted(sent));
    return read.data;
  };
}

/** Adds a sentence to the hint of a call. */
function note(call: Call, hint: string | undefined): void {
  if (hint !== undefined) call.hint = call.hint === undefined ? hint : `${call.hint} ${hint}`;
}

/** The JSON of a body. */
function bodyOf(c: MerchantContext): unknown {
  if (!isJson(c.req.header('content-type'))) {
    throw refused('unsupported_media_type', 'The Content-Type header must be application/json.');
  }
  const { json, refusal } = c.get('call').body;
  if (refusal) throw refusal;
  return json;
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
