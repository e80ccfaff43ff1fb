import { describe, expect, test } from 'vitest';
import type { Operation } from '../../../src/api/operation.ts';
import { microHealth } from '../../../src/products/micro-health/index.ts';
import { parseRequest } from '../../support/parse-request.ts';
import {
  at,
  createTestWorld,
  PRINCIPAL,
  PRINCIPAL_BODY,
  PRODUCTS,
  refusalOf,
  subscribeAt,
} from './world.ts';

const NOW = at('2026-01-31T12:00:00Z');

function operationNamed(operationId: string): Operation {
  const found = microHealth.operations.find((each) => each.operationId === operationId);
  if (!found) throw new Error(`No operation ${operationId}`);
  return found;
}

/** What an operation makes of what was sent. */
function read(operationId: string, sent: unknown, world = createTestWorld()) {
  return parseRequest(operationNamed(operationId), { world, now: NOW }, sent);
}

const problemsOf = (operationId: string, sent: unknown, world = createTestWorld()) =>
  refusalOf(() => read(operationId, sent, world)).messages;

describe('an initiate request', () => {
  const initiate = 'initiateMicroHealthSubscription';

  test('may send numbers as texts, and what it sends beyond the contract is ignored', () => {
    const sent = {
      ...PRINCIPAL_BODY,
      product_id: '1',
      amount: '400.00',
      nin_number: String(PRINCIPAL_BODY.nin_number),
      extra: 1,
    };
    expect(read(initiate, sent)).toEqual(PRINCIPAL);
  });

  test('needs all but the beneficiaries and profile_url, in the order of the table', () => {
    expect(problemsOf(initiate, {})).toEqual(
      Object.keys(PRINCIPAL_BODY).map((field) => `The ${field} field is required.`),
    );
  });

  test('may leave names blank: white space, null and absence are the same', () => {
    const blank = {
      first_beneficiary_full_name: ' ',
      second_beneficiary_full_name: null,
      profile_url: '',
    };
    expect(read(initiate, { ...PRINCIPAL_BODY, ...blank })).not.toHaveProperty(
      'first_beneficiary_full_name',
    );
  });

  test('is told everything at once: what is malformed, and what breaks a rule', () => {
    const sent = {
      ...PRINCIPAL_BODY,
      amount: 1,
      phone_no: 8031234567,
      date_of_birth: '2026-02-01',
      id_url: 'id.png',
    };
    expect(problemsOf(initiate, sent)).toEqual([
      'The phone_no field must be 11 digits.',
      'The date_of_birth field must not be after today.',
      'The amount field must be 400, the premium of this plan.',
      'The id_url field must be an absolute http or https URL.',
    ]);
  });

  test('with a malformed name is not told what the plan would cost without that name', () => {
    const couple = { ...PRINCIPAL_BODY, amount: 700, first_beneficiary_full_name: 5 };
    expect(problemsOf(initiate, couple)).toEqual([
      'The first_beneficiary_full_name field must be a text.',
    ]);
    expect(problemsOf(initiate, { ...couple, product_id: 2 })).toEqual([
      'The product_id field must name a product of this family: 1, 3.',
      'The first_beneficiary_full_name field must be a text.',
    ]);
  });

  test('with a malformed name is told when the others are already too many', () => {
    const products = PRODUCTS.map((product) => ({ ...product, max_beneficiaries: 1 }));
    const family = {
      ...PRINCIPAL_BODY,
      first_beneficiary_full_name: 'Bola Ade',
      second_beneficiary_full_name: 5,
      third_beneficiary_full_name: 'Chidi Eze',
    };
    expect(problemsOf(initiate, family, createTestWorld({ products }))).toEqual([
      'The second_beneficiary_full_name field must be a text.',
      'The third_beneficiary_full_name field must not name another user: product 1 covers at most 2 users.',
    ]);
  });

  test.each([[[]], ['text'], [5], [null]])('that is no object but %j is refused', (sent) => {
    expect(problemsOf(initiate, sent)).toEqual(['The request body must be a JSON object.']);
  });
});

describe('a top_up request', () => {
  const topUp = 'topUpMicroHealthSubscription';

  test('needs all its fields', () => {
    expect(problemsOf(topUp, {})).toEqual([
      'The subscription_type field is required.',
      'The amount field is required.',
      'The policy_no field is required.',
    ]);
  });

  test('names the policy by a text: a number may have lost its leading zero', () => {
    const sent = { subscription_type: 'monthly', amount: 400, policy_no: 4017395826 };
    expect(problemsOf(topUp, sent)).toEqual(['The policy_no field must be a text.']);
  });

  test('with a malformed field is also told what the policy does not allow', () => {
    const world = createTestWorld();
    const { policy_no } = subscribeAt(world, '2026-01-31T10:00:00Z');
    const sent = { subscription_type: 'yearly', amount: 'much', policy_no };
    expect(problemsOf(topUp, sent, world)).toEqual([
      'The subscription_type field must be monthly, the frequency chosen at subscription.',
      'The amount field must be a number above 0 and at most 1000000000000.',
    ]);
  });
});

describe('a list request', () => {
  const list = 'listMicroHealthSubscriptions';

  test('counts an empty parameter as absent', () => {
    expect(read(list, { period: '', start_date: '', per_page: ' ' })).toEqual({});
  });

  test.each(['0', '101', '-1', '1.5', 'abc', '1e1'])('for %s a page is refused', (per_page) => {
    expect(problemsOf(list, { per_page })).toEqual([
      'The per_page field must be a whole number from 1 to 100.',
    ]);
  });

  test.each(['1', '99', '100', '007'])('for %s a page is fine', (per_page) => {
    expect(read(list, { per_page })).toEqual({ per_page });
  });

  test('with an unknown period and a date that is none is told both', () => {
    expect(problemsOf(list, { period: 'decade', start_date: '2026-02-30' })).toEqual([
      'The period field must be one of day, week, month, quarter, year.',
      'The start_date field must be a calendar day in the form YYYY-MM-DD.',
    ]);
  });
});

test('a quote request takes `yearly` and answers for `annually`', () => {
  const sent = { no_of_users: '2', subscription_type: 'yearly', product_id: '1' };
  expect(read('getMicroHealthQuote', sent)).toEqual({
    no_of_users: 2,
    subscription_type: 'annually',
    product_id: 1,
  });
});

test('a verify request without a token, or with a blank one or a number, is invalid', () => {
  for (const sent of [{}, { token: '  ' }, { token: null }]) {
    expect(problemsOf('verifyMicroHealthSubscription', sent)).toEqual([
      'The token field is required.',
    ]);
  }
  expect(problemsOf('verifyMicroHealthSubscription', { token: 5 })).toEqual([
    'The token field must be a text.',
  ]);
});
