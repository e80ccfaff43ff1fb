import * as z from 'zod/mini';
import { contract } from '../core/schema.ts';
import { DEFAULT_SETTINGS } from '../core/settings.ts';
import { paginate } from '../http/pagination.ts';

/** The example of a schema: its own, or one made of those of its parts. */
export function exampleOf(schema: z.core.$ZodType, address: string): unknown {
  const own = contract.get(schema)?.examples?.[0];
  if (own !== undefined) return own;
  if (schema instanceof z.ZodMiniArray) return [exampleOf(schema.def.element, address)];
  if (schema instanceof z.ZodMiniObject && schema.shape.data instanceof z.ZodMiniArray) {
    return pageExample(schema.shape.data.def.element, address);
  }
  throw new Error(`No example for ${contract.get(schema)?.id}`);
}

/** A page as the call itself would make it, of a list with one item. */
function pageExample(item: z.core.$ZodType, address: string): unknown {
  const records = [exampleOf(item, address)];
  const selection = { start: 0, end: records.length };
  return paginate(records, selection, {}, { address, settings: DEFAULT_SETTINGS }, (it) => it);
}
