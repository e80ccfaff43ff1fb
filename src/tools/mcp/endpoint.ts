/* The MCP server over HTTP, as a path of the sandbox. */

import { type Context, Hono } from 'hono';
import { foreignOriginOf } from '../../api/cors.ts';
import { bearerKey } from '../../api/request.ts';
import {
  type ControlEnv,
  DEMO_KEY,
  foreignReason,
  isAdmin,
  pageReason,
  type SandboxApp,
} from '../../control/access.ts';
import { announceCall, renderError, respondProblem } from '../../control/app.ts';
import { ControlError } from '../../control/control-error.ts';
import { readJsonText } from '../../control/json.ts';
import { findByKey, unknownKeyReason } from '../../world/merchant-keys.ts';
import type { McpHost } from './host.ts';
import { BATCH_REVISION, type MessageError, readMessages } from './messages.ts';
import { createMcpServer } from './server.ts';

/**
 * Streamable HTTP without sessions: each POST has a server of its own, which calls the control plane as the caller of
 * the POST.
 */
export const mcpEndpoint = (sandbox: SandboxApp): SandboxApp =>
  new Hono<ControlEnv>()
    .use(announceCall)
    .post('*', async (c) => {
      const text = await readJsonText(c.req.raw);
      const host = hostFor(c, sandbox);
      const reading = readMessages(text, c.req.header('mcp-protocol-version') ?? BATCH_REVISION);
      const isBatch = 'batch' in reading;
      const read = isBatch ? reading.batch : [reading];
      const errors = read.flatMap((each) => ('error' in each ? [each.error] : []));
      const messages = read.flatMap((each) => ('message' in each ? [each.message] : []));
      if (messages.length === 0) return c.json(isBatch ? errors : errors[0], 400);
      const parsedBody = isBatch ? messages : messages[0];
      const { createMcpHandler } = await import('./library.ts');
      const handler = createMcpHandler(() => createMcpServer(host));
      const { url, headers } = c.req.raw;
      const asksFor = headers.get('accept');
      const request = new Request(url, { method: 'POST', headers });
      if (!acceptsJson(asksFor)) return handler.fetch(request, { parsedBody });
      request.headers.set('accept', LIBRARY_ACCEPTS);
      const response = await handler.fetch(request, { parsedBody });
      if (acceptsStream(asksFor) && errors.length === 0) return response;
      return asJson(response, isBatch ? errors : undefined);
    })
    .all('*', (c) => {
      const { path, method } = c.req;
      const refusal = new ControlError(405, `${path} supports POST, not ${method}.`);
      return respondProblem(c, refusal, { Allow: 'POST' });
    })
    .onError(renderError);

/* What clients accept. The library answers only those that name both of its types. */

const LIBRARY_ACCEPTS = 'application/json, text/event-stream';
const EVENT_STREAM = 'text/event-stream';

/** The types in an Accept header, without those of quality 0. */
const typesIn = (accept: string): string[] =>
  accept
    .split(',')
    .filter((part) => !/;\s*q=0(?:\.0*)?\s*(?:;|$)/i.test(part))
    .map((part) => part.split(';', 1)[0]?.trim().toLowerCase() ?? '');

const acceptsJson = (accept: string | null): boolean =>
  accept === null ||
  typesIn(accept).some((type) => ['application/json', 'application/*', '*/*'].includes(type));

const acceptsStream = (accept: string | null): boolean =>
  accept !== null && typesIn(accept).includes(EVENT_STREAM);

/**
 * The messages of a stream as JSON: a client that names JSON alone reads nothing else.
 *
 * @param errors of a batch, which is answered by a batch with them
 */
async function asJson(response: Response, errors?: readonly MessageError[]): Promise<Response> {
  const isStream = response.headers.get('content-type')?.startsWith(EVENT_STREAM);
  // Notifications alone have no answer, but errors beside them do.
  const isAnswer = isStream || (response.ok && errors !== undefined && errors.length > 0);
  if (!isAnswer) return response;
  const messages = [...(await response.text()).matchAll(/^data: ?(\{.*)$/gm)].map(
    ([, message]) => message,
  );
  const answers = [...(errors ?? []).map((error) => JSON.stringify(error)), ...messages];
  const body = errors || answers.length > 1 ? `[${answers.join(',')}]` : answers[0];
  return new Response(body, { headers: { 'content-type': 'application/json' } });
}

/** POSTs whose tools wait. Node aborts the signal of a request only while something holds the request. */
const waiting = new Set<Request>();

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
    signal: c.req.raw.signal,
    async fetch(request) {
      waiting.add(c.req.raw);
      try {
        return await sandbox.fetch(request, { ...c.env, connection: inner });
      } finally {
        waiting.delete(c.req.raw);
      }
    },
  };
}

/** The merchant and the rights of a caller. Throws 401, and 403 for pages of other sites. */
function callerOf({ env, req }: Context<ControlEnv>): Pick<McpHost, 'key' | 'adminToken'> {
  const { adminToken, byKey } = env.merchants;
  const origin = foreignOriginOf(req.raw);
  if (origin !== undefined) throw new ControlError(403, pageReason(origin));
  const authorization = req.header('authorization');
  const demo = byKey.has(DEMO_KEY) ? DEMO_KEY : undefined;
  if (adminToken !== undefined && isAdmin(adminToken, authorization)) {
    return { key: demo, adminToken };
  }
  const key = bearerKey(authorization);
  if (findByKey(env.merchants, key)) return { key, adminToken: undefined };
  if (key !== undefined) throw new ControlError(401, unknownKeyReason(env.merchants, key));
  const isLocal = foreignReason(env.connection, req.raw) === undefined;
  if (authorization === undefined && isLocal) return { key: demo, adminToken: undefined };
  throw new ControlError(
    401,
    "A merchant's API key is required: Authorization: Bearer <key>. Without one, this works from this machine only, as localhost or 127.0.0.1.",
  );
}
