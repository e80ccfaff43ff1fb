import { describe, expect, test } from 'vitest';
import { responseIn } from '../../src/openapi/document.ts';
import { createMerchantDocument } from '../../src/openapi/merchant.ts';
import { documentPath } from '../../src/openapi/operation-route.ts';
import { ASSUMPTIONS, anyFamilies } from '../../src/products/world.ts';
import { operations } from '../support/client.ts';
import { objectsOf } from '../support/document.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read documents as untyped JSON
type Any = any;

const FAMILIES = anyFamilies
  .map(({ key }) => key.replace(/(?:^|_)(\w)/g, (_, letter) => letter.toUpperCase()))
  .join('|');
/** `MotorDetailsResponse`: the family, the operation and the direction. */
const CALL = new RegExp(`^(${FAMILIES})([A-Z][a-z]+)+Response$`);

const schemaName = ({ content }: Any): string =>
  content['application/json'].schema.$ref.replace('#/components/schemas/', '');

/** Money, counts, phone numbers, years and codes. */
const DIGITS: readonly string[] = [
  ...['^\\d+(\\.\\d+)?$', '^\\d+\\.\\d{2}$', '^\\d+$'],
  ...['^\\d{11}$', '^\\d{4}$', '^[45]\\d\\d$'],
];

/** The fields and parameters of an object in a document that have no type. */
function untypedIn(value: Any): string[] {
  const isTyped = (schema: Any): boolean =>
    schema.type !== undefined || schema.$ref !== undefined || schema.anyOf?.every(isTyped) === true;
  const fields = Object.entries<Any>(value.properties ?? {}).filter(([, each]) => !isTyped(each));
  const elements = ['schema', 'items'].filter((key) => value[key] && !isTyped(value[key]));
  return [...fields.map(([name]) => name), ...elements];
}

/** What a schema allows, without what documents say of it. */
const formOf = ({ description, example, examples, 'x-assumptions': _, ...form }: Any): Any => form;

const takesProduct = ({ input }: (typeof operations)[number]): boolean =>
  input !== undefined && 'product_id' in input.shape;

const editions = (['3.1', '3.0'] as const).map((edition) => ({
  edition,
  document: createMerchantDocument(edition, '1.2.3') as Any,
}));

