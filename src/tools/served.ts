/* The tools that a sandbox serves besides itself. Whoever starts a sandbox gives them to it. */

import type { ServedTools } from '../control/access.ts';
import { MCP_PATH } from './mcp/path.ts';

/** By path. Each is loaded on its first request. */
export const SERVED_TOOLS: ServedTools = {
  [MCP_PATH]: async () => (await import('./mcp/endpoint.ts')).mcpEndpoint,
};
