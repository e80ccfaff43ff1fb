import { z } from '@hono/zod-openapi';
import type { AssumptionId } from '../world/assumptions.ts';
import { DomainError, type FieldError, type Malformed, throwIfInvalid } from '../world/errors.ts';
import { noteCoercions, noteRefused } from './coercions.ts';
import type { MerchantContext } from './context.ts';
import type { Operation, RuleScope } from './operation.ts';
import { assumptionsOf } from './request-fields.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What a schema made of what was sent. */
type Result = { readonly success: true; readonly data: unknown } | { readonly success: false };

/**
 * What happens once a route's schema has judged a request: a refusal that names every problem, those of
 * the rule too, or a note of what the response will rest on.
 */
export const validationHook =
  (operation: Operation) =>
  (result: Result, c: MerchantContext): void => {
    const { input: sent = pathFields(c), noted } = c.get('call');
    if (!result.success) {
      const scope = { world: c.get('world'), now: c.get('now') };
      throwInvalidRequest(operation, scope, sent.stripped, sent.raw, noted);
    }
    noteCoercions(operation, sent.raw, result.data as Fields, noted);
  };

/** What a path carries is taken as it is: a policy number of white space is one nobody has, not a missing one. */
const pathFields = (c: MerchantContext) => ({ raw: c.req.param(), stripped: c.req.param() });

/** Refuses a request with every problem, in the order of the specification's table. */
export function throwInvalidRequest(
  { operationId, input: schema, requiredBy = [], check }: Operation,
  scope: RuleScope,
  sent: unknown,
  raw: Fields = {},
  noted: AssumptionId[] = [],
): never {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    throw new DomainError('invalid', ['The request body must be a JSON object.'], ['request-body']);
  }
  const judge = (input: Fields, malformed: Malformed) => check?.(scope, input, malformed) ?? [];
  const { errors } = validateFields(schema?.shape ?? {}, sent as Fields, judge, requiredBy);
  noteRefused(errors, raw, noted);
  throwIfInvalid(errors);
  throw new Error(`The schema of ${operationId} refuses what its fields accept`);
}

/** What fields say that are well formed, and every problem, those that a rule finds too, in the order of the shape. */
export function validateFields(
  shape: z.ZodObject['shape'],
  sent: Fields,
  check: (input: Fields, malformed: Malformed) => readonly FieldError[],
  requiredBy: readonly AssumptionId[] = [],
): { input: Fields; errors: FieldError[] } {
  const { input, malformed, errors } = parseFields(shape, sent, requiredBy);
  errors.push(...check(input, malformed));
  return { input, errors: inOrder(errors, Object.keys(shape)) };
}

/** Parses field by field: what is well formed, and what is wrong with the rest. */
function parseFields(
  shape: z.ZodObject['shape'],
  sent: Fields,
  requiredBy: readonly AssumptionId[],
) {
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
    // What is missing is refused because it is required, whatever form it should have had.
    const basis = value === undefined ? requiredBy : wholeBasisOf(schema);
    const named = new Set<string>();
    for (const issue of parsed.error.issues) {
      const path = [field, ...issue.path].join('.');
      if (named.has(path)) continue;
      named.add(path);
      const assumptions = basisOf(issue) ?? basis;
      errors.push({ field: path, message: `The ${path} field ${issue.message}`, assumptions });
    }
  }
  return { input, malformed: malformed as Malformed, errors };
}

/** Rows behind single demands of a field: an error rests on them only where its demand says so itself. */
const OF_SINGLE_DEMANDS: readonly AssumptionId[] = ['encoding', 'date-limits'];

/** The assumptions that a field rests on as a whole. */
export const wholeBasisOf = (schema: z.core.$ZodType): AssumptionId[] =>
  assumptionsOf(schema).filter((id) => !OF_SINGLE_DEMANDS.includes(id));

/** The assumptions that a schema gives to one of its demands. */
const basisOf = (issue: z.core.$ZodIssue): readonly AssumptionId[] | undefined =>
  issue.code === 'custom' ? issue.params?.assumptions : undefined;

/** Errors in the order of their fields, those of one field in the order of its elements. */
function inOrder(errors: readonly FieldError[], fields: readonly string[]): FieldError[] {
  return errors
    .map((error) => {
      const [field = '', element] = error.field.split('.', 2);
      return { error, field: fields.indexOf(field), element: Number(element ?? -1) };
    })
    .toSorted((a, b) => a.field - b.field || a.element - b.element)
    .map(({ error }) => error);
}
