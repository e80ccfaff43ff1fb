/* The routes of the control plane as its document shows them: what each call takes and returns, and its refusals. */

import { type RouteConfig, z } from '@hono/zod-openapi';
import { jsonBody } from '../api/request.ts';
import { type Call, statusOf } from './call.ts';
import { SANDBOX_CALLS, WORLD_CALLS } from './calls.ts';
import { problemResponse, problems } from './problems.ts';

/** Every route of the control plane, with the paths of its calls. */
export function controlRoutes(): RouteConfig[] {
  const overWorld = Object.values(WORLD_CALLS).filter(({ isVariant }) => !isVariant);
  return [
    ...SANDBOX_CALLS.map((call) => ({
      ...routeOf(call),
      tags: ['Sandbox'],
      security: [{ adminToken: [] }, {}],
      responses: {
        ...responsesOf(call),
        ...problems(401, 403),
        ...(!call.route.startsWith('GET') && problems(507)),
      },
    })),
    ...overWorld.map((call) => ({
      ...routeOf(call),
      tags: ['World'],
      security: [{ merchantKey: [] }],
      // The first call with a new key may store a merchant.
      responses: { ...responsesOf(call), ...problems(401, 507) },
    })),
  ];
}

function routeOf({ operationId, summary, description, route, ...call }: Call) {
  const [verb, path] = route.split(' ') as [string, string];
  const method = verb.toLowerCase() as RouteConfig['method'];
  const { params, query, headers, body, isOptional = false } = call;
  const request = {
    ...(params && { params: params() }),
    ...(query && { query: query() }),
    ...(headers && { headers: headers() }),
    ...(body && { body: { ...jsonBody(body()).body, required: !isOptional } }),
  };
  return { operationId, summary, description, method, path, request };
}

function responsesOf(call: Call) {
  const { query, body, refusals = [], conflict } = call;
  return {
    [statusOf(call)]: successOf(call),
    ...problems(...refusals),
    ...(conflict && { 409: problemResponse(409, conflict) }),
    ...(body ? problems(400, 413, 415, 422) : query && problems(422)),
  };
}

function successOf({ output, list, text }: Call) {
  if (!output && !text) return { description: 'Done.' };
  const texts = Object.entries(text?.() ?? {}).map(
    ([type, example]) => [type, { schema: { type: 'string' as const }, example }] as const,
  );
  return {
    description: 'Done. The body shows the result.',
    content: {
      ...(output && { 'application/json': jsonOf(output(), list) }),
      ...Object.fromEntries(texts),
    },
  };
}

/** The result as JSON: an object, or a list of elements with this name. */
function jsonOf(schema: z.ZodType, list: string | undefined) {
  const [example] = schema.meta()?.examples ?? [];
  if (list === undefined) return { schema, example };
  const listed = z.strictObject({ data: z.array(schema) }).openapi(list);
  return { schema: listed, example: { data: [example] } };
}
