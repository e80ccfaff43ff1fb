/* Gives schemas their names, descriptions, assumptions and examples in documents. */

import { z } from '@hono/zod-openapi';
import { type FieldMeta, metaIn } from '../api/request-fields.ts';
import type { AssumptionId } from '../world/assumptions.ts';

/** A description for the documents, with the assumptions behind it. */
export const assumed = (description: string, ...assumptions: readonly AssumptionId[]): FieldMeta =>
  assumptions.length === 0 ? { description } : { description, 'x-assumptions': assumptions };

/** The same with an example. The example of a request consists of the examples of its fields. */
export const withExample = (
  description: string,
  example: unknown,
  ...assumptions: readonly AssumptionId[]
): FieldMeta => ({
  description,
  examples: [example],
  ...(assumptions.length > 0 && { 'x-assumptions': assumptions }),
});

/**
 * A field that requests may have and that is not read, as documents show it.
 *
 * @param types the types that it usually has, the most usual first
 */
export const ignored = (
  description: string,
  assumption: AssumptionId,
  types: readonly string[] = ['string'],
) =>
  z
    .unknown()
    .optional()
    .meta({
      type: [...types, 'null'],
      description: `${description} Accepted and ignored.`,
      'x-assumptions': [assumption],
    });

/**
 * A request with the name that it has in documents.
 *
 * @param unsent fields that are left out of its example
 */
export function namedRequest<Fields extends z.ZodRawShape>(
  name: string,
  { description = '', ...meta }: FieldMeta,
  fields: Fields,
  unsent: readonly (keyof Fields)[] = [],
) {
  const example = Object.entries(fields).flatMap(([field, schema]) => {
    const [sent] = metaIn(schema, 'examples') ?? [];
    return sent === undefined || unsent.includes(field) ? [] : [[field, sent]];
  });
  return z
    .object(fields)
    .openapi(name)
    .meta({ description, examples: [Object.fromEntries(example)], ...meta });
}

/** The example of a request. */
export const exampleOf = <Request extends z.ZodType>(request: Request) =>
  request.meta()?.examples?.[0] as z.input<Request>;

/**
 * A response or a part of one, with the name that it has in documents. Its example has the fields of `value` that are
 * its own, and nulls where they may be left out.
 */
export const namedResponse = <Fields extends z.ZodRawShape>(
  name: string,
  { description = '', ...meta }: FieldMeta,
  fields: Fields,
  value?: object,
) => {
  const schema = z.strictObject(fields);
  const examples = value && { examples: [fieldsOf(schema, value, nullIfAllowed)] };
  return schema.openapi(name).meta({ description, ...examples, ...meta });
};

const nullIfAllowed = ({ _zod: { def } }: z.core.$ZodType): null | undefined =>
  def.type === 'nullable' || def.type === 'null' ? null : undefined;

/** The fields of a value that the schema has, in the order of the schema. */
export const shownOf = <S extends z.ZodType>(schema: S, value: z.output<S>) =>
  fieldsOf(schema, value) as z.output<S>;

function fieldsOf(
  schema: z.core.$ZodType,
  value: unknown,
  missing?: (field: z.core.$ZodType) => unknown,
): unknown {
  if (value === undefined) return missing?.(schema);
  if (schema instanceof z.ZodArray) {
    return (value as unknown[]).map((each) => fieldsOf(schema.element, each, missing));
  }
  if (!(schema instanceof z.ZodObject)) return value;
  const fields = Object.entries<z.core.$ZodType>(schema.shape);
  return Object.fromEntries(
    fields.map(([field, inner]) => [
      field,
      fieldsOf(inner, Reflect.get(value as object, field), missing),
    ]),
  );
}
