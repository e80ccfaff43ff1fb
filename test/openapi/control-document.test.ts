import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { controlRoutes } from '../../src/control/routes/index.ts';
import { createControlDocument } from '../../src/openapi/control-document.ts';
import { objectsOf } from '../support/document.ts';

// biome-ignore lint/suspicious/noExplicitAny: a document is read freely
type Any = any;

const document = createControlDocument('1.2.3') as Any;
const { schemas } = document.components;

describe('the document of the control plane', () => {
  test.each(controlRoutes)('tells all about $operationId', (route) => {
    const path = `/_sandbox${route.path.replace(/:(\w+)/, '{$1}')}`;
    const described = document.paths[path]?.[route.method];
    expect(described).toMatchObject({ operationId: route.operationId, summary: route.summary });
    const scheme = route.over === 'world' ? [{ merchantKey: [] }] : [{ adminToken: [] }, {}];
    expect(described.security).toEqual(scheme);
    expect(Boolean(described.requestBody)).toBe(route.request?.in === 'body');
    if (described.requestBody) {
      expect(described.requestBody.required).toBe(!route.request?.optional);
      expect(described.requestBody.content['application/json'].example).toBeDefined();
    }
    for (const parameter of described.parameters ?? []) expect(parameter.description).toBeTruthy();
    for (const [status, response] of Object.entries<Any>(described.responses)) {
      if (status === '204') expect(response).not.toHaveProperty('content');
      else if (Number(status) < 300) {
        const { example } = response.content['application/json'];
        expect(example).toBeDefined();
      } else
        expect(response.content).toHaveProperty(
          ['application/problem+json', 'example', 'status'],
          Number(status),
        );
    }
  });

  test('has no other call', () => {
    const calls = Object.values<Any>(document.paths).flatMap((path) => Object.keys(path));
    expect(calls).toHaveLength(controlRoutes.length);
  });

  test('has every component it refers to, and no other', () => {
    const used = objectsOf(document).flatMap(({ value: { $ref } }) => $ref ?? []);
    const kept = Object.keys(schemas).map((name) => `#/components/schemas/${name}`);
    expect([...new Set(used)].toSorted()).toEqual(kept.toSorted());
  });

  test('names its components in a form that makes class names, and describes them', () => {
    for (const [name, schema] of Object.entries<Any>(schemas)) {
      expect(name).toMatch(/^([A-Z][a-z]+)+$/);
      if (!name.endsWith('List')) expect(schema.description, name).toBeTruthy();
    }
  });

  test('leaves room for fields to come', () => {
    const closed = objectsOf(document).filter(({ value }) => value.additionalProperties === false);
    expect(closed).toEqual([]);
  });

  test('shows examples that are what their schemas describe', () => {
    const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
    addFormats.default(ajv, ['date-time', 'duration', 'int64']);
    ajv.addVocabulary([...Object.keys(document), 'example']);
    ajv.addSchema(document, 'document');
    const wrong = objectsOf(document).flatMap(({ value, path }) => {
      if (value.schema)
        return value.example === undefined ? [] : check(value.schema, value.example, path);
      return Array.isArray(value.examples)
        ? value.examples.flatMap((example: unknown) => check(value, example, path))
        : [];
    });
    expect(wrong).toEqual([]);

    function check(schema: unknown, example: unknown, path: string) {
      const text = JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/');
      const validate = ajv.compile(JSON.parse(text));
      return validate(example) ? [] : [{ path, example, errors: validate.errors }];
    }
  });
});
