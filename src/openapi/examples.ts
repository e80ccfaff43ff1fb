import { z } from '@hono/zod-openapi';
import { ok } from '../api/envelope.ts';
import type { Operation } from '../api/operation.ts';
import { paginate } from '../api/pagination.ts';
import type { Settings } from '../world/settings.ts';

/**
 * The body of a success in a sandbox with these settings, its data that of the schema's example; `address` is
 * where the call stands.
 */
export function successExample(operation: Operation, settings: Settings, address: string) {
  const { data } = operation.successUnder(settings).shape;
  const message = settings.messages.success[operation.operationId];
  return ok(operation.envelope, exampleOf(data as z.ZodType, settings, address), message);
}

/** The example of a schema: its own, or a page with one item as the call itself would make it. */
function exampleOf(schema: z.ZodType, settings: Settings, address: string): unknown {
  const own = schema.meta()?.examples?.[0];
  if (own !== undefined) return own;
  const list = schema instanceof z.ZodObject ? schema.shape.data : undefined;
  if (!(list instanceof z.ZodArray)) throw new Error(`No example for ${address}`);
  const records = [exampleOf(list.element as z.ZodType, settings, address)];
  const selection = { start: 0, end: records.length };
  return paginate(records, selection, {}, { address, settings }, (it) => it);
}
