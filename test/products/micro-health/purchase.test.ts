import { describe, expect, test } from 'vitest';
import { initiatePurchase } from '../../../src/products/micro-health/purchase.ts';
import type { MicroHealthInitiateRequest } from '../../../src/products/micro-health/requests.ts';
import {
  at,
  COUPLE,
  createTestWorld,
  FIXTURE,
  PRINCIPAL,
  PRODUCTS,
  refusalOf,
  subscribeAt,
  verifyAt,
} from './world.ts';

const NOON = '2026-01-31T12:00:00Z';

const initiate = (input: MicroHealthInitiateRequest, world = createTestWorld()) =>
  initiatePurchase(world, input, at(NOON));

describe('the users of a purchase', () => {
  test('a principal with one beneficiary counts as two users', () => {
    expect(initiate(COUPLE)).toMatch(/^[0-9a-f]{40}$/);
    expect(refusalOf(() => initiate({ ...COUPLE, amount: 400 })).messages).toEqual([
      'The amount field must be 700, the premium of this plan.',
    ]);
  });

  test('a gap between the names is allowed and counts for nobody', () => {
    const world = createTestWorld();
    const token = initiate(
      { ...PRINCIPAL, amount: 700, third_beneficiary_full_name: 'Chidi Eze' },
      world,
    );
    const { beneficiary, have_beneficiaries } = verifyAt(world, token, at(NOON));
    expect(beneficiary.map(({ full_name }) => full_name)).toEqual(['Chidi Eze']);
    expect(have_beneficiaries).toBe(true);
  });

  test('beneficiaries are kept in the order they were named', () => {
    const world = createTestWorld();
    const family = {
      ...PRINCIPAL,
      amount: 1150,
      first_beneficiary_full_name: 'Bola Ade',
      second_beneficiary_full_name: 'Chidi Eze',
      third_beneficiary_full_name: 'Dayo Alli',
    };
    const { id, beneficiary } = verifyAt(world, initiate(family, world), at(NOON));
    expect(beneficiary).toMatchObject([
      { id: 1, full_name: 'Bola Ade', user_id: id },
      { id: 2, full_name: 'Chidi Eze', user_id: id },
      { id: 3, full_name: 'Dayo Alli', user_id: id },
    ]);
  });

  test('more beneficiaries than the product covers are refused, naming the last', () => {
    const products = PRODUCTS.map((product) => ({ ...product, max_beneficiaries: 1 }));
    const family = { ...COUPLE, third_beneficiary_full_name: 'Chidi Eze' };
    expect(refusalOf(() => initiate(family, createTestWorld({ products }))).messages).toEqual([
      'The third_beneficiary_full_name field must not name another user: product 1 covers at most 2 users.',
    ]);
  });

  test('beneficiaries of a product that covers none are refused', () => {
    const products = PRODUCTS.map((product) => ({ ...product, beneficiaries: false }));
    expect(refusalOf(() => initiate(COUPLE, createTestWorld({ products }))).messages).toEqual([
      'The first_beneficiary_full_name field must not name another user: product 1 covers at most 1 user.',
    ]);
  });
});

describe('the product of a purchase', () => {
  const demand = 'The product_id field must name a product of this family: 1, 3.';

  test('an unknown product is refused', () => {
    expect(refusalOf(() => initiate({ ...PRINCIPAL, product_id: 99 }))).toEqual({
      code: 'invalid',
      messages: [demand],
    });
  });

  test('a disabled product is refused, and not offered', () => {
    const products = PRODUCTS.map((each) => (each.id === 1 ? { ...each, enable: false } : each));
    expect(refusalOf(() => initiate(PRINCIPAL, createTestWorld({ products }))).messages).toEqual([
      'The product_id field must name a product of this family: 3.',
    ]);
  });
});

