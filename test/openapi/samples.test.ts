import { describe, expect, test } from 'vitest';
import { createMerchantDocument } from '../../src/openapi/merchant.ts';
import { createClient } from '../support/client.ts';
import { requestValidator } from '../support/document-validation.ts';
import { buy, initiate, MOTOR_SAMPLE, purchaseOf } from '../support/requests.ts';

// biome-ignore lint/suspicious/noExplicitAny: tests read documents as untyped JSON
type Any = any;

/* What the samples of the specification send fits the documents, and the sandbox accepts it. */

const SPELLINGS = ['Policy_number', 'policyNumber', 'policy_number'];
const editions = (['3.1', '3.0'] as const).map((edition) => ({
  edition,
  document: createMerchantDocument(edition, '1.2.3') as Any,
}));

describe.each(editions)('the $edition document', ({ document }) => {
  const { schemas } = document.components;
  const problems = requestValidator(document);

  test('declares the fourteen fields of the motor sample, and allows them', () => {
    expect(Object.keys(MOTOR_SAMPLE)).toHaveLength(14);
    const { properties, required } = schemas.MotorInitiateRequest;
    for (const field of Object.keys(MOTOR_SAMPLE)) {
      expect(properties[field].description, field).toContain('Accepted and ignored.');
      expect(required).not.toContain(field);
    }
    const sample = { ...purchaseOf('motor'), ...MOTOR_SAMPLE };
    expect(problems('MotorInitiateRequest', sample)).toEqual([]);
  });

  test.each(SPELLINGS)('allows a policy number as %s', (spelling) => {
    expect(problems('MotorDetailsRequest', { [spelling]: 'INS6120483957714' })).toEqual([]);
    expect(problems('GroupLifeDetailsRequest', { [spelling]: 'IN59810802' })).toEqual([]);
  });

  test('allows no look-up without a policy number', () => {
    expect(problems('MotorDetailsRequest', {})).not.toEqual([]);
    expect(problems('GroupLifeDetailsRequest', {})).not.toEqual([]);
  });
});

test('the 3.1 document allows the numbers of the motor sample as numbers and as text', () => {
  const problems = requestValidator(createMerchantDocument('3.1', '1.2.3'));
  const numbers = { amount_insured: '5000000', nok_phone_no: 8059876543, id_number: 12345678901 };
  const sample = { ...purchaseOf('motor'), ...MOTOR_SAMPLE, ...numbers };
  expect(problems('MotorInitiateRequest', sample)).toEqual([]);
});

// Generators of OpenAPI 3.0 give all spellings one name, and what they write does not compile.
test('the 3.1 document declares every spelling of a policy number, and the 3.0 document the first', () => {
  const [all, first] = editions.map(({ document: { components } }) =>
    ['MotorDetailsRequest', 'GroupLifeDetailsRequest'].map((name) =>
      Object.keys(components.schemas[name].properties),
    ),
  );
  expect(all).toEqual([SPELLINGS, ['policy_number', 'Policy_number', 'policyNumber']]);
  expect(first).toEqual([['Policy_number'], ['policy_number']]);
});

// The documents name the usual types of these fields. Whatever they hold, it is neither refused nor kept.
test.each([[null], [''], ['any\u0007'], [-1], [true], [[1]], [{ a: { b: [] } }]])(
  'the fields that only samples have may hold %j',
  async (value) => {
    const sample = Object.fromEntries(Object.keys(MOTOR_SAMPLE).map((field) => [field, value]));
    expect(await buy(createClient(), 'motor', sample)).toEqual(await buy(createClient(), 'motor'));
    expect(await initiate(createClient(), 'group_life', { status: value })).toBeTruthy();
  },
);
