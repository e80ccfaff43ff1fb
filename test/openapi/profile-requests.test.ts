import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { documentPath } from '../../src/openapi/operation-route.ts';
import { createClient, operationOf } from '../support/client.ts';
import { responseOf } from '../support/document-validation.ts';
import { exampleOf, purchaseOf } from '../support/requests.ts';
import { documentOf, EDITIONS, withProfile } from '../support/served-documents.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read documents as untyped JSON
type Any = any;

/** The schema name of a request body in a served document. */
function requestName({ paths }: Any, operationId: string): string {
  const { path, method } = operationOf(operationId);
  const { schema } = paths[documentPath(path)][method].requestBody.content['application/json'];
  return schema.$ref.split('/').at(-1);
}

/** A check whether a served document allows a value in a field of a request body. */
function allowsIn(document: Any, operationId: string, field: string): (value: unknown) => boolean {
  const ajv = new Ajv2020({ strict: false });
  addFormats.default(ajv, ['date', 'date-time', 'email', 'uri', 'int64']);
  ajv.addSchema(document, 'document');
  const name = requestName(document, operationId);
  return ajv.compile({ $ref: `document#/components/schemas/${name}/properties/${field}` });
}

const PHONES = [
  '08031234567',
  '0803123',
  '+2348031234567',
  '080312',
  '+',
  '0803 1234567',
  '',
  8031234567,
];
// Only the description says that a text must not be blank or contain control characters.
const IMAGES = ['https://a.example/x.png', 'x.png', 'data:,', '', 7];
const WORDS = ['monthly', 'Monthly', 'ANNUAL', 'annual', 'Yearly', 'yearlyy', 'daily', '', 12];

const [EXAMPLE_MEMBER] = purchaseOf('group_life').members as object[];
const inMember = (phone: unknown) => [{ ...EXAMPLE_MEMBER, phone_number: phone }];

type Tried = readonly [
  id: string,
  value: string,
  operationId: string,
  field: string,
  sent: readonly unknown[],
];

const TRIED: readonly Tried[] = [
  ['phone-digits', 'any', 'initiateMicroHealthSubscription', 'phone_no', PHONES],
  ['phone-digits', 'any', 'initiateGroupLifePolicy', 'first_person_phone', PHONES],
  ['phone-digits', 'any', 'initiateGroupLifePolicy', 'members', PHONES.map(inMember)],
  ['phone-digits', 'any', 'initiateMotorPolicy', 'phone_number', ['08031234567', '+2348031234567']],
  ['motor-images', 'any', 'initiateMotorPolicy', 'engine_img', IMAGES],
  ['motor-images', 'any', 'initiateMicroHealthSubscription', 'id_url', IMAGES],
  ['frequency-words', 'any-case', 'getMicroHealthQuote', 'subscription_type', WORDS],
  ['frequency-words', 'any-case', 'initiateMicroHealthSubscription', 'subscription_type', WORDS],
  ['frequency-words', 'any-case', 'initiateMotorPolicy', 'frequency_type', WORDS],
];

describe.each(EDITIONS)('%s', (path) => {
  test.each(TRIED)(
    'with %s "%s", the schema of %s allows in %s what the sandbox accepts',
    async (id, value, operationId, field, sent) => {
      const client = createClient({ ...withProfile({ [id]: value }), amountCheck: 'ignore' });
      const allows = allowsIn(await documentOf(client.sandbox, path), operationId, field);
      const seen = new Set<boolean>();
      for (const each of sent) {
        const body = exampleOf(operationId, { [field]: each });
        const { status } = await client.call(operationId, body);
        seen.add(status === 200);
        expect(allows(each), JSON.stringify(each)).toBe(status === 200);
      }
      expect(seen, 'tries accepted and refused values').toEqual(new Set([true, false]));
    },
  );
});

test('a document describes the refusals of error-envelope "laravel"', async () => {
  const { sandbox } = createClient(withProfile({ 'error-envelope': 'laravel' }));
  const document = await documentOf(sandbox);
  const { info, components } = document;
  expect(info.description).toContain('`ValidationFailure`');
  const schemaOf = (status: number) =>
    responseOf(document, 'verifyMotorPolicy', status).content['application/json'].schema;
  expect(schemaOf(422)).toEqual({ $ref: '#/components/schemas/ValidationFailure' });
  expect(schemaOf(401)).toEqual({ $ref: '#/components/schemas/MessageOnlyFailure' });
  expect(schemaOf(400).anyOf).toEqual([
    { $ref: '#/components/schemas/MessageOnlyFailure' },
    { $ref: '#/components/schemas/CodedFailure' },
  ]);
  expect(Object.keys(components.schemas.ValidationFailure.properties)).toEqual([
    'message',
    'errors',
  ]);
});
