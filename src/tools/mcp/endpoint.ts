/* The MCP server over HTTP, as a path of the sandbox. */

import { type Context, Hono } from 'hono';
import { foreignOriginOf } from '../../api/cors.ts';
import { bearerKey } from '../../api/request.ts';
import {
  type ControlEnv,
  DEMO_KEY,
  foreignCallerOf,
  isAdmin,
  refusalOfPage,
  type SandboxApp,
} from '../../control/access.ts';
import { announceCall, renderError, respondProblem } from '../../control/app.ts';
import { ControlError } from '../../control/control-error.ts';
import { readJsonBody } from '../../control/json.ts';
import { findByKey } from '../../world/merchants.ts';
import type { McpHost } from './host.ts';
import { createMcpServer } from './server.ts';

/**
 * Streamable HTTP without sessions: each POST has a server of its own, which calls the control plane as the caller of
 * the POST.
 */
export const mcpEndpoint = (sandbox: SandboxApp): SandboxApp =>
  new Hono<ControlEnv>()
    .use(announceCall)
    .post('*', async (c) => {
      await readJsonBody(c);
      const host = hostFor(c, sandbox);
      const { createMcpHandler } = await import('./library.ts');
      const handler = createMcpHandler(() => createMcpServer(host));
      const { url, headers, signal } = c.req.raw;
      const body = await c.req.text();
      return handler.fetch(new Request(url, { method: 'POST', headers, body, signal }));
    })
    .all('*', (c) => {
      const { problem } = new ControlError(
        405,
        `${c.req.path} supports POST, not ${c.req.method}.`,
      );
      return respondProblem(c, problem, { Allow: 'POST' });
    })
    .onError(renderError);

/** This sandbox, called by whoever sent the POST. */
function hostFor(c: Context<ControlEnv>, sandbox: SandboxApp): McpHost {
  const { publicUrl, connection } = c.env;
  const caller = callerOf(c);
  const { remoteAddress, authority, closing } = connection;
  const inner = { remoteAddress, authority, ...(closing && { closing }) };
  // The guards of the control plane judge the address that the caller used.
  const base = new URL(c.req.url).origin;
  return {
    url: publicUrl ?? base,
    base,
    ...caller,
    fetch: async (request) => sandbox.fetch(request, { ...c.env, connection: inner }),
  };
}

/** The merchant and the rights of a caller. Throws 401, and 403 for pages of other sites. */
function callerOf({ env, req }: Context<ControlEnv>): Pick<McpHost, 'key' | 'adminToken'> {
  const { adminToken, byKey } = env.merchants;
  const origin = foreignOriginOf(req.raw);
  if (origin !== undefined) throw refusalOfPage(origin);
  const authorization = req.header('authorization');
  const demo = byKey.has(DEMO_KEY) ? DEMO_KEY : undefined;
  if (adminToken !== undefined && isAdmin(adminToken, authorization)) {
    return { key: demo, adminToken };
  }
  const key = bearerKey(authorization);
  if (findByKey(env.merchants, key)) return { key, adminToken: undefined };
  const isLocal = foreignCallerOf(env.connection, req.raw) === undefined;
  if (authorization === undefined && isLocal) return { key: demo, adminToken: undefined };
  throw new ControlError(
    401,
    "A merchant's API key is required: Authorization: Bearer <key>. Without one, this works from this machine only, as localhost or 127.0.0.1.",
  );
}
