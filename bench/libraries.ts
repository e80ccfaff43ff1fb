/* The libraries that the package cannot do without, used once: what an import of it takes at least. */

import { OpenAPIHono, z } from '@hono/zod-openapi';

export const used = [new OpenAPIHono(), z.string()];
