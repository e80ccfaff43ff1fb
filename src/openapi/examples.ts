import { z } from '@hono/zod-openapi';
import { ok } from '../http/envelope.ts';
import type { Operation } from '../http/operation.ts';
import { paginate } from '../http/pagination.ts';
import { DEFAULT_SETTINGS } from '../products/world.ts';

/** The body of a success, its data that of the schema's example; `address` is where the call stands. */
export const successExample = ({ envelope, success }: Operation, address: string) =>
  ok(envelope, exampleOf(success.shape.data as z.ZodType, address));

/** The example of a schema: its own, or a page with one item as the call itself would make it. */
function exampleOf(schema: z.ZodType, address: string): unknown {
  const own = schema.meta()?.examples?.[0];
  if (own !== undefined) return own;
  const list = schema instanceof z.ZodObject ? schema.shape.data : undefined;
  if (!(list instanceof z.ZodArray)) throw new Error(`No example for ${address}`);
  const records = [exampleOf(list.element as z.ZodType, address)];
  const selection = { start: 0, end: records.length };
  return paginate(records, selection, {}, { address, settings: DEFAULT_SETTINGS }, (it) => it);
}
