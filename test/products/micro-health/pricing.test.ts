import { describe, expect, test } from 'vitest';
import { commissionsOf, MONTHS, quotePremium } from '../../../src/products/micro-health/pricing.ts';
import { createTestWorld, FIXTURE, PRODUCTS, refusalOf } from './world.ts';

const FREQUENCIES = ['monthly', 'quarterly', 'annually'] as const;

describe('quote', () => {
  test('the documented sample costs 700: product 1, two users, monthly', () => {
    const input = { product_id: 1, no_of_users: 2, subscription_type: 'monthly' } as const;
    expect(quotePremium(createTestWorld(), input)).toBe(700);
  });

  test('the documented sample costs 700: product 3, four users, monthly', () => {
    const input = { product_id: 3, no_of_users: 4, subscription_type: 'monthly' } as const;
    expect(quotePremium(createTestWorld(), input)).toBe(700);
  });

  test('each frequency has its own price', () => {
    const quote = (subscription_type: (typeof FREQUENCIES)[number]) =>
      quotePremium(createTestWorld(), { product_id: 1, no_of_users: 1, subscription_type });
    expect(FREQUENCIES.map(quote)).toEqual([400, 1150, 4400]);
  });

  test('more users than the product covers are refused', () => {
    const input = { product_id: 1, no_of_users: 5, subscription_type: 'monthly' } as const;
    expect(refusalOf(() => quotePremium(createTestWorld(), input))).toEqual({
      code: 'invalid',
      messages: ['The no_of_users field must be at most 4 for product 1.'],
    });
  });

  test('a product that covers no beneficiaries has one user, whatever max_beneficiaries says', () => {
    const products = PRODUCTS.map((product) => ({ ...product, beneficiaries: false }));
    const input = { product_id: 1, no_of_users: 2, subscription_type: 'monthly' } as const;
    expect(refusalOf(() => quotePremium(createTestWorld({ products }), input)).messages).toEqual([
      'The no_of_users field must be at most 1 for product 1.',
    ]);
  });

  test('a number of users without a price is refused, though the product covers it', () => {
    const products = PRODUCTS.map((product) => ({ ...product, max_beneficiaries: 9 }));
    const input = { product_id: 1, no_of_users: 5, subscription_type: 'monthly' } as const;
    expect(refusalOf(() => quotePremium(createTestWorld({ products }), input)).messages).toEqual([
      'The no_of_users field must be a number of users that product 1 has a price for.',
    ]);
  });

  test('a gap in the price configuration is no price, not the next higher one', () => {
    const world = createTestWorld();
    const prices = FIXTURE.prices.filter(({ users }) => users !== 3);
    const input = { product_id: 3, no_of_users: 3, subscription_type: 'annually' } as const;
    const gappy = { ...world, micro_health: { ...world.micro_health, prices } };
    expect(refusalOf(() => quotePremium(gappy, input)).messages).toEqual([
      'The no_of_users field must be a number of users that product 3 has a price for.',
    ]);
  });

  test.each([2, 4, 99])('product %i is not one of this family, and is refused', (product_id) => {
    const input = { product_id, no_of_users: 1, subscription_type: 'monthly' } as const;
    expect(refusalOf(() => quotePremium(createTestWorld(), input)).messages).toEqual([
      'The product_id field must name a product of this family: 1, 3.',
    ]);
  });
});

describe('the shipped prices', () => {
  test.each(
    [1, 3].flatMap((product) => FREQUENCIES.map((frequency) => [product, frequency] as const)),
  )(
    'of product %i, %s: each added user costs strictly less than the one before',
    (product, frequency) => {
      const premiums = FIXTURE.prices
        .filter((price) => price.product_id === product)
        .toSorted((a, b) => a.users - b.users)
        .map((price) => price[frequency]);
      const added = premiums.map((premium, place) => premium - (premiums[place - 1] ?? 0));

      expect(added).toHaveLength(4);
      expect(added).toEqual(added.toSorted((a, b) => b - a));
      expect(new Set(added).size).toBe(4);
      expect(Math.min(...added)).toBeGreaterThan(0);
    },
  );

  test('a longer period costs more, and less than its months one by one', () => {
    for (const price of FIXTURE.prices) {
      expect(price.quarterly).toBeGreaterThan(price.monthly);
      expect(price.quarterly).toBeLessThan(price.monthly * MONTHS.quarterly);
      expect(price.annually).toBeGreaterThan(price.quarterly);
      expect(price.annually).toBeLessThan(price.monthly * MONTHS.annually);
    }
  });
});

describe('commissions', () => {
  test('are the shares of the premium, and their sum', () => {
    expect(commissionsOf(createTestWorld(), 1, 700)).toEqual({
      partner: 7000,
      merchant: 3500,
      total: 10500,
    });
  });

  test('are rounded half up each, before they are added', () => {
    // 0.10 × 0.05 and 0.10 × 0.10 naira: half a kobo, and one.
    expect(commissionsOf(createTestWorld(), 1, 0.1)).toEqual({ partner: 1, merchant: 1, total: 2 });
    // 0.14 naira: 1.4 and 0.7 kobo make 2.1, but 1 and 1 are paid.
    expect(commissionsOf(createTestWorld(), 1, 0.14)).toEqual({
      partner: 1,
      merchant: 1,
      total: 2,
    });
    // 0.15 naira: 1.5 and 0.75 kobo make 2.25, but 2 and 1 are paid.
    expect(commissionsOf(createTestWorld(), 1, 0.15)).toEqual({
      partner: 2,
      merchant: 1,
      total: 3,
    });
  });

  test('are nothing where the fixtures name no rate', () => {
    expect(commissionsOf(createTestWorld(), 4, 700)).toEqual({ partner: 0, merchant: 0, total: 0 });
  });
});
