import { describe, expect, expectTypeOf, test } from 'vitest';
import products from '../fixtures/products.json' with { type: 'json' };
import {
  ControlError,
  createSandbox,
  type MicroHealthSubscriber,
  type MotorInitiateRequest,
  type MotorPolicy,
  RefusalError,
  sampleRequests,
} from '../src/index.ts';
import { createClient, operations } from './support/client.ts';
import { exampleOf, familyKeys } from './support/requests.ts';

describe('sampleRequests', () => {
  const sampled = Object.keys(sampleRequests) as (keyof typeof sampleRequests)[];

  test('has every quote and initiate', () => {
    const expected = operations
      .map(({ operationId }) => operationId)
      .filter((operationId) => /^(get\w+Quote|initiate\w+)$/.test(operationId));
    expect(sampled.toSorted()).toEqual(expected.toSorted());
  });

  test.each(sampled)('a new World accepts %s', async (operationId) => {
    const { merchant } = createClient();
    const { status } = await merchant.call(operationId, sampleRequests[operationId]);
    expect(status).toBe(200);
    expect(exampleOf(operationId)).toEqual(sampleRequests[operationId]);
  });

  test('has identity and phone numbers as text, and is typed by operation', () => {
    expectTypeOf(sampleRequests.initiateMotorPolicy).toExtend<Readonly<MotorInitiateRequest>>();
    for (const request of Object.values(sampleRequests)) {
      const numbers = Object.entries(request).filter(([field]) => /phone|nin_number/.test(field));
      for (const [, value] of numbers) expect(value).toMatch(/^\d{11}$/);
    }
  });

  test('cannot be changed by accident, also inside', () => {
    const { initiateGroupLifePolicy: sample } = sampleRequests;
    expect(() => Object.assign(sample, { gender: 'male' })).toThrow(TypeError);
    expect(() => Object.assign(sample.members[0] ?? {}, { gender: 'male' })).toThrow(TypeError);
  });
});

