import { ASSUMPTIONS } from '../core/assumptions.ts';
import type { Component } from '../core/schema.ts';
import { failureComponentOf, successComponent } from '../http/answer-schemas.ts';
import type { Operation } from '../http/operation.ts';
import { anyFamilies } from '../products/world.ts';
import { schema30 } from './edition30.ts';
import { DESCRIPTION, DESCRIPTION_30 } from './introduction.ts';
import { documentPath, SERVER, writeOperation } from './operation.ts';
import { type Direction, type Json, mapValues, writeComponent } from './schemas.ts';

/** The editions the merchant API is published in. */
export type Edition = '3.1' | '3.0';

/** The document of the merchant API, made of the operations of every family. */
export function createDocument(edition: Edition, version: string): Json {
  const operations = anyFamilies.flatMap((family) => family.operations);
  const edit = edition === '3.0' ? schema30 : (schema: Json) => schema;
  const paths: Record<string, Json> = {};
  for (const operation of operations) {
    const path = documentPath(operation);
    paths[path] = { ...paths[path], [operation.method]: writeOperation(operation, edit) };
  }
  return {
    openapi: edition === '3.0' ? '3.0.3' : '3.1.0',
    info: {
      title: 'Micro-insurance merchant API',
      version,
      summary:
        edition === '3.1'
          ? 'Sign customers up for micro-insurance and read the policies back.'
          : undefined,
      description: edition === '3.0' ? `${DESCRIPTION}\n${DESCRIPTION_30}` : DESCRIPTION,
      license: edition === '3.0' ? LICENSE_30 : LICENSE,
    },
    servers: [{ url: SERVER, description: 'A sandbox on this machine.' }],
    security: [{ merchantKey: [] }],
    tags: anyFamilies.map(({ tag, description }) => ({ name: tag, description })),
    paths,
    components: {
      securitySchemes: {
        merchantKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'The API key of the merchant. A merchant sees only what is its own.',
        },
      },
      headers: writeHeaders(),
      schemas: mapValues(namedSchemas(operations), edit),
    },
    'x-assumptions': ASSUMPTIONS,
  };
}

const LICENSE = { name: 'MIT', identifier: 'MIT' };
const LICENSE_30 = { name: 'MIT', url: 'https://opensource.org/license/mit' };

/** Every named schema of the operations, in the order of their names. */
function namedSchemas(operations: readonly Operation[]): Record<string, Json> {
  const named = new Map<string, Json>();
  const add = (component: Component, io: Direction) => {
    for (const [name, schema] of Object.entries(writeComponent(component, io))) {
      const known = named.get(name);
      if (known && JSON.stringify(known) !== JSON.stringify(schema)) {
        throw new Error(`${name} is one thing in requests and another in answers`);
      }
      named.set(name, schema);
    }
  };
  for (const operation of operations) {
    if (operation.request?.in === 'body') add(operation.request.schema, 'input');
    add(successComponent(operation), 'output');
    add(failureComponentOf(operation.envelope), 'output');
  }
  return Object.fromEntries([...named].toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function writeHeaders(): Json {
  return {
    RequestId: {
      description: 'Names this exchange in the journal of the sandbox.',
      schema: { type: 'string' },
      example: 'req-1-42',
    },
    Assumptions: {
      description:
        'The ids of the suppositions that shaped this very answer, separated by a comma and a space; absent if there are none. `x-assumptions` of this document says what each of them is.',
      schema: { type: 'string' },
      example: 'token-expired, error-envelope, error-code-type, http-status',
    },
    Authenticate: {
      description: 'How to authenticate.',
      schema: { type: 'string' },
      example: 'Bearer',
    },
  };
}
