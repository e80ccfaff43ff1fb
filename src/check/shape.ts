import * as z from 'zod/mini';
import type { AssumptionId } from '../core/assumptions.ts';
import { expectedBy } from '../core/form.ts';
import { contract } from '../core/schema.ts';
import { at, type Json, jsonPath } from './probe.ts';

type Schema = z.core.$ZodType;

/** A place where a body has not its declared form. */
export interface Misshape {
  readonly path: string;
  readonly expected: string;
  readonly seen: unknown;
  readonly decisions: readonly AssumptionId[];
}

/** Holds a body against its declared form, both ways: what is missing, what is too much, what is of another type. */
export function misshapes(schema: Schema, body: Json): Misshape[] {
  const parsed = z.safeParse(schema, body);
  if (parsed.success) return [];
  const found = parsed.error.issues.flatMap((issue) => misshapesOf(schema, body, issue));
  // Elements of a list are mostly misshapen alike; the first stands for all.
  const told = new Set<string>();
  return found.filter(({ path, expected }) => {
    const alike = `${path.replace(/\[\d+\]/g, '[]')} ${expected}`;
    return !told.has(alike) && told.add(alike);
  });
}

function misshapesOf(schema: Schema, body: Json, issue: z.core.$ZodIssue): Misshape[] {
  const seen = at(body, issue.path.map(String).join('.'));
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      path: jsonPath([...issue.path, key]),
      expected: 'nothing: the contract has no such field',
      seen: seen?.[key],
      decisions: [],
    }));
  }
  const declared = declaredAt(schema, issue.path).map((each) => contract.get(each));
  // A fixed value is a check, and its only example.
  const fixed = declared.at(-1)?.examples?.[0];
  return [
    {
      path: jsonPath(issue.path),
      expected:
        issue.code === 'custom' && fixed !== undefined ? JSON.stringify(fixed) : expectedBy(issue),
      seen,
      decisions: declared.find((meta) => meta?.['x-assumptions'])?.['x-assumptions'] ?? [],
    },
  ];
}

/** The schema of a place, and those it wraps. */
function declaredAt(schema: Schema, path: readonly PropertyKey[]): Schema[] {
  let found = unwrapped(schema);
  for (const key of path) {
    const innermost = found.at(-1) as Schema;
    const { shape, element } = innermost._zod.def as {
      shape?: Record<PropertyKey, Schema>;
      element?: Schema;
    };
    const next = typeof key === 'number' ? element : shape?.[key];
    if (!next) return [];
    found = unwrapped(next);
  }
  return found;
}

/** A schema and what it wraps: nullable, optional and the like. */
function unwrapped(schema: Schema): Schema[] {
  const { innerType } = schema._zod.def as { innerType?: Schema };
  return innerType ? [schema, ...unwrapped(innerType)] : [schema];
}