describe('merchant.buy', () => {
  test.each(familyKeys)(
    'buys %s in two calls, and returns the policy of the records',
    async (family) => {
      const { merchant } = createClient();
      const policy = await merchant.buy(family);
      const { data } = merchant.records({ family });
      expect(data).toEqual([policy]);
      expect(merchant.journal.list()).toHaveLength(2);
    },
  );

  test('takes fields, and is typed by family', async () => {
    const { merchant } = createClient();
    const policy = await merchant.buy('motor', { vehicle_make: 'Honda' });
    expectTypeOf(policy).toEqualTypeOf<MotorPolicy>();
    expect(policy.vehicle_make).toBe('Honda');
    // @ts-expect-error Motor has no such field.
    void (() => merchant.buy('motor', { subscription_type: 'monthly' }));
  });

  test('begins the cover today, so that it runs', async () => {
    const { merchant } = createClient({ now: '2031-03-01T10:00:00Z' });
    const policy = await merchant.buy('motor');
    expect([policy.start_date, policy.inspection_date]).toEqual(['2031-03-01', '2031-03-01']);
    expect(await merchant.buy('motor', { start_date: '2031-04-01' })).toMatchObject({
      start_date: '2031-04-01',
    });
  });

  test('pays the premium of the plan that the fields make', async () => {
    const { merchant } = createClient();
    const paid = async (fields: Parameters<typeof merchant.buy<'micro_health'>>[1]) => {
      const bought = await merchant.buy('micro_health', fields);
      expectTypeOf(bought).toEqualTypeOf<MicroHealthSubscriber>();
      return bought.transactions[0]?.amount;
    };
    const premiums = merchant.products().find(({ id }) => id === 1)?.premiums ?? [];
    const premium = (users: number, frequency: 'monthly' | 'quarterly' | 'annually') =>
      premiums.find((each) => each.users === users)?.[frequency].toFixed(2);
    expect(await paid({})).toBe(premium(2, 'monthly'));
    expect(await paid({ first_beneficiary_full_name: undefined })).toBe(premium(1, 'monthly'));
    expect(await paid({ subscription_type: 'quarterly' })).toBe(premium(2, 'quarterly'));
    const three = {
      second_beneficiary_full_name: 'Chidi Ade',
      subscription_type: 'yearly',
    } as const;
    expect(await paid(three)).toBe(premium(3, 'annually'));
  });

  test('buys what the World sells', async () => {
    const sold = products.products.map((each) => ({ ...each, enable: each.id !== 1 }));
    const sandbox = createSandbox({ fixtures: { 'products.json': { products: sold } } });
    const policy = await sandbox.createMerchant().buy('micro_health');
    expect(policy.subscriptions.product_id).toBe(3);
  });

  test('buys under every decision about amounts, phones, images and envelopes', async () => {
    const decisions = { 'amount-check': 'ignore', 'phone-digits': 'any', 'motor-images': 'any' };
    const profile = { version: 1, decisions };
    for (const family of familyKeys) {
      const merchant = createSandbox({ profile }).createMerchant();
      expect([await merchant.buy(family)]).toEqual(merchant.records({ family }).data);
    }
  });

  test('lists every problem of a refusal', async () => {
    const { merchant } = createClient();
    const refused = merchant.buy('micro_health', { amount: 1, phone_no: '5', surname: undefined });
    const error = await refused.catch((thrown: unknown) => thrown);
    if (!(error instanceof RefusalError)) throw error;
    expect(error.message).toBe(
      [
        'initiateMicroHealthSubscription was refused with status 422:',
        '- The surname field is required.',
        '- The phone_no field must be 11 digits.',
        '- The amount field must be 700, the premium of this plan.',
      ].join('\n'),
    );
    expect(error.problems.map(({ field }) => field)).toEqual(['surname', 'phone_no', 'amount']);
    expect(error.stack).toContain('buy.test.ts');
  });

  test('says what a fault did instead of an answer', async () => {
    const { merchant } = createClient();
    merchant.faults.add({
      match: { operation: 'verifyMotorPolicy' },
      stage: 'before',
      effect: { kind: 'respond', status: 503 },
    });
    await expect(merchant.buy('motor')).rejects.toThrow(
      'verifyMotorPolicy returned 503 under the fault before; respond; status=503: not processed',
    );
    merchant.faults.add({ stage: 'after', effect: { kind: 'drop' } });
    await expect(merchant.buy('motor')).rejects.toThrow(new TypeError('fetch failed'));
  });

  test('refuses a family that there is not, naming the nearest, and fields that are no object', async () => {
    const { merchant } = createClient();
    await expect(merchant.buy('moter' as 'motor')).rejects.toThrow(
      'buy() takes a family: micro_health, motor, group_life; got "moter"; did you mean "motor"?',
    );
    await expect(merchant.buy(undefined as never)).rejects.toBeInstanceOf(ControlError);
    await expect(merchant.buy('motor', 'Honda' as never)).rejects.toThrow(
      'buy() takes an object with fields of initiateMotorPolicy; got ',
    );
    expect(merchant.journal.list()).toEqual([]);
  });
});

describe('merchant.data', () => {
  test('returns the data of a success, typed by operation', async () => {
    const { merchant } = createClient();
    const { quote_price } = await merchant.data(
      'getMicroHealthQuote',
      sampleRequests.getMicroHealthQuote,
    );
    expectTypeOf(quote_price).toEqualTypeOf<number>();
    expect(quote_price).toBe(700);
    expect(await merchant.data('listMotorPolicies')).toEqual([]);
  });

  test('has the problems under every profile', async () => {
    const profile = { version: 1, decisions: { 'error-envelope': 'laravel' } };
    const merchant = createSandbox({ profile }).createMerchant();
    await expect(merchant.data('verifyMotorPolicy')).rejects.toThrow(
      'verifyMotorPolicy was refused with status 422:\n- The token field is required.',
    );
  });
});
