import { describe, expect, test } from 'vitest';
import {
  type PolicyRecord,
  type ProductTerms,
  renewalOf,
  statusOf,
  summaryOfPolicy,
} from '../../src/ui/inspector/client/policy.ts';

const NOW = Date.parse('2026-01-31T10:00:00Z');
const products: readonly ProductTerms[] = [
  { id: 1, name: 'Malaria Care Plan', premiums: [{ users: 2, monthly: 700 }] },
  { id: 4, name: 'Comprehensive Motor Plan', rate: 0.0333 },
];
const subscription = {
  product_id: 1,
  subscriptions_type: 'monthly',
  start_date: '2026-01-04T10:00:00.000000Z',
  end_date: '2026-02-04T10:00:00.000000Z',
};
const health = (changes: PolicyRecord = {}): PolicyRecord => ({
  policy_no: '3074939158',
  first_name: 'Ebele',
  surname: 'Nnadi',
  beneficiary: [{}],
  subscriptions: subscription,
  transactions: [{ amount: '400.00', created_at: '2026-01-04T10:00:00.000000Z' }],
  ...changes,
});
const textOf = (record: PolicyRecord, wanted: string): string | undefined =>
  summaryOfPolicy(record, { products, isRenewable: true, now: NOW }).find(
    ({ name }) => name === wanted,
  )?.text;

describe('the status of a policy', () => {
  test.each([
    ['2026-01-31T10:00:00Z', '2026-02-01', 'active'],
    ['2026-01-31T10:00:01Z', '2026-02-01', 'upcoming'],
    ['2025-01-01', '2026-01-31T10:00:00Z', 'ended'],
    ['2025-01-01', null, 'active'],
  ])('from %s to %s is %s', (start_date, end_date, status) => {
    expect(statusOf({ start_date, end_date }, NOW)).toBe(status);
  });
});

describe('the summary of a policy', () => {
  test('says how long the cover runs, or since when it does not', () => {
    expect(textOf(health(), 'Period')).toBe('4 Jan 2026 to 4 Feb 2026 · ends in 4 days');
    const until = (end_date: string | null) =>
      textOf(health({ subscriptions: { ...subscription, end_date } }), 'Period');
    expect(until('2026-01-30T09:00:00Z')).toMatch(/ended 1 day ago$/);
    expect(until('2026-01-31T11:00:00Z')).toMatch(/ends in less than a day$/);
    const bought = {
      ...health(),
      subscriptions: { ...subscription, end_date: '2026-02-28T09:59:59Z' },
    };
    expect(textOf(bought, 'Period')).toMatch(/ends in 28 days$/);
    expect(until(null)).toBe('from 4 Jan 2026 · no end');
  });

  test('counts renewals by payments, and tells the last premium paid', () => {
    expect(textOf(health(), 'Renewals')).toBe('none yet');
    const paid = [
      { amount: '400.00', created_at: '2026-01-04T10:00:00.000000Z' },
      { amount: '750.50', created_at: '2026-01-20T10:00:00.000000Z' },
    ];
    expect(textOf(health({ transactions: paid }), 'Renewals')).toBe('1, the last on 20 Jan 2026');
    expect(textOf(health({ transactions: paid }), 'Premium')).toBe('₦750.50 monthly');
  });

  test('works out the premium of a vehicle to the kobo', () => {
    const vehicle = { product_id: 4, vehicle_value: 1_000_001, frequency_type: 'yearly' };
    expect(textOf(vehicle, 'Premium')).toBe('₦33,300.03 yearly');
    expect(textOf({ ...vehicle, product_id: 9 }, 'Premium')).toBe('none in the catalogue');
    expect(textOf({ ...vehicle, product_id: 9 }, 'Product')).toBe('product 9');
  });
});

describe('a renewal', () => {
  test('sends the frequency and the premium of the plan, not what was last paid', () => {
    const renewal = { subscription_type: 'monthly', amount: 700, policy_no: '3074939158' };
    expect(renewalOf(health(), products)).toEqual(renewal);
    // A profile shows the one subscription in a list.
    expect(renewalOf(health({ subscriptions: [subscription] }), products)).toEqual(renewal);
  });

  test('is not offered without a price', () => {
    expect(renewalOf(health({ beneficiary: [] }), products)).toBeUndefined();
    expect(renewalOf(health(), [])).toBeUndefined();
    expect(renewalOf({ policy_number: 'IN1', product_id: 4 }, products)).toBeUndefined();
  });
});