describe('the amount of a purchase', () => {
  test.each([399, 401, 400.01, 1150])('%d is refused where the premium is 400', (amount) => {
    expect(refusalOf(() => initiate({ ...PRINCIPAL, amount })).messages).toEqual([
      'The amount field must be 400, the premium of this plan.',
    ]);
  });

  test('any amount is taken and recorded where the sandbox is told to ignore it', () => {
    const world = createTestWorld({ settings: { amountCheck: 'ignore' } });
    const { transactions } = verifyAt(
      world,
      initiate({ ...PRINCIPAL, amount: 123.455 }, world),
      at(NOON),
    );
    expect(transactions).toMatchObject([
      {
        amount: '123.46',
        partner_commission: '12.35',
        merchant_commission: '6.17',
        total_commission: '18.52',
      },
    ]);
  });
});

describe('the date of birth', () => {
  test('may be today, in UTC', () => {
    expect(initiate({ ...PRINCIPAL, date_of_birth: '2026-01-31' })).toHaveLength(40);
  });

  test('may not be tomorrow; the amount is complained of in the same breath', () => {
    const input = { ...PRINCIPAL, date_of_birth: '2026-02-01', amount: 1 };
    expect(refusalOf(() => initiate(input)).messages).toEqual([
      'The date_of_birth field must not be after today.',
      'The amount field must be 400, the premium of this plan.',
    ]);
  });
});

describe('a refused purchase', () => {
  test('leaves the World as it was', () => {
    const world = createTestWorld();
    const before = structuredClone(world);
    refusalOf(() => initiate({ ...PRINCIPAL, amount: 1 }, world));
    expect(world).toEqual(before);
  });
});

describe('a verified purchase', () => {
  test('is a subscription from the moment of verify, not of initiate', () => {
    const world = createTestWorld();
    const token = initiatePurchase(world, COUPLE, at('2026-01-31T09:50:00Z'));
    const subscriber = verifyAt(world, token, at('2026-01-31T10:00:57.999Z'));
    expect(subscriber.subscriptions).toEqual({
      id: 1,
      user_id: 1,
      product_id: 1,
      recurring: true,
      subscriptions_type: 'monthly',
      subscriptions_no: 1,
      start_date: '2026-01-31T10:00:57.000000Z',
      end_date: '2026-02-28T10:00:57.000000Z',
      enable: 1,
      policy_no: subscriber.policy_no,
      merchant_user_id: 1,
      created_at: '2026-01-31T10:00:57.000000Z',
      updated_at: '2026-01-31T10:00:57.000000Z',
      active_date: '2026-01-31 10:00:57',
    });
    expect(subscriber.policy_no).toMatch(/^\d{10}$/);
    expect(subscriber.date_of_birth).toBe('1990-04-12T00:00:00.000000Z');
    expect(world.micro_health.subscribers.list).toEqual([subscriber]);
  });

  test.each([
    ['monthly', 400, '2024-12-30T08:00:00.000000Z', true],
    ['quarterly', 1150, '2025-02-28T08:00:00.000000Z', true],
    ['annually', 4400, '2025-11-30T08:00:00.000000Z', false],
  ] as const)('ends one %s period later', (subscription_type, amount, end_date, recurring) => {
    const input = { ...PRINCIPAL, subscription_type, amount };
    expect(subscribeAt(createTestWorld(), '2024-11-30T08:00:00Z', input)).toMatchObject({
      end_date,
      recurring,
    });
  });

  test('makes a new subscriber each time, also for a returning customer', () => {
    const world = createTestWorld();
    const first = subscribeAt(world, NOON);
    const second = subscribeAt(world, NOON);
    expect([first.user_id, second.user_id]).toEqual([1, 2]);
    expect(first.policy_no).not.toBe(second.policy_no);
  });

  test('never draws a policy number that is taken', () => {
    const { policy_no } = subscribeAt(createTestWorld(), NOON);
    const [taken] = FIXTURE.subscribers;
    if (!taken) throw new Error('The fixture has no subscriber');
    const world = createTestWorld({ subscribers: [{ ...taken, policy_no }] });
    expect(subscribeAt(world, NOON).policy_no).not.toBe(policy_no);
  });
});
