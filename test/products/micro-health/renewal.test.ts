import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { MONTHS } from '../../../src/products/micro-health/pricing.ts';
import type { MicroHealthWorld } from '../../../src/products/micro-health/records.ts';
import { renewSubscription } from '../../../src/products/micro-health/renewal.ts';
import type { MicroHealthInitiateRequest } from '../../../src/products/micro-health/requests.ts';
import { rowsOf } from '../../../src/world/tables.ts';
import { addMonths, timestamp } from '../../../src/world/time.ts';
import { at, COUPLE, createTestWorld, PRINCIPAL, refusalOf, subscribeAt } from './world.ts';

const ANNUAL: MicroHealthInitiateRequest = {
  ...PRINCIPAL,
  subscription_type: 'annually',
  amount: 4400,
};

/** A World with one policy, bought at that moment. */
function worldWith(
  moment: string,
  input: MicroHealthInitiateRequest = PRINCIPAL,
  world = createTestWorld(),
) {
  const { policy_no } = subscribeAt(world, moment, input);
  const { subscription_type, amount } = input;
  const renewAt = (renewed: string) =>
    renewSubscription(world, { policy_no, subscription_type, amount }, at(renewed));
  return { world, policy_no, renewAt };
}

const subscriberOf = (world: MicroHealthWorld, policyNo: string) =>
  world.micro_health.subscribers.get(policyNo);

describe('the end of a renewed subscription', () => {
  test('counts from the anchor, so a short month does not shorten the ones after it', () => {
    const { world, policy_no, renewAt } = worldWith('2026-01-31T10:00:00Z');
    expect(subscriberOf(world, policy_no)?.subscriptions.end_date).toBe(
      '2026-02-28T10:00:00.000000Z',
    );
    expect(renewAt('2026-02-20T08:00:00Z').end_date).toBe('2026-03-31T10:00:00.000000Z');
    expect(renewAt('2026-03-20T08:00:00Z').end_date).toBe('2026-04-30T10:00:00.000000Z');
    expect(renewAt('2026-04-20T08:00:00Z').end_date).toBe('2026-05-31T10:00:00.000000Z');
  });

  test('knows the leap day', () => {
    const { world, policy_no, renewAt } = worldWith('2024-01-31T10:00:00Z');
    expect(subscriberOf(world, policy_no)?.subscriptions.end_date).toBe(
      '2024-02-29T10:00:00.000000Z',
    );
    expect(renewAt('2024-02-20T08:00:00Z').end_date).toBe('2024-03-31T10:00:00.000000Z');
  });

  test('of an annual subscription made on a leap day comes back to it after four years', () => {
    const { renewAt } = worldWith('2024-02-29T10:00:00Z', ANNUAL);
    const ends = [2024, 2025, 2026].map((year) => renewAt(`${year}-12-01T00:00:00Z`).end_date);
    expect(ends).toEqual([
      '2026-02-28T10:00:00.000000Z',
      '2027-02-28T10:00:00.000000Z',
      '2028-02-29T10:00:00.000000Z',
    ]);
  });

  test('moves on by one period however often it is renewed before the end', () => {
    const { renewAt } = worldWith('2026-01-15T10:00:00Z');
    renewAt('2026-01-15T10:00:00Z');
    expect(renewAt('2026-01-15T10:00:01Z')).toMatchObject({
      subscriptions_no: 3,
      end_date: '2026-04-15T10:00:00.000000Z',
      active_date: '2026-01-15 10:00:00',
    });
  });

  test('is always start + periods paid, for a subscription that never lapsed', () => {
    const cases = fc.record({
      start: fc.integer({
        min: at('2000-01-01T00:00:00Z') / 1000,
        max: at('2100-01-01T00:00:00Z') / 1000,
      }),
      frequency: fc.constantFrom('monthly', 'quarterly', 'annually'),
      renewals: fc.integer({ min: 1, max: 30 }),
    });
    fc.assert(
      fc.property(cases, ({ start, frequency, renewals }) => {
        const world = createTestWorld({ settings: { amountCheck: 'ignore' } });
        const moment = new Date(start * 1000).toISOString();
        const { renewAt } = worldWith(
          moment,
          { ...PRINCIPAL, subscription_type: frequency },
          world,
        );
        let end = '';
        for (let count = 0; count < renewals; count++) end = renewAt(moment).end_date;
        expect(end).toBe(timestamp(addMonths(start * 1000, MONTHS[frequency] * (renewals + 1))));
      }),
    );
  });
});

