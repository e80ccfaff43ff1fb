import { describe, expect, test } from 'vitest';
import { quotePremium } from '../../../src/products/motor/purchase.ts';
import { createWorld, refusal } from './world.ts';

const premiumAt = (rate: number, vehicle_value: number) =>
  quotePremium(createWorld({ rates: [{ product_id: 4, rate }] }), { product_id: 4, vehicle_value });

describe('the premium', () => {
  test.each([
    [0.05, 5_000_000, 250_000],
    [0.05, 1_000_000_000_000, 50_000_000_000],
    [0.05, 0.01, 0],
    [0.05, 0.1, 0.01],
    [0.05, 1234.5, 61.73],
    [0.05, 20.1, 1.01],
    [0.05, 20.09, 1],
    [0.035, 4_999_999.99, 175_000],
    [0.1, 10.05, 1.01],
    [0.1, 10.04, 1],
    [1, 1.005, 1.01],
    [0.0725, 333.33, 24.17],
  ])('at a rate of %s, of a vehicle worth %s, is %s', (rate, value, premium) => {
    expect(premiumAt(rate, value)).toBe(premium);
  });

  test('is refused for a product that motor does not sell', () => {
    for (const product_id of [1, 9, 77]) {
      expect(
        refusal(() => quotePremium(createWorld(), { product_id, vehicle_value: 1 })).messages,
      ).toEqual(['The product_id field must name a product of this family: 4.']);
    }
  });

  test('is refused for a product without a rate', () => {
    const world = createWorld({ rates: [] });
    expect(
      refusal(() => quotePremium(world, { product_id: 4, vehicle_value: 1 })).messages,
    ).toEqual(['The product_id field names a product that has no premium rate.']);
  });
});
