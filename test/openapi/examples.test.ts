import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { expect, test } from 'vitest';
import { nameIn } from '../../src/openapi/document.ts';
import { createMerchantDocument } from '../../src/openapi/merchant.ts';
import { documentPath } from '../../src/openapi/operation-route.ts';
import { anyFamilies } from '../../src/products/world.ts';
import { createSandbox, operations } from '../support/client.ts';
import { objectsOf } from '../support/document.ts';

interface Shown {
  readonly $ref?: string;
  readonly items?: Shown;
  readonly examples?: readonly unknown[];
  readonly properties?: Readonly<Record<string, Shown>>;
}

interface ShownResponse {
  readonly content: {
    readonly 'application/json': { readonly example: { readonly data: { token: string } } };
  };
}

/** The examples of an operation. */
interface ShownOperation {
  readonly requestBody?: {
    readonly content: { readonly 'application/json': { readonly example: unknown } };
  };
  readonly parameters?: readonly { readonly name: string; readonly example?: unknown }[];
  readonly responses: Readonly<Record<number, ShownResponse>>;
}

const document = createMerchantDocument('3.1', '1.2.3') as {
  readonly components: { readonly schemas: Readonly<Record<string, Shown>> };
  readonly paths: Readonly<Record<string, Readonly<Record<string, ShownOperation>>>>;
};
const ajv = new Ajv2020({ strict: true, allErrors: true, allowUnionTypes: true });
addFormats.default(ajv, ['date', 'date-time', 'email', 'uri', 'int64']);
ajv.addVocabulary([...Object.keys(document), 'example']);
ajv.addSchema(document, 'document');

/** Every place with a schema and an example, as a JSON pointer. */
const places = objectsOf(document).flatMap(({ value, path }) => {
  if (value.schema) {
    const named = Object.values(value.examples ?? {}).map(
      (each) => (each as { value: unknown }).value,
    );
    const examples = value.example === undefined ? named : [value.example];
    return examples.map((example) => ({ place: `${path}/schema`, schema: value.schema, example }));
  }
  // A field may be called `examples`. The examples of a schema are a list.
  if (!Array.isArray(value.examples)) return [];
  return value.examples.map((example: unknown) => ({ place: path, schema: value, example }));
});

test('every example is valid under its schema', () => {
  const wrong = places.flatMap(({ place, schema, example }) => {
    const validate = ajv.compile(resolved(schema));
    return validate(example) ? [] : [{ place, example, errors: validate.errors }];
  });
  expect(wrong).toEqual([]);
});

test('the example of a field appears in the example of its body', () => {
  // The bodies of failures show one of many messages and codes.
  const bodies = places.filter(({ schema }) => schema.$ref && !schema.$ref.endsWith('Failure'));
  const compared = bodies.flatMap((each) => compareFields(each.place, each.schema, each.example));
  expect(compared.length).toBeGreaterThan(150);
});

/** Compares the examples of the fields of an object with their values in the example of its body. */
function compareFields(place: string, { $ref, items, ...own }: Shown, value: unknown): string[] {
  if ($ref !== undefined) {
    const name = nameIn($ref);
    return compareFields(name, document.components.schemas[name] ?? {}, value);
  }
  if (Array.isArray(value)) return value.flatMap((each) => compareFields(place, items ?? {}, each));
  return Object.entries(own.properties ?? {}).flatMap(([field, shown]) => {
    const at = `${place}.${field}`;
    if (!Object.hasOwn(Object(value), field)) return [];
    const held = Object(value)[field];
    if (!shown.examples) return compareFields(at, shown, held);
    expect(shown.examples, at).toContainEqual(held);
    return [at];
  });
}

const ofPolicies = operations.filter(({ errors }) => errors.includes('policy_unknown'));

// Look-ups and the renewal name a policy. Their examples name one of the demo merchant.
test.each(ofPolicies)('$operationId accepts its example in a fresh sandbox', async (operation) => {
  const { path, method } = operation;
  const { requestBody, parameters = [] } = document.paths[documentPath(path)]?.[method] ?? {};
  const address = parameters.reduce(
    (filled, { name, example }) => filled.replace(`{${name}}`, String(example)),
    documentPath(path),
  );
  const body = requestBody?.content['application/json'].example;
  const response = await createSandbox({}).fetch(
    new Request(`http://sandbox${address}`, {
      method: method.toUpperCase(),
      headers: { authorization: 'Bearer sk_sandbox_demo', 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    }),
  );
  expect({ status: response.status, body: await response.json() }).toMatchObject({
    status: 200,
    body: { success: true },
  });
});

test.each(anyFamilies)('the examples of $key follow one purchase', ({ operations, policyKeys }) => {
  const shown = Object.fromEntries(
    operations.map(({ role, path, method, input }) => {
      const success = document.paths[documentPath(path)]?.[method]?.responses[200];
      const { data } = success?.content['application/json'].example ?? {};
      const [sent] = Object.values(Object(input?.meta()?.examples?.[0]));
      return [role, { data, sent }];
    }),
  );
  expect(shown.initiate?.data?.token).toBe(shown.verify?.sent);
  const number = policyKeys.keyOf(shown.verify?.data as object);
  expect(number).toBe(shown.lookup?.sent);
  expect(policyKeys.keyOf(shown.lookup?.data as object)).toBe(number);
});

/** A copy of a schema whose references point into the document. */
function resolved(schema: unknown): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"$ref":"#/', '"$ref":"document#/'));
}
