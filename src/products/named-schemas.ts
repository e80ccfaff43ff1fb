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

/** A response or a part of one, with the name that it has in documents. */
export const namedResponse = <Fields extends z.ZodRawShape>(
  name: string,
  meta: FieldMeta,
  fields: Fields,
) => z.strictObject(fields).openapi(name).meta(meta);

/** The fields of a value that the schema has, in the order of the schema. */
export const shownOf = <S extends z.ZodObject>(schema: S, value: z.output<S>) =>
  Object.fromEntries(
    Object.keys(schema.shape).map((field) => [field, Reflect.get(value, field)]),
  ) as z.output<S>;