describe('a lapse', () => {
  test('begins exactly at end_date: renewed then, the cover starts anew', () => {
    const { renewAt } = worldWith('2026-01-31T10:00:00Z');
    expect(renewAt('2026-02-28T10:00:00Z')).toMatchObject({
      active_date: '2026-02-28 10:00:00',
      end_date: '2026-03-28T10:00:00.000000Z',
    });
  });

  test('has not begun a millisecond before end_date', () => {
    const { renewAt } = worldWith('2026-01-31T10:00:00Z');
    expect(renewAt('2026-02-28T09:59:59.999Z')).toMatchObject({
      active_date: '2026-01-31 10:00:00',
      end_date: '2026-03-31T10:00:00.000000Z',
    });
  });

  test('is judged by the stored whole second, though the purchase fell between two seconds', () => {
    const early = worldWith('2026-01-31T10:00:00.900Z');
    expect(early.renewAt('2026-02-28T10:00:00.100Z').active_date).toBe('2026-02-28 10:00:00');
    const late = worldWith('2026-01-31T10:00:00.100Z');
    expect(late.renewAt('2026-02-28T09:59:59.900Z').active_date).toBe('2026-01-31 10:00:00');
  });

  test('counts the periods anew, and later renewals count from the new anchor', () => {
    const { renewAt } = worldWith('2026-01-15T10:00:00Z');
    renewAt('2026-02-01T00:00:00Z');
    expect(renewAt('2026-05-31T08:30:15.750Z')).toMatchObject({
      subscriptions_no: 3,
      active_date: '2026-05-31 08:30:15',
      end_date: '2026-06-30T08:30:15.000000Z',
    });
    expect(renewAt('2026-06-01T00:00:00Z')).toMatchObject({
      active_date: '2026-05-31 08:30:15',
      end_date: '2026-07-31T08:30:15.000000Z',
    });
  });
});

describe('a renewal', () => {
  test('never changes start_date and created_at, and is noted in updated_at', () => {
    const { renewAt } = worldWith('2026-01-31T10:00:00Z');
    for (const moment of ['2026-02-20T08:00:00Z', '2026-07-01T08:00:00Z', '2026-07-02T08:00:00Z']) {
      expect(renewAt(moment)).toMatchObject({
        start_date: '2026-01-31T10:00:00.000000Z',
        created_at: '2026-01-31T10:00:00.000000Z',
        updated_at: timestamp(at(moment)),
      });
    }
  });

  test('adds a transaction of the same amount and keeps those before', () => {
    const { world, policy_no, renewAt } = worldWith('2026-01-31T10:00:00Z', COUPLE);
    renewAt('2026-02-20T08:00:00Z');
    const paid = { user_id: 1, subscriptions_id: 1, amount: '700.00', total_commission: '105.00' };
    expect(subscriberOf(world, policy_no)?.transactions).toMatchObject([
      { id: 1, ...paid, created_at: '2026-01-31T10:00:00.000000Z' },
      { id: 2, ...paid, created_at: '2026-02-20T08:00:00.000000Z' },
    ]);
  });

  test('at the wrong frequency for the wrong amount is told both', () => {
    const { world, policy_no } = worldWith('2026-01-31T10:00:00Z', COUPLE);
    const wrong = { policy_no, subscription_type: 'annually', amount: 400 } as const;
    const before = [...rowsOf(world.tables)];
    expect(refusalOf(() => renewSubscription(world, wrong, at('2026-02-20T08:00:00Z')))).toEqual({
      code: 'invalid',
      messages: [
        'The subscription_type field must be monthly, the frequency chosen at subscription.',
        'The amount field must be 700, the premium of this plan.',
      ],
    });
    expect([...rowsOf(world.tables)]).toEqual(before);
  });

  test('of any amount is taken where the sandbox is told to ignore it', () => {
    const world = createTestWorld({ settings: { amountCheck: 'ignore' } });
    const { policy_no } = worldWith('2026-01-31T10:00:00Z', PRINCIPAL, world);
    const odd = { policy_no, subscription_type: 'monthly', amount: 5 } as const;
    renewSubscription(world, odd, at('2026-02-20T08:00:00Z'));
    expect(subscriberOf(world, policy_no)?.transactions.at(-1)?.amount).toBe('5.00');
  });

  test('of a product that was disabled since is still possible', () => {
    const { world, policy_no } = worldWith('2026-01-31T10:00:00Z');
    const products = new Map(
      [...world.products].map(([id, product]) => [id, { ...product, enable: false }]),
    );
    const input = { policy_no, subscription_type: 'monthly', amount: 400 } as const;
    const renewed = renewSubscription({ ...world, products }, input, at('2026-02-20T08:00:00Z'));
    expect(renewed.subscriptions_no).toBe(2);
  });

  test('of an unknown policy is refused as such, whatever else is wrong', () => {
    const input = { policy_no: '0000000000', subscription_type: 'annually', amount: 1 } as const;
    expect(refusalOf(() => renewSubscription(createTestWorld(), input, 0))).toEqual({
      code: 'policy_unknown',
      messages: ['The policy was not found.'],
    });
  });

  test('beyond the year 9999 is refused, and nothing is written', () => {
    const { world, policy_no } = worldWith('2026-01-31T10:00:00Z', ANNUAL);
    const { subscribers } = world.micro_health;
    const [subscriber] = subscribers.list;
    if (!subscriber) throw new Error('Nobody subscribed');
    subscribers.put(policy_no, {
      ...subscriber,
      subscriptions: { ...subscriber.subscriptions, end_date: '9999-01-31T10:00:00.000000Z' },
    });
    const before = [...rowsOf(world.tables)];
    const input = { policy_no, subscription_type: 'annually', amount: 4400 } as const;
    expect(
      refusalOf(() => renewSubscription(world, input, at('2026-02-20T08:00:00Z'))).messages,
    ).toEqual(['The policy_no field names a policy that is paid up to the last year there is.']);
    expect([...rowsOf(world.tables)]).toEqual(before);
  });
});
