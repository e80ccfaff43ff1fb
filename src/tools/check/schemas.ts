/* Reads the schemas of responses: their metadata, and what is inside them. */

import { z } from '@hono/zod-openapi';
import type { AssumptionId } from '../../world/assumptions.ts';

export type Schema = z.core.$ZodType;

const metas = new WeakMap<Schema, z.GlobalMeta>();

/** The metadata of a schema, and of the schema inside a nullable, optional or similar. */
export function metaOf(schema: Schema): z.GlobalMeta {
  const known = metas.get(schema);
  if (known) return known;
  const { innerType } = schema._zod.def as { innerType?: Schema };
  const meta = Object.assign({}, innerType && metaOf(innerType), z.globalRegistry.get(schema));
  metas.set(schema, meta);
  return meta;
}

export interface Inside {
  readonly shape?: Readonly<Record<string, Schema>>;
  readonly element?: Schema;
}

/** The fields of an object or the element of a list, also inside a nullable, optional or similar. */
export function insideOf(schema: Schema | undefined): Inside {
  const def = schema?._zod.def as (Inside & { innerType?: Schema }) | undefined;
  return def?.innerType ? insideOf(def.innerType) : (def ?? {});
}

/** The assumptions about a value; without any of its own, those about what it is in. */
export const assumptionsIn = (schema: Schema | undefined, above: readonly AssumptionId[]) =>
  (schema && metaOf(schema)['x-assumptions']) ?? above;

const valued = new WeakMap<Schema, readonly AssumptionId[]>();

/** The assumptions about the single values in a body, and the order of its lists: an answer without them says nothing. */
export function valueAssumptions(schema: Schema | undefined): readonly AssumptionId[] {
  if (!schema) return [];
  const known = valued.get(schema);
  if (known) return known;
  const { shape, element } = insideOf(schema);
  const parts = shape ? Object.values(shape) : element ? [element] : [];
  const own = (!shape && metaOf(schema)['x-assumptions']) || [];
  const ids = [...own, ...parts.flatMap(valueAssumptions)];
  valued.set(schema, ids);
  return ids;
}
