import { describe, expect, test } from 'vitest';
import file from '../../../fixtures/micro-health.json' with { type: 'json' };
import { createClient } from '../../support/client.ts';
import { buy } from '../../support/requests.ts';
import { dataOf, problemsOf } from '../calls.ts';
import { clientOffering, PRINCIPAL } from './offer.ts';

const { commission_rates, prices } = file;

const QUOTE = 'getMicroHealthQuote';
const PLAN = { no_of_users: 1, subscription_type: 'monthly', product_id: 1 };

describe('a quote', () => {
  test.each([
    [{}, 400],
    [{ subscription_type: 'quarterly' }, 1150],
    [{ subscription_type: 'annually' }, 4400],
    [{ subscription_type: 'yearly' }, 4400],
    [{ no_of_users: '2', product_id: '1' }, 700],
    [{ no_of_users: 4 }, 1150],
    [{ no_of_users: 4, product_id: 3 }, 700],
  ])('for product 1, one user, monthly, with %j is %d naira', async (changes, quote_price) => {
    const quote = await dataOf(createClient(), QUOTE, { ...PLAN, ...changes });
    expect(quote).toEqual({ quote_price });
  });

  const unpriced = 'must be a number of users that product 1 has a price for.';
  const family = 'The product_id field must name a product of this family: 1, 3.';

  test.each([
    [
      'more users than the product covers',
      { no_of_users: 5 },
      {},
      'must be at most 4 for product 1.',
    ],
    [
      'beneficiaries of a product without any, whatever its max_beneficiaries',
      { no_of_users: 2 },
      { product: { beneficiaries: false } },
      'must be at most 1 for product 1.',
    ],
    [
      'a number of users without a price',
      { no_of_users: 5 },
      { product: { max_beneficiaries: 9 } },
      unpriced,
    ],
    [
      'a number of users between two with a price',
      { no_of_users: 3 },
      { prices: prices.filter(({ users }) => users !== 3) },
      unpriced,
    ],
  ])('is refused for %s', async (_what, changes, offer, demand) => {
    const problems = await problemsOf(clientOffering(offer), QUOTE, { ...PLAN, ...changes });
    expect(problems).toEqual([`The no_of_users field ${demand}`]);
  });

  test.each([2, 4, 99])(
    'is refused for product %i, which micro-health does not sell',
    async (id) => {
      const problems = await problemsOf(createClient(), QUOTE, { ...PLAN, product_id: id });
      expect(problems).toEqual([family]);
    },
  );

  test('is refused with every wrong field, in the order of the specification', async () => {
    expect(await problemsOf(createClient(), QUOTE, { product_id: 2, no_of_users: 1.5 })).toEqual([
      'The no_of_users field must be a whole number, 1 or more.',
      'The subscription_type field is required.',
      family,
    ]);
  });
});

describe('the shipped prices', () => {
  const FREQUENCIES = ['monthly', 'quarterly', 'annually'] as const;

  test.each([1, 3])('of product %i charge less for each added user', (product) => {
    const own = prices.filter(({ product_id }) => product_id === product);
    expect(own.map(({ users }) => users)).toEqual([1, 2, 3, 4]);
    for (const frequency of FREQUENCIES) {
      const premiums = own.map((price) => price[frequency]);
      const added = premiums.map((premium, place) => premium - (premiums[place - 1] ?? 0));
      expect(added).toEqual([...new Set(added)].toSorted((a, b) => b - a));
      expect(added.at(-1)).toBeGreaterThan(0);
    }
  });

  test('for a longer period are higher, but lower than for its single months', () => {
    for (const { monthly, quarterly, annually } of prices) {
      expect(quarterly).toBeGreaterThan(monthly);
      expect(quarterly).toBeLessThan(3 * monthly);
      expect(annually).toBeGreaterThan(quarterly);
      expect(annually).toBeLessThan(12 * monthly);
    }
  });
});

describe('the commissions of a premium', () => {
  const NONE = [{ product_id: 3, partner: 1, merchant: 1 }];

  test.each([
    [700, commission_rates, ['70.00', '35.00', '105.00']],
    // Each share is rounded to whole kobo, half a kobo up, before the shares are added.
    [0.1, commission_rates, ['0.01', '0.01', '0.02']],
    [0.14, commission_rates, ['0.01', '0.01', '0.02']],
    [0.15, commission_rates, ['0.02', '0.01', '0.03']],
    [700, NONE, ['0.00', '0.00', '0.00']],
  ])('of %d naira at the rates %j are %j', async (amount, commission_rates, commissions) => {
    const client = clientOffering({ commission_rates }, 'ignore');
    await buy(client, 'micro_health', { ...PRINCIPAL, amount });
    const [{ transactions }] = (await dataOf(client, 'listMicroHealthSubscriptions')).data;
    const [{ partner_commission, merchant_commission, total_commission, ...paid }] = transactions;
    expect([partner_commission, merchant_commission, total_commission]).toEqual(commissions);
    expect(paid.amount).toBe(amount.toFixed(2));
  });
});
