import { CONTROL_PATH } from '../control/api.ts';
import type { ControlStatus } from '../control/problems.ts';
import type { ControlRoute } from '../control/route.ts';
import { controlRoutes } from '../control/routes.ts';
import type { Component } from '../core/schema.ts';
import { SERVER } from './operation.ts';
import { type Direction, type Json, refTo, writeComponent, writeSchema } from './schemas.ts';

/** The document of the control plane. */
export function createControlDocument(version: string): Json {
  const paths: Record<string, Json> = {};
  for (const route of controlRoutes) {
    const path = CONTROL_PATH + route.path.replace(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [route.method]: writeRoute(route) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Micro-insurance sandbox control plane',
      version,
      summary: 'Move time, break calls, look at what was asked, start again.',
      description: DESCRIPTION,
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: SERVER, description: 'A sandbox on this machine.' }],
    tags: [
      { name: TAGS.world, description: 'The World of the merchant whose key is sent.' },
      { name: TAGS.sandbox, description: 'All merchants of the sandbox.' },
    ],
    paths,
    components: {
      securitySchemes: {
        merchantKey: { type: 'http', scheme: 'bearer', description: 'The API key of a merchant.' },
        adminToken: {
          type: 'http',
          scheme: 'bearer',
          description: 'The token the sandbox was started with, if it was.',
        },
      },
      schemas: { ...namedSchemas(), Problem: PROBLEM },
    },
  };
}

const DESCRIPTION = `
Calls over one World carry the API key of its merchant. Calls over the sandbox carry the admin token if
the sandbox was started with one; without one they are answered to this machine only. Moments and
durations are ISO 8601 texts. A call that is refused has changed nothing and answers a problem document.
`.trim();

const TAGS = { world: 'World', sandbox: 'Sandbox' } as const;

function writeRoute(route: ControlRoute): Json {
  const { operationId, summary, over, request, status, answer } = route;
  const parameters = [...pathParameters(route), ...queryParameters(route)];
  return {
    operationId,
    tags: [TAGS[over]],
    summary,
    security: over === 'world' ? [{ merchantKey: [] }] : [{ adminToken: [] }, {}],
    ...(parameters.length > 0 && { parameters }),
    ...(request?.in === 'body' && {
      requestBody: { required: !request.optional, content: json(refTo(request.schema)) },
    }),
    responses: {
      [status]: {
        description: status === 204 ? 'Done.' : 'Done; the answer shows the outcome.',
        ...(answer && { content: json(route.list ? listOf(answer) : refTo(answer)) }),
      },
      ...Object.fromEntries(refusedStatuses(route).map((each) => [each, REFUSED(each)])),
    },
  };
}

const json = (schema: Json): Json => ({ 'application/json': { schema } });

const listOf = (component: Component): Json => ({
  type: 'object',
  required: ['data'],
  properties: { data: { type: 'array', items: refTo(component) } },
});

function pathParameters({ path }: ControlRoute): Json[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => ({
    name,
    in: 'path',
    required: true,
    description: path.startsWith('/faults') ? 'The id of a fault rule.' : 'The id of a merchant.',
    schema: { type: 'string' },
  }));
}

function queryParameters({ request }: ControlRoute): Json[] {
  if (request?.in !== 'query') return [];
  const [written] = Object.values(writeComponent(request.schema, 'input'));
  return Object.entries((written?.properties ?? {}) as Record<string, Json>).map(
    ([name, { description, ...schema }]) => ({
      name,
      in: 'query',
      ...(description !== undefined && { description }),
      schema,
    }),
  );
}

function refusedStatuses({ over, request, refusals }: ControlRoute): ControlStatus[] {
  const statuses = new Set<ControlStatus>([401, ...refusals]);
  if (over === 'sandbox') statuses.add(403);
  if (request?.in === 'body') for (const status of [400, 413, 415] as const) statuses.add(status);
  return [...statuses].toSorted((a, b) => a - b);
}

const REASONS: Readonly<Record<ControlStatus, string>> = {
  400: 'The body is not JSON.',
  401: 'The key or the admin token is missing or wrong.',
  403: 'The caller is not on this machine.',
  404: 'There is no such thing.',
  405: 'The path does not take this method.',
  408: 'The time to wait is over; `misses` holds what came nearest.',
  409: 'A clock does not go back.',
  413: 'The body is too large.',
  415: 'The Content-Type is not application/json.',
  422: 'Something in the request is wrong; `errors` holds every problem.',
};

const REFUSED = (status: ControlStatus): Json => ({
  description: REASONS[status],
  content: { 'application/problem+json': { schema: { $ref: '#/components/schemas/Problem' } } },
});

const PROBLEM: Json = {
  type: 'object',
  description: 'Why a call was refused (RFC 9457).',
  required: ['type', 'title', 'status', 'detail'],
  properties: {
    type: { type: 'string' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What to do about it.' },
  },
};

function namedSchemas(): Record<string, Json> {
  const named: Record<string, Json> = {};
  const add = (component: Component, io: Direction) => {
    const { named: parts } = writeSchema(component(), io);
    for (const [name, schema] of Object.entries(parts)) named[name] ??= schema;
  };
  for (const { request, answer } of controlRoutes) {
    if (request?.in === 'body') add(request.schema, 'input');
    if (answer) add(answer, 'output');
  }
  return Object.fromEntries(Object.entries(named).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
