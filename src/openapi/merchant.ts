import { OpenAPIHono } from '@hono/zod-openapi';
import type { MerchantEnv } from '../http/context.ts';
import type { Operation } from '../http/operation.ts';
import { ASSUMPTIONS, anyFamilies } from '../products/world.ts';
import { DESCRIPTION, DESCRIPTION_30 } from './description.ts';
import { CONTACT, type Document, LICENSE, publish, SERVER, SERVERS, SORTED } from './document.ts';
import { downgrade30 } from './downgrade-30.ts';
import { successExample } from './examples.ts';
import { type Json, normalizeSchema } from './normalize-schema.ts';

/** The editions the merchant API is published in. */
export type Edition = '3.1' | '3.0';

/** The document of the merchant API, made of the routes of every family. */
export function createMerchantDocument(edition: Edition, version: string): object {
  const app = new OpenAPIHono<MerchantEnv>();
  const endpoints = anyFamilies.flatMap(({ operations }) => operations);
  for (const endpoint of endpoints) endpoint.mount(app);
  registerShared(app.openAPIRegistry);
  const document =
    edition === '3.0'
      ? publish(app.getOpenAPIDocument(head30(version), SORTED), editSchema30)
      : publish(app.getOpenAPI31Document(head31(version), SORTED), normalizeSchema);
  for (const endpoint of endpoints) addExample(document, endpoint);
  return { ...document, 'x-assumptions': ASSUMPTIONS };
}

const TITLE = 'Micro-insurance merchant API';

const shared = () => ({
  servers: SERVERS,
  security: [{ merchantKey: [] }],
  tags: anyFamilies.map(({ tag, description }) => ({ name: tag, description })),
});

const head31 = (version: string) => ({
  openapi: '3.1.0',
  info: {
    title: TITLE,
    version,
    summary: 'Sign customers up for micro-insurance and read the policies back.',
    description: DESCRIPTION,
    contact: CONTACT,
    license: LICENSE,
  },
  ...shared(),
});

const head30 = (version: string) => ({
  openapi: '3.0.3',
  info: {
    title: TITLE,
    version,
    description: `${DESCRIPTION}\n${DESCRIPTION_30}`,
    contact: CONTACT,
    license: { name: 'MIT', url: 'https://opensource.org/license/mit' },
  },
  ...shared(),
});

const editSchema30 = (schema: Json, answered: boolean): Json =>
  downgrade30(normalizeSchema(schema), answered);

/** What the routes refer to. */
function registerShared(registry: OpenAPIHono['openAPIRegistry']): void {
  registry.registerComponent('securitySchemes', 'merchantKey', {
    type: 'http',
    scheme: 'bearer',
    description: 'The API key of the merchant. A merchant sees only what is its own.',
  });
  registry.registerComponent('headers', 'RequestId', {
    description: 'Names this call in the journal of the sandbox.',
    schema: { type: 'string' },
    example: 'req-1-42',
  });
  registry.registerComponent('headers', 'Assumptions', {
    description:
      'The ids of the assumptions that shaped this very answer, separated by a comma and a space; absent if there are none. `x-assumptions` of this document says what each of them is.',
    schema: { type: 'string' },
    example: 'token-expired, error-envelope, error-code-type, http-status',
  });
  registry.registerComponent('headers', 'Authenticate', {
    description: 'How to authenticate.',
    schema: { type: 'string' },
    example: 'Bearer',
  });
}

/** Shows a success whole, in its envelope. */
function addExample({ paths }: Document, endpoint: Operation): void {
  const { path, method } = endpoint;
  const response = paths[documentPath(path)]?.[method]?.responses[200];
  const body = response?.content?.['application/json'] as Json;
  body.example = successExample(endpoint, SERVER + path);
}

/** A path as a document writes it. */
export const documentPath = (path: string): string => path.replace(/:(\w+)/g, '{$1}');
