import { CONTROL_PATH } from '../control/api.ts';
import type { ControlStatus } from '../control/problems.ts';
import type { ControlRoute } from '../control/route.ts';
import { controlRoutes } from '../control/routes/index.ts';
import { type Component, contract } from '../core/schema.ts';
import { PROBLEM, PROBLEM_NAME, problemExample, REASONS } from './control-problems.ts';
import { SERVER } from './operation.ts';
import { type Direction, type Json, refTo, writeComponent } from './schemas.ts';

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
      schemas: namedSchemas(),
    },
  };
}

const DESCRIPTION = `
Calls over one World carry the API key of its merchant. Calls over the sandbox carry the admin token if
the sandbox was started with one; without one they are answered to this machine only. Moments and
durations are ISO 8601 texts. A call that is refused has changed nothing and answers a problem document.
Control calls are in no journal, and no fault touches them.
`.trim();

const TAGS = { world: 'World', sandbox: 'Sandbox' } as const;

function writeRoute(route: ControlRoute): Json {
  const { operationId, summary, description, over, request, status, answer } = route;
  const parameters = [...pathParameters(route), ...queryParameters(route)];
  return {
    operationId,
    tags: [TAGS[over]],
    summary,
    ...(description !== undefined && { description }),
    security: over === 'world' ? [{ merchantKey: [] }] : [{ adminToken: [] }, {}],
    ...(parameters.length > 0 && { parameters }),
    ...(request?.in === 'body' && {
      requestBody: {
        required: !request.optional,
        content: json(refTo(request.schema), exampleOf(request.schema)),
      },
    }),
    responses: {
      [status]: {
        description: status === 204 ? 'Done.' : 'Done; the answer shows the outcome.',
        ...(answer && { content: answerContent(answer, route.list) }),
      },
      ...Object.fromEntries(refusedStatuses(route).map((each) => [each, refused(each)])),
    },
  };
}

const json = (schema: Json, example: unknown): Json => ({
  'application/json': { schema, example },
});

const answerContent = (answer: Component, list = false): Json =>
  list
    ? json({ $ref: `#/components/schemas/${listName(answer)}` }, { data: [exampleOf(answer)] })
    : json(refTo(answer), exampleOf(answer));

const exampleOf = (component: Component): unknown => contract.get(component())?.examples?.[0];

const listName = ({ componentName }: Component): string => `${componentName}List`;

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
    example: path.startsWith('/faults') ? 'fault-1' : '3',
  }));
}

function queryParameters({ request }: ControlRoute): Json[] {
  if (request?.in !== 'query') return [];
  const [written] = Object.values(writeComponent(request.schema, 'input'));
  return Object.entries((written?.properties ?? {}) as Record<string, Json>).map(
    ([name, { description, ...schema }]) => ({ name, in: 'query', description, schema }),
  );
}

function refusedStatuses({ over, request, refusals }: ControlRoute): ControlStatus[] {
  const statuses = new Set<ControlStatus>([401, ...refusals]);
  if (over === 'sandbox') statuses.add(403);
  if (request?.in === 'body') for (const status of [400, 413, 415] as const) statuses.add(status);
  return [...statuses].toSorted((a, b) => a - b);
}

const refused = (status: ControlStatus): Json => ({
  description: REASONS[status].description,
  ...(status === 401 && {
    headers: {
      'WWW-Authenticate': { description: 'How to authenticate.', schema: { type: 'string' } },
    },
  }),
  content: {
    'application/problem+json': {
      schema: { $ref: `#/components/schemas/${PROBLEM_NAME}` },
      example: problemExample(status),
    },
  },
});

/** Every named schema of the calls, in the order of their names. */
function namedSchemas(): Record<string, Json> {
  const named = new Map<string, Json>([[PROBLEM_NAME, PROBLEM]]);
  const add = (name: string, schema: Json) => {
    const known = named.get(name);
    if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
      throw new Error(`${name} is one thing in requests and another in answers`);
    }
    named.set(name, schema);
  };
  const addAll = (component: Component, io: Direction) => {
    for (const [name, schema] of Object.entries(writeComponent(component, io))) add(name, schema);
  };
  for (const { request, answer, list } of controlRoutes) {
    if (request?.in === 'body') addAll(request.schema, 'input');
    if (answer) addAll(answer, 'output');
    if (answer && list) add(listName(answer), listOf(answer));
  }
  return Object.fromEntries([...named].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}
