import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { controlApp } from '../../src/control/app.ts';
import { createControlDocument } from '../../src/openapi/control.ts';
import { responseIn } from '../../src/openapi/document.ts';
import { objectsOf } from '../support/document.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read documents as untyped JSON
type Any = any;

const document = createControlDocument('3.1', '1.2.3') as Any;

const document30 = createControlDocument('3.0', '1.2.3') as Any;

/** The operations that the app serves. */
const calls = [
  ...new Set(
    controlApp.routes
      .filter(({ method }) => method !== 'ALL')
      .map(({ method, path }) => `${method.toLowerCase()} ${path.replace(/:(\w+)/g, '{$1}')}`),
  ),
];

const OPTIONAL_BODIES = ['awaitJournal', 'createMerchant', 'resetWorld', 'sendJournalEntry'];

describe('the document of the control plane', () => {
  test.each(calls)('describes %s completely', (call) => {
    const [method = '', path = ''] = call.split(' ');
    const described = document.paths[path]?.[method];
    const { operationId, summary, tags, security, requestBody, parameters = [] } = described;
    expect(operationId).toBeTruthy();
    expect(summary).toBeTruthy();
    expect(['World', 'Sandbox']).toContain(tags[0]);
    const isOverWorld = tags[0] === 'World';
    expect(security).toEqual(isOverWorld ? [{ merchantKey: [] }] : [{ adminToken: [] }, {}]);
    const statuses = isOverWorld ? ['401', '507'] : ['401', '403'];
    if (method !== 'get') statuses.push('507');
    if (parameters.some((each: Any) => each.in === 'query')) statuses.push('422');
    if (requestBody) {
      statuses.push('400', '413', '415', '422');
      expect(requestBody.required).toBe(!OPTIONAL_BODIES.includes(operationId));
      expect(requestBody.content['application/json'].example).toBeDefined();
    }
    expect(Object.keys(described.responses)).toEqual(expect.arrayContaining(statuses));
    for (const parameter of parameters) expect(parameter.description).toBeTruthy();
    for (const [status, declared] of Object.entries<Any>(described.responses)) {
      const response = responseIn(document, declared) as Any;
      if (status === '204') expect(response).not.toHaveProperty('content');
      else if (Number(status) < 300) {
        const [{ example }] = Object.values<Any>(response.content);
        expect(example).toBeDefined();
      } else
        expect(response.content).toHaveProperty(
          ['application/problem+json', 'example', 'status'],
          Number(status),
        );
    }
  });

  test('has no other operation', () => {
    const documented = Object.entries<Any>(document.paths).flatMap(([path, methods]) =>
      Object.keys(methods).map((method) => `${method} ${path}`),
    );
    expect(documented.toSorted()).toEqual(calls.toSorted());
  });

  test('allows additional fields in every object', () => {
    const closed = objectsOf(document).filter(({ value }) => value.additionalProperties === false);
    expect(closed).toEqual([]);
  });

  test('has examples that match their schemas', () => {
    const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
    addFormats.default(ajv, ['date-time', 'duration', 'int64']);
    ajv.addVocabulary([...Object.keys(document), 'example', 'discriminator']);
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

describe('the 3.0 edition of the control plane document', () => {
  test('declares the same operations and schemas', () => {
    const names = (each: Any) =>
      [each.paths, each.components.schemas].map((part) => Object.keys(part));
    expect(document30.openapi).toBe('3.0.3');
    expect(names(document30)).toEqual(names(document));
  });

  test('has no keyword that only 3.1 knows', () => {
    const { 'x-assumptions': _, ...published } = document30;
    const unknown = objectsOf([published.paths, published.components]).filter(
      ({ value }) =>
        Array.isArray(value.type) ||
        value.type === 'null' ||
        Array.isArray(value.examples) ||
        typeof value.exclusiveMinimum === 'number' ||
        ('const' in value && 'type' in value),
    );
    expect(unknown.map(({ path }) => path)).toEqual([]);
  });

  test('names every option of a field that is one of several schemas, or null', () => {
    const { AdvancedClock, JournalEntry, NewMerchant } = document30.components.schemas;
    const $ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
    expect(AdvancedClock.properties.effects.items).toEqual({
      anyOf: [$ref('PurchaseExpired'), $ref('CoverEnded')],
    });
    expect(NewMerchant.properties.records.anyOf).toEqual([
      { type: 'string', enum: ['none', 'demo'] },
      $ref('PolicyCounts'),
    ]);
    expect(JournalEntry.properties.fault).toEqual({
      type: 'object',
      nullable: true,
      allOf: [$ref('ExchangeFault')],
    });
  });
});
