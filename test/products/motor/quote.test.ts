import { describe, expect, test } from 'vitest';
import { createClient } from '../../support/client.ts';
import { dataOf, problemsOf } from '../calls.ts';

const QUOTE = 'getMotorQuote';

/** A client of a sandbox with these premium rates. */
const clientWith = (...premium_rates: { product_id: number; rate: number }[]) =>
  createClient({ fixtures: { 'motor.json': { premium_rates, policies: [] } } });

describe('a motor quote', () => {
  test.each([
    [0.05, 5_000_000, 250_000],
    [0.05, 1_000_000_000_000, 50_000_000_000],
    [0.05, 0.01, 0],
    [0.05, 0.1, 0.01],
    [0.05, 1234.5, 61.73],
    [0.05, 20.09, 1],
    [0.035, '4999999.99', 175_000],
    [0.1, 10.05, 1.01],
    [0.1, 10.04, 1],
    [0.0725, 333.33, 24.17],
  ])('at a rate of %s for a vehicle worth %s is %s', async (rate, vehicle_value, premium) => {
    const client = clientWith({ product_id: 4, rate });
    const quote = await dataOf(client, QUOTE, { product_id: '4', vehicle_value });
    expect(quote).toEqual({ premium, amount_insured: Number(vehicle_value) });
  });

  test.each([1, 2, 99])('is refused for product %i, which motor does not sell', async (id) => {
    expect(await problemsOf(createClient(), QUOTE, { product_id: id, vehicle_value: 0 })).toEqual([
      'The product_id field must name a product of this family: 4.',
      'The vehicle_value field must be a number above 0 and at most 1000000000000.',
    ]);
  });

  test('is refused for a product without a rate', async () => {
    expect(await problemsOf(clientWith(), QUOTE, { product_id: 4, vehicle_value: 1 })).toEqual([
      'The product_id field names a product that has no premium rate.',
    ]);
  });
});