describe.each(editions)('the $edition document', ({ document }) => {
  const { schemas } = document.components;

  test('gives components names that are valid class names', () => {
    for (const name of Object.keys(schemas)) expect(name).toMatch(/^([A-Z][a-z]+)+$/);
  });

  test('names requests and responses by family, operation and direction', () => {
    for (const methods of Object.values<Any>(document.paths)) {
      for (const { operationId, requestBody, responses } of Object.values<Any>(methods)) {
        const sent = requestBody && schemaName(requestBody);
        const answered = schemaName(responses[200]);
        expect(answered, operationId).toMatch(CALL);
        expect(schemas[answered].description).toBe(`Success response of \`${operationId}\`.`);
        if (sent) expect(sent).toBe(answered.replace(/Response$/, 'Request'));
      }
    }
  });

  test('describes every field that is not a reference to a component', () => {
    const fields = Object.entries<Any>(schemas).flatMap(([name, { properties = {} }]) =>
      Object.entries<Any>(properties).map(([field, schema]) => ({
        path: `${name}.${field}`,
        schema,
      })),
    );
    const undescribed = fields.filter(({ schema }) => !schema.description && !schema.$ref);
    expect(undescribed.map(({ path }) => path)).toEqual([]);
  });

  test('gives every field a type', () => {
    const untyped = objectsOf(document).flatMap(({ value, path }) =>
      /example/.test(path) ? [] : untypedIn(value).map((name) => `${path}/${name}`),
    );
    expect(untyped).toEqual([]);
  });

  test('has one form of product_id for all requests', () => {
    const forms = Object.entries<Any>(schemas)
      .filter(([name, { properties }]) => name.endsWith('Request') && properties.product_id)
      .map(([, { properties }]) => formOf(properties.product_id));
    expect(forms).toHaveLength(operations.filter(takesProduct).length);
    for (const form of forms) expect(form).toEqual(forms[0]);
  });

  test('has each failure once, however many operations have it', () => {
    const failures = Object.values<Any>(document.paths).flatMap((methods) =>
      Object.values<Any>(methods).flatMap(({ responses }) =>
        Object.entries<Any>(responses).filter(([status]) => Number(status) >= 400),
      ),
    );
    const inline = failures.filter(([, { $ref }]) => !$ref).map((each) => JSON.stringify(each));
    expect(inline.filter((each, place) => inline.indexOf(each) < place)).toEqual([]);
    const { responses } = document.components;
    const referred = failures.flatMap(([, { $ref }]) => ($ref ? $ref.split('/').at(-1) : []));
    for (const name of Object.keys(responses)) {
      expect(referred.filter((each) => each === name).length, name).toBeGreaterThan(1);
    }
    for (const [status, { $ref }] of failures) {
      if ($ref) expect($ref).toMatch(new RegExp(`^#/components/responses/\\w+Failure${status}$`));
    }
  });

  test('shows a whole body where an operation has it, and only there', () => {
    const shown = Object.entries<Any>(schemas).filter(
      ([, { example, examples }]) => example ?? examples,
    );
    expect(shown.map(([name]) => name)).toEqual([]);
  });

  test('describes objects only in components', () => {
    const named = new Set(Object.values(schemas));
    const inline = objectsOf(document).filter(
      ({ value, path }) =>
        (value.type === 'object' || value.properties) && !named.has(value) && !/example/.test(path),
    );
    expect(inline.map(({ path }) => path)).toEqual([]);
  });

  test('names only known assumptions, and lists all of them', () => {
    const { 'x-assumptions': listed, ...rest } = document;
    expect(listed).toEqual(ASSUMPTIONS);
    const named = objectsOf(rest).flatMap(({ value }) => value['x-assumptions'] ?? []);
    expect([...new Set(named)].filter((id) => !(id in ASSUMPTIONS))).toEqual([]);
  });

  test('allows additional fields in every object', () => {
    const closed = objectsOf(document).filter(({ value }) => value.additionalProperties === false);
    expect(closed).toEqual([]);
  });

  // Old generators cannot compile an enum of one boolean. They ignore `const`; new ones use it.
  test('has no enum of one boolean and no integer bound beyond a double', () => {
    for (const { value, path } of objectsOf(document)) {
      if (value.type === 'boolean') expect(value, path).not.toHaveProperty('enum');
      expect(Math.abs(Number(value.maximum ?? 0)), path).toBeLessThan(Number.MAX_SAFE_INTEGER);
    }
  });

  // Long patterns help no reader, and old generators misread them. Formats and descriptions do.
  test('has only patterns of digits and no multipleOf', () => {
    const patterns = objectsOf(document).flatMap(({ value }) => value.pattern ?? []);
    expect(patterns.filter((pattern) => !DIGITS.includes(pattern))).toEqual([]);
    expect(objectsOf(document).filter(({ value }) => 'multipleOf' in value)).toEqual([]);
  });

  test('describes in words the limits that request schemas leave out', () => {
    const said = Object.entries<Any>(schemas)
      .filter(([name]) => name.endsWith('Request'))
      .flatMap(([name, { properties = {} }]) =>
        Object.entries<Any>(properties).map(([field, schema]) => ({
          path: `${name}.${field}`,
          schema,
        })),
      );
    for (const { path, schema } of said) {
      const { format, minLength, anyOf = [], description } = schema;
      if (format === 'date') expect(description, path).toContain('1900-01-01 or later');
      if (format === 'email') expect(description, path).toContain('ASCII');
      if (format === 'uri') expect(description, path).toContain('http or https URL');
      if (minLength === 1 && !format && !/gender$/.test(path)) {
        expect(description, path).toContain('Must not be blank');
      }
      const isMoney = [schema, ...anyOf].some(({ maximum }) => maximum === 1_000_000_000_000);
      if (isMoney) expect(description, path).toContain('two decimal places');
    }
    expect(said.length).toBeGreaterThan(40);
  });

  test.each(operations)('describes $operationId completely', (operation) => {
    const described = document.paths[documentPath(operation.path)]?.[operation.method];
    const { operationId, summary, tag, request, errors } = operation;
    expect(described).toMatchObject({ operationId, summary, tags: [tag] });
    expect(described.description).toBeTruthy();
    expect(document.tags.map(({ name }: Any) => name)).toContain(tag);

    const expected = new Set(['200', '401']);
    if (errors.includes('invalid')) expected.add('422');
    if (request.body) for (const status of ['400', '413', '415']) expected.add(status);
    if (errors.includes('policy_unknown')) expected.add('404');
    expect(Object.keys(described.responses)).toEqual([...expected].toSorted());

    if (request.body) {
      expect(described.requestBody.required).toBe(true);
      expect(described.requestBody.content['application/json'].example).toBeDefined();
    }
    for (const parameter of described.parameters ?? []) {
      expect(parameter.description, parameter.name).toBeTruthy();
    }
    for (const [status, declared] of Object.entries<Any>(described.responses)) {
      const response = responseIn(document, declared) as Any;
      const { schema, example, examples } = response.content['application/json'];
      expect(schema.$ref).toMatch(status === '200' ? /Response$/ : /Failure$/);
      expect(example ?? Object.keys(examples)[0]).toBeDefined();
      const authenticate = status === '401' ? ['WWW-Authenticate'] : [];
      expect(Object.keys(response.headers)).toEqual(['Sandbox-Request-Id', ...authenticate]);
    }
  });
});

test('both editions have the same operations and components', () => {
  const [first, second] = editions.map(({ document }) => [
    Object.keys(document.paths),
    Object.keys(document.components.schemas),
  ]);
  expect(first).toEqual(second);
});

test('the 3.1 edition marks success and failure with a constant', () => {
  const { schemas } = (createMerchantDocument('3.1', '1.2.3') as Any).components;
  for (const [name, { properties }] of Object.entries<Any>(schemas)) {
    const fixed = /Response$|Failure$/.exec(name);
    if (fixed) expect(properties.success.const, name).toBe(fixed[0] === 'Response');
  }
});

test('the 3.0 edition gives a response field with several types the one that its requests have', () => {
  const { schemas } = (createMerchantDocument('3.0', '1.2.3') as Any).components;
  for (const name of [
    'MotorPolicy',
    'MotorListedPolicy',
    'MotorVerifiedPolicy',
    'MotorInitiatedPolicy',
  ]) {
    const { duration } = schemas[name].properties;
    expect(formOf(duration), name).toEqual(
      formOf(schemas.MotorInitiateRequest.properties.duration),
    );
    expect(duration.description, name).toContain('an integer or a string of digits');
  }
});

test('the 3.0 edition gives a request field with several types the type of its example', () => {
  const { schemas } = (createMerchantDocument('3.0', '1.2.3') as Any).components;
  const { duration, product_id } = schemas.MotorInitiateRequest.properties;
  expect(duration).toMatchObject({ type: 'integer', minimum: 1, example: 1 });
  expect(product_id).toMatchObject({ type: 'integer', minimum: 1, example: 4 });
  const choices = objectsOf(schemas).filter(({ value }) => value.anyOf ?? value.oneOf);
  expect(choices.map(({ path }) => path)).toEqual([]);
});
