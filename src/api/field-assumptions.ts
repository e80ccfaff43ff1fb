/* Reads from the schema of a request which assumptions stand behind each field. */

import { z } from '@hono/zod-openapi';
import type { AssumptionId } from '../world/assumptions.ts';
import { metaIn } from './request-fields.ts';

/**
 * The assumptions behind each field of a request, by its path without positions: `members.gender`. A field inside
 * another one rests on those of both.
 */
export type FieldAssumptions = ReadonlyMap<string, readonly AssumptionId[]>;

/**
 * Reads the assumptions behind the fields of a request from their schemas. It is slow compared with a call, so a route
 * does it when it is made.
 */
export const readFieldAssumptions = (schema: z.ZodObject | undefined): FieldAssumptions =>
  new Map(schema && fieldsWithin(schema, '', []));

function* fieldsWithin(
  schema: z.ZodObject,
  above: string,
  around: readonly AssumptionId[],
): Generator<[string, readonly AssumptionId[]], void> {
  for (const [name, field] of Object.entries<z.core.$ZodType>(schema.shape)) {
    const behind = [...around, ...(metaIn(field, 'x-assumptions') ?? [])];
    yield [above + name, behind];
    const inner = objectIn(field);
    if (inner) yield* fieldsWithin(inner, `${above}${name}.`, behind);
  }
}

/** The assumptions behind a field, which may be named with positions: `members.3.gender`. */
export const assumptionsBehind = (
  fields: FieldAssumptions,
  path: string | undefined,
): readonly AssumptionId[] =>
  (path !== undefined && fields.get(path.replace(/\.\d+(?=\.|$)/g, ''))) || [];

/** The object that a schema takes, or that the elements of its array are. Undefined if it takes neither. */
export function objectIn(schema: z.core.$ZodType): z.ZodObject | undefined {
  if (schema instanceof z.ZodObject) return schema;
  const { innerType, element, in: read, out, options = [] } = schema._zod.def as SchemaParts;
  const parts = [innerType, element, read, out, ...options];
  return parts.map((part) => part && objectIn(part)).find((object) => object !== undefined);
}

/** The schemas inside an optional, an array, a pipe or a union. */
type SchemaParts = Partial<Record<'innerType' | 'element' | 'in' | 'out', z.core.$ZodType>> & {
  readonly options?: readonly z.core.$ZodType[];
};
