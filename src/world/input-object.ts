/* Schemas of objects that users write: with fields of ours, or with names of their own. */

import { z } from '@hono/zod-openapi';

/** An input object. The error of an unknown field lists the known ones. */
export const inputObject = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? `known: ${Object.keys(shape).join(', ')}` : undefined,
  });

const PROTO = '__proto__';

/** Values by names that the sender chooses. Refuses the name `__proto__`, which zod would drop without a problem. */
export function recordOf<Key extends z.ZodString, Value extends z.ZodType>(key: Key, value: Value) {
  const record = z.record(key, value);
  return z.preprocess((sent, { issues }) => {
    if (typeof sent !== 'object' || sent === null || !Object.hasOwn(sent, PROTO)) return sent;
    issues.push({
      code: 'invalid_key',
      origin: 'record',
      issues: [{ code: 'custom', message: 'another name', path: [], input: PROTO }],
      path: [PROTO],
      input: { ...sent },
    });
    return sent;
    // The types forget the input of a schema behind `preprocess`.
  }, record) as unknown as typeof record;
}
