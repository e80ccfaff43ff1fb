import * as z from 'zod/mini';
import type { AssumptionId } from '../core/assumptions.ts';
import { DomainError, type Problem, refuse } from '../core/errors.ts';
import { contract } from '../core/schema.ts';
import { withoutBlanks } from './blanks.ts';
import type { Operation, Scope } from './operation.ts';

/**
 * The input of a call, or a refusal that names every problem in the order of the specification's table.
 */
export function readInput(operation: Operation, scope: Scope, sent: unknown): unknown {
  if (!operation.request) return undefined;
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) {
    throw new DomainError('invalid', ['The request body must be a JSON object.'], ['request-body']);
  }
  const schema = operation.request.schema();
  // A policy number of white space is one nobody has, not a missing one.
  const body = operation.request.in === 'params' ? sent : withoutBlanks(sent);
  const parsed = schema.safeParse(body);
  if (parsed.success) {
    noteReading(scope, schema.shape, sent, parsed.data);
    return parsed.data;
  }

  const { input, malformed, problems } = readFields(
    schema,
    body as Record<string, unknown>,
    operation.request.requiredBy,
  );
  problems.push(...(operation.check?.(scope, input, malformed) ?? []));
  refuse(inOrder(problems, Object.keys(schema.shape)));
  throw new Error(`The form of ${operation.operationId} refuses what its fields accept`);
}

/** Notes what an answer owes to how its input was read: fields were ignored, or a word taken for another. */
function noteReading(
  scope: Scope,
  shape: z.ZodMiniObject['shape'],
  sent: object,
  read: Readonly<Record<string, unknown>>,
): void {
  let ignored = false;
  for (const field of Object.keys(sent)) {
    const form = Object.hasOwn(shape, field) ? shape[field] : undefined;
    if (!form) {
      ignored = true;
      continue;
    }
    const before = Reflect.get(sent, field);
    const after = read[field];
    if (typeof before === 'string' && typeof after === 'string' && after !== before) {
      for (const id of assumptionsOf(form)) scope.assume(id);
    }
  }
  if (ignored) scope.assume('unknown-fields');
}

/** Problems in the order of their fields, those of one field in the order of its elements. */
function inOrder(problems: readonly Problem[], fields: readonly string[]): Problem[] {
  return problems
    .map((problem) => {
      const [field = '', element] = problem.field.split('.', 2);
      return { problem, field: fields.indexOf(field), element: Number(element ?? -1) };
    })
    .toSorted((a, b) => a.field - b.field || a.element - b.element)
    .map(({ problem }) => problem);
}

/** Reads field by field: what is well formed, and what is wrong with the rest. */
function readFields(
  schema: z.ZodMiniObject,
  body: Record<string, unknown>,
  requiredBy: readonly AssumptionId[] = [],
) {
  const input: Record<string, unknown> = {};
  const malformed: Record<string, unknown> = {};
  const problems: Problem[] = [];
  for (const [field, fieldSchema] of Object.entries(schema.shape)) {
    const value = Object.hasOwn(body, field) ? body[field] : undefined;
    const parsed = z.safeParse(fieldSchema, value);
    if (parsed.success) {
      if (parsed.data !== undefined) input[field] = parsed.data;
      continue;
    }
    if (value !== undefined) malformed[field] = value;
    // What is missing is refused because it is required, whatever form it should have had.
    const assumptions = value === undefined ? requiredBy : assumptionsOf(fieldSchema);
    const said = new Set<string>();
    for (const issue of parsed.error.issues) {
      const path = [field, ...issue.path].join('.');
      if (said.has(path)) continue;
      said.add(path);
      problems.push({
        field: path,
        message: `The ${path} field ${issue.message}`,
        assumptions,
      });
    }
  }
  return { input, malformed, problems };
}

/** The decisions a field's schema rests on, looked for through optional and the like. */
export function assumptionsOf(schema: z.core.$ZodType): readonly AssumptionId[] {
  const own = contract.get(schema)?.['x-assumptions'];
  if (own) return own;
  const def = schema._zod.def as { innerType?: z.core.$ZodType };
  return def.innerType ? assumptionsOf(def.innerType) : [];
}
