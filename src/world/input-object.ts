/* A schema of an object that users write. */

import { z } from '@hono/zod-openapi';

/** An input object. The error of an unknown field lists the known ones. */
export const inputObject = <Shape extends z.ZodRawShape>(shape: Shape) =>
  z.strictObject(shape, {
    error: ({ code }) =>
      code === 'unrecognized_keys' ? `known: ${Object.keys(shape).join(', ')}` : undefined,
  });
