import { expect, test } from 'vitest';
import type { Document } from '../../src/openapi/document.ts';
import { createTypeWriter, type TypeOptions } from '../../src/openapi/types.ts';

const document = {
  paths: {
    '/rules': {
      post: {
        requestBody: body('NewRule'),
        responses: { 201: body('Rule'), 422: { description: 'Refused.' } },
      },
    },
  },
  components: {
    schemas: {
      NewRule: {
        type: 'object',
        properties: {
          stage: { type: 'string', enum: ['before', 'after'], description: 'When it acts.' },
          match: { type: 'object', additionalProperties: {} },
          calls: { type: 'array', items: { type: ['integer', 'null'] } },
        },
        required: ['stage'],
      },
      Rule: { type: 'object', properties: { version: { const: 1 } }, required: ['version'] },
    },
  },
} as unknown as Document;

function body(name: string) {
  return { content: { 'application/json': { schema: { $ref: `#/components/schemas/${name}` } } } };
}

const schemas = (options?: TypeOptions) => createTypeWriter(document, options).schemas();

test('a named schema becomes an interface, whose optional fields take undefined', () => {
  expect(schemas()).toEqual([
    `export interface NewRule {
  /** When it acts. */
  stage: 'before' | 'after';
  match?: Record<string, unknown> | undefined;
  calls?: (number | null)[] | undefined;
}
`,
    `export interface Rule {
  version: 1;
}
`,
  ]);
});

test('a union and a schema can have other names', () => {
  const [input] = schemas({
    names: { NewRule: 'NewRuleJson' },
    unions: { Stage: ['before', 'after'] },
  });
  expect(input).toBe(`export interface NewRuleJson {
  /** When it acts. */
  stage: Stage;
  match?: Record<string, unknown> | undefined;
  calls?: (number | null)[] | undefined;
}
`);
});

test('the calls are an interface of what each takes and returns', () => {
  const calls = createTypeWriter(document).calls('Calls', '', ({ route, body, response }) => ({
    name: `'${route}'`,
    description: '',
    types: { body, response },
  }));
  expect(calls).toBe(`export interface Calls {
  'POST /rules': {
    body: NewRule;
    response: Rule;
  };
}
`);
});
