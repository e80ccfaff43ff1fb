/* Refuses requests with wrong parameters: the library calls them an internal error. */

import type { z } from '@hono/zod-openapi';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { formatIssues } from '../../world/problem-texts.ts';
import type { McpServer, specTypeSchemas } from './library.ts';

export const INVALID_PARAMS = -32602;

/** The requests that the server answers, by their methods. */
const SCHEMA_NAMES = {
  initialize: 'InitializeRequest',
  'resources/list': 'ListResourcesRequest',
  'resources/read': 'ReadResourceRequest',
  'resources/templates/list': 'ListResourceTemplatesRequest',
  'tools/call': 'CallToolRequest',
  'tools/list': 'ListToolsRequest',
} as const satisfies Readonly<Record<string, keyof typeof specTypeSchemas>>;

/** Refuses each request with wrong parameters before the library reads it. */
export function checkRequests({ server }: McpServer, schemas: typeof specTypeSchemas): void {
  const connect = server.connect.bind(server);
  server.connect = async (transport) => {
    await connect(transport);
    const { onmessage } = transport;
    transport.onmessage = (message, extra) => {
      const problems = wrongParams(schemas, message);
      if (problems.length === 0 || !('id' in message)) return onmessage?.(message, extra);
      const error = { code: INVALID_PARAMS, message: `Invalid params: ${problems.join('; ')}` };
      void transport.send({ jsonrpc: '2.0', id: message.id, error });
    };
  };
}

/** Why the parameters of a request do not fit its method. */
function wrongParams(schemas: typeof specTypeSchemas, request: JSONRPCMessage): string[] {
  const method = 'method' in request ? request.method : '';
  if (!Object.hasOwn(SCHEMA_NAMES, method)) return [];
  const schema = schemas[SCHEMA_NAMES[method as keyof typeof SCHEMA_NAMES]];
  const { issues } = schema['~standard'].validate(request) as { issues?: z.core.$ZodIssue[] };
  return issues ? formatIssues(request, { issues } as z.core.$ZodError) : [];
}
