/* Reads from the schema of a request what refusals and hints say of each field. */

import { z } from '@hono/zod-openapi';
import type { AssumptionId } from '../world/assumptions.ts';
import { metaIn } from './request-fields.ts';

/** A field of a request. */
interface RequestField {
  /** The fields of the object that it takes, or of the objects in its array. */
  readonly inner: RequestFields | undefined;
  /** The assumptions behind it, and behind the field that it is in. */
  readonly assumptions: readonly AssumptionId[];
  /** Says in which other words its value was accepted. */
  readonly accepted: z.GlobalMeta['x-accepted'];
  /** Whether its value counts. A field that is never read is no name to use instead of another. */
  readonly isRead: boolean;
}

/** The fields of an object by name. */
export type RequestFields = ReadonlyMap<string, RequestField>;

export const NO_FIELDS: RequestFields = new Map();

/**
 * Reads the fields of the object that a schema takes. Undefined if it takes none. It is slow compared with a call, so a
 * route does it when it is made.
 *
 * @param around the assumptions behind the field that it is in
 */
export function readFields(
  schema: z.core.$ZodType,
  around: readonly AssumptionId[] = [],
): RequestFields | undefined {
  const object = objectIn(schema);
  if (!object) return undefined;
  const fields = Object.entries<z.core.$ZodType>(object.shape);
  return new Map(
    fields.map(([name, field]) => {
      const assumptions = [...around, ...(metaIn(field, 'x-assumptions') ?? [])];
      return [
        name,
        {
          inner: readFields(field, assumptions),
          assumptions,
          accepted: metaIn(field, 'x-accepted'),
          isRead: !(field instanceof z.ZodOptional && field.unwrap() instanceof z.ZodUnknown),
        },
      ];
    }),
  );
}

/** The assumptions behind a field, which may be named with positions: `members.3.gender`. */
export function assumptionsBehind(fields: RequestFields, path = ''): readonly AssumptionId[] {
  const [name = '', ...rest] = path.split('.').filter((part) => !/^\d+$/.test(part));
  const field = fields.get(name);
  if (rest.length === 0) return field?.assumptions ?? [];
  return assumptionsBehind(field?.inner ?? NO_FIELDS, rest.join('.'));
}

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
