/*
 * Requests as clients send them. The library refuses parameters that are null and arguments that are text, and calls
 * wrong parameters an internal error.
 */

import { z } from '@hono/zod-openapi';
import type { JSONRPCMessage } from '@modelcontextprotocol/server';
import { formatIssues } from '../../world/problem-texts.ts';
import { fitted } from './arguments.ts';
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

const ARGUMENTS = z.record(z.string(), z.unknown()).optional();

/** Fits each request before the library reads it, and refuses it if its parameters are wrong. */
export function checkRequests({ server }: McpServer, schemas: typeof specTypeSchemas): void {
  const connect = server.connect.bind(server);
  server.connect = async (transport) => {
    await connect(transport);
    const { onmessage } = transport;
    transport.onmessage = (message, extra) => {
      const request = withFittedParams(message);
      const problems = wrongParams(schemas, request);
      if (problems.length === 0 || !('id' in request)) return onmessage?.(request, extra);
      const error = { code: INVALID_PARAMS, message: `Invalid params: ${problems.join('; ')}` };
      void transport.send({ jsonrpc: '2.0', id: request.id, error });
    };
  };
}

function withFittedParams(message: JSONRPCMessage): JSONRPCMessage {
  if (!('method' in message) || !message.params) return message;
  const params = Object.fromEntries(
    Object.entries(message.params)
      .map(([name, value]) => [name, name === 'arguments' ? fitted(ARGUMENTS, value) : value])
      .filter(([, value]) => value !== null && value !== undefined),
  );
  return { ...message, params } as JSONRPCMessage;
}

/** Why the parameters of a request do not fit its method. */
function wrongParams(schemas: typeof specTypeSchemas, request: JSONRPCMessage): string[] {
  const method = 'method' in request ? request.method : '';
  if (!Object.hasOwn(SCHEMA_NAMES, method)) return [];
  const schema = schemas[SCHEMA_NAMES[method as keyof typeof SCHEMA_NAMES]];
  const { issues } = schema['~standard'].validate(request) as { issues?: z.core.$ZodIssue[] };
  return issues ? formatIssues(request, { issues } as z.core.$ZodError) : [];
}
