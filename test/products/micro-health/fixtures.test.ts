import { describe, expect, test } from 'vitest';
import { microHealth } from '../../../src/products/micro-health/index.ts';
import { MONTHS, priceOf } from '../../../src/products/micro-health/pricing.ts';
import type { MicroHealthRecords } from '../../../src/products/micro-health/records.ts';
import { addMonths, instantOf, timestamp } from '../../../src/world/time.ts';
import { problemsOf } from '../../support/records.ts';
import { createTestWorld, FIXTURE } from './world.ts';

const { subscribers } = FIXTURE;
const catalogue = createTestWorld();

/** The fixture with something about its second subscriber changed. */
function broken(change: (records: MicroHealthRecords) => void): string[] {
  const records = structuredClone(FIXTURE);
  change(records);
  return problemsOf(microHealth.validateRecords(records, catalogue)).map(
    ({ path, message }) => `${path.join('.')}: ${message}`,
  );
}

function second({ subscribers }: MicroHealthRecords) {
  const [, found] = subscribers;
  if (!found) throw new Error('The fixture has no second subscriber');
  return found;
}

describe('the shipped records', () => {
  test('have nothing wrong with them', () => {
    expect(problemsOf(microHealth.validateRecords(FIXTURE, catalogue))).toEqual([]);
  });

  test('fill more than two pages, over three months', () => {
    expect(subscribers.length).toBeGreaterThan(30);
    const months = subscribers.map(({ created_at }) => created_at.slice(0, 7));
    expect([...new Set(months)]).toEqual(['2023-09', '2023-10', '2023-11']);
  });

  test('show every frequency, both products, 0 to 3 beneficiaries, renewals and a lapse', () => {
    const shown = subscribers.map(({ subscriptions }) => subscriptions);
    expect(new Set(shown.map((each) => each.subscriptions_type)).size).toBe(3);
    expect(new Set(shown.map((each) => each.product_id))).toEqual(new Set([1, 3]));
    expect(new Set(subscribers.map(({ beneficiary }) => beneficiary.length)).size).toBe(4);
    expect(shown.some((each) => each.subscriptions_no > 2)).toBe(true);
    expect(
      shown.some(
        (each) => instantOf(each.active_date.replace(' ', 'T')) > instantOf(each.start_date),
      ),
    ).toBe(true);
    expect(shown.some((each) => each.subscriptions_no === 1 && each.end_date < '2024')).toBe(true);
    expect(shown.some((each) => each.end_date > '2024')).toBe(true);
  });

  test.each(subscribers.map((each) => [each.policy_no, each] as const))(
    'policy %s is one that the rules could have made',
    (_, subscriber) => {
      const { subscriptions: subscription, transactions, beneficiary } = subscriber;
      const { product_id, subscriptions_type: frequency } = subscription;
      const premium = priceOf(catalogue, product_id, 1 + beneficiary.length)?.[frequency] ?? 0;
      const anchor = subscription.active_date.replace(' ', 'T');
      const periods = transactions.filter((each) => each.created_at.slice(0, 19) >= anchor);

      expect(subscription).toMatchObject({
        subscriptions_no: transactions.length,
        recurring: frequency !== 'annually',
        start_date: subscriber.created_at,
        created_at: subscriber.created_at,
        updated_at: transactions.at(-1)?.created_at,
      });
      const months = periods.length * MONTHS[frequency];
      expect(subscription.end_date).toBe(timestamp(addMonths(instantOf(anchor), months)));
      expect(subscriber.policy_no).toMatch(/^\d{10}$/);
      expect(subscriber.have_beneficiaries).toBe(beneficiary.length > 0);
      for (const each of beneficiary) expect(each.user_id).toBe(subscriber.id);
      for (const each of transactions) {
        expect(each).toMatchObject({
          user_id: subscriber.id,
          subscriptions_id: subscription.id,
          product_id,
          merchant_user_id: 1,
          amount: premium.toFixed(2),
          partner_commission: (premium * 0.1).toFixed(2),
          merchant_commission: (premium * 0.05).toFixed(2),
          total_commission: (premium * 0.15).toFixed(2),
        });
      }
    },
  );

  test('hold nothing later than 2023, so that any clock from 2024 on accepts them', () => {
    const written = JSON.stringify(FIXTURE).matchAll(/"(?:cre|upd)ated_at":"(\d{4})/g);
    expect([...new Set([...written].map(([, year]) => year))]).toEqual(['2023']);
  });
});

describe('review', () => {
  test('finds a policy number given twice', () => {
    const number = subscribers[0]?.policy_no ?? '';
    const errors = broken((records) => {
      second(records).policy_no = number;
      second(records).subscriptions.policy_no = number;
    });
    expect(errors).toEqual([
      `subscribers.1.policy_no: policy number ${number} is also that of subscribers.0`,
    ]);
  });

  test('finds an id given twice to subscribers of one merchant', () => {
    const id = subscribers[0]?.id ?? 0;
    const errors = broken((records) => {
      const { subscriptions, beneficiary, transactions } = Object.assign(second(records), { id });
      for (const each of [subscriptions, ...beneficiary, ...transactions]) each.user_id = id;
    });
    expect(errors).toEqual([`subscribers.1.id: ${id} is also that of subscribers.0`]);
  });

  test('takes the merchant from the subscription of a subscriber who names none', () => {
    const [first] = subscribers;
    const problems = (merchant_user_id: number) =>
      broken((records) => {
        Object.assign(second(records), { id: first?.id, merchant_user_id: null });
        Object.assign(second(records).subscriptions, { user_id: first?.id, merchant_user_id });
        for (const each of second(records).beneficiary) each.user_id = first?.id ?? 0;
        for (const each of second(records).transactions) each.user_id = first?.id ?? 0;
      });
    expect(problems(1)).toEqual([`subscribers.1.id: ${first?.id} is also that of subscribers.0`]);
    expect(problems(2)).toEqual([]);
  });

  test('finds a subscription that is not its subscriber’s', () => {
    const errors = broken((records) => {
      Object.assign(second(records).subscriptions, {
        policy_no: '1',
        user_id: 99,
        merchant_user_id: 2,
      });
    });
    expect(errors.map((line) => line.slice(0, line.indexOf(':')))).toEqual([
      'subscribers.1.subscriptions.policy_no',
      'subscribers.1.subscriptions.user_id',
      'subscribers.1.subscriptions.merchant_user_id',
    ]);
  });

  test('finds beneficiaries and transactions that are not their subscriber’s', () => {
    const { id, subscriptions } = second(FIXTURE);
    const errors = broken((records) => {
      Object.assign(second(records).beneficiary[0] ?? {}, { user_id: 99 });
      Object.assign(second(records).transactions[0] ?? {}, {
        user_id: 99,
        subscriptions_id: 99,
      });
    });
    expect(errors).toEqual([
      `subscribers.1.beneficiary.0.user_id: expected ${id}, the id of its subscriber`,
      `subscribers.1.transactions.0.user_id: expected ${id}, the id of its subscriber`,
      `subscribers.1.transactions.0.subscriptions_id: expected ${subscriptions.id}, the id of its subscription`,
    ]);
  });

  test('finds more periods paid than there are months until a subscription ends', () => {
    const errors = broken((records) => {
      second(records).subscriptions.subscriptions_no = Number.MAX_SAFE_INTEGER;
    });
    expect(errors).toEqual([
      expect.stringMatching(
        /^subscribers\.1\.subscriptions\.subscriptions_no: expected at most \d+, the months from start_date to end_date$/,
      ),
    ]);
  });

  test('finds products that are not micro-health’s, and a price or rate given twice', () => {
    const errors = broken((records) => {
      const [price] = records.prices;
      if (price) records.prices.push({ ...price, product_id: 1, users: 1 });
      records.commission_rates.push({ product_id: 4, partner: 0, merchant: 0 });
      records.commission_rates.push({ product_id: 1, partner: 0, merchant: 0 });
      second(records).subscriptions.product_id = 99;
    });
    expect(errors).toEqual([
      'prices.8: a second price of product 1 for 1 users',
      'commission_rates.2.product_id: product 4 is no micro-health product of products.json',
      'commission_rates.3: a second commission rate of product 1',
      'subscribers.1.subscriptions.product_id: product 99 is no micro-health product of products.json',
    ]);
  });
});
