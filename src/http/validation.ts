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
    const { shape } = schema;
    if (Object.keys(sent).some((field) => !Object.hasOwn(shape, field))) {
      scope.assume('unknown-fields');
    }
    return parsed.data;
  }

  const { input, problems } = readFields(schema, body as Record<string, unknown>);
  problems.push(...(operation.check?.(scope, input) ?? []));
  const fields = Object.keys(schema.shape);
  const place = (problem: Problem) => fields.indexOf(problem.field.split('.', 1)[0] as string);
  refuse(problems.toSorted((a, b) => place(a) - place(b)));
  throw new Error(`The form of ${operation.operationId} refuses what its fields accept`);
}

/** Reads field by field: what is well formed, and what is wrong with the rest. */
function readFields(schema: z.ZodMiniObject, body: Record<string, unknown>) {
  const input: Record<string, unknown> = {};
  const problems: Problem[] = [];
  for (const [field, fieldSchema] of Object.entries(schema.shape)) {
    const value = Object.hasOwn(body, field) ? body[field] : undefined;
    const parsed = z.safeParse(fieldSchema, value);
    if (parsed.success) {
      if (parsed.data !== undefined) input[field] = parsed.data;
      continue;
    }
    const assumptions = assumptionsOf(fieldSchema);
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
  return { input, problems };
}

/** The decisions a field's schema rests on, looked for through optional and the like. */
export function assumptionsOf(schema: z.core.$ZodType): readonly AssumptionId[] {
  const own = contract.get(schema)?.['x-assumptions'];
  if (own) return own;
  const def = schema._zod.def as { innerType?: z.core.$ZodType };
  return def.innerType ? assumptionsOf(def.innerType) : [];
}
