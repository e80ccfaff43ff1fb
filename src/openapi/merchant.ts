import { OpenAPIHono } from '@hono/zod-openapi';
import type { Operation } from '../api/operation.ts';
import { anyFamilies, DEFAULT_SETTINGS } from '../products/world.ts';
import type { Settings } from '../world/settings.ts';
import { applyMeta } from './apply-meta.ts';
import { DESCRIPTION_30, describeApi } from './description.ts';
import { CONTACT, type Document, LICENSE, publish, SERVER, SERVERS, SORTED } from './document.ts';
import { downgrade30 } from './downgrade-30.ts';
import { successExample } from './examples.ts';
import { ledger } from './ledger.ts';
import { type Json, normalizeSchema } from './normalize-schema.ts';

/** The editions the merchant API is published in. */
export type Edition = '3.1' | '3.0';

/** The document of the merchant API of a sandbox with these settings, made of the routes of every family. */
export function createMerchantDocument(
  edition: Edition,
  version: string,
  settings: Settings = DEFAULT_SETTINGS,
): object {
  const app = new OpenAPIHono();
  const endpoints = anyFamilies.flatMap(({ operations }) => operations);
  for (const endpoint of endpoints) {
    app.openAPIRegistry.registerPath(endpoint.documented(settings));
  }
  registerShared(app.openAPIRegistry);
  const head = { version, description: describeApi(settings) };
  const written =
    edition === '3.0'
      ? app.getOpenAPIDocument(head30(head), SORTED)
      : app.getOpenAPI31Document(head31(head), SORTED);
  const edit = edition === '3.0' ? editSchema30 : normalizeSchema;
  const document = publish(applyMeta(written, settings), edit);
  for (const endpoint of endpoints) addExample(document, endpoint, settings);
  return { ...document, 'x-assumptions': ledger(settings) };
}

const TITLE = 'Micro-insurance merchant API';

const shared = () => ({
  servers: SERVERS,
  security: [{ merchantKey: [] }],
  tags: anyFamilies.map(({ tag, description }) => ({ name: tag, description })),
});

interface Head {
  readonly version: string;
  readonly description: string;
}

const head31 = ({ version, description }: Head) => ({
  openapi: '3.1.0',
  info: {
    title: TITLE,
    version,
    summary: 'Sign customers up for micro-insurance and read the policies back.',
    description,
    contact: CONTACT,
    license: LICENSE,
  },
  ...shared(),
});

const head30 = ({ version, description }: Head) => ({
  openapi: '3.0.3',
  info: {
    title: TITLE,
    version,
    description: `${description}\n${DESCRIPTION_30}`,
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
      'The ids of the assumptions that this operation rests on, or this reason of refusal, separated by a comma and a space; absent if there are none. `x-assumptions` of this document says what each of them is.',
    schema: { type: 'string' },
    example: 'token-expired, error-envelope, error-code-type, http-status',
  });
  registry.registerComponent('headers', 'Authenticate', {
    description: 'How to authenticate.',
    'x-assumptions': ['auth-failure'],
    schema: { type: 'string' },
    example: 'Bearer',
  });
}

/** Shows a success whole, in its envelope; before the refusals, where HTTP carries them as successes. */
function addExample({ paths }: Document, endpoint: Operation, settings: Settings): void {
  const { path, method } = endpoint;
  const response = paths[documentPath(path)]?.[method]?.responses[200];
  const body = response?.content?.['application/json'] as Json;
  const value = successExample(endpoint, settings, SERVER + path);
  if (body.examples) body.examples = { success: { summary: 'A success', value }, ...body.examples };
  else body.example = value;
}

/** A path as a document writes it. */
export const documentPath = (path: string): string => path.replace(/:(\w+)/g, '{$1}');
