import { describe, expect, test } from 'vitest';
import { type Client, createClient } from '../../support/client.ts';
import { buy } from '../../support/requests.ts';
import { changeWorld, dataOf, problemsOf } from '../calls.ts';
import { PRINCIPAL } from './offer.ts';

const TOP_UP = 'topUpMicroHealthSubscription';

const MONTHLY = { subscription_type: 'monthly', amount: 400 };
const QUARTERLY = { subscription_type: 'quarterly', amount: 1150 };
const ANNUAL = { subscription_type: 'annually', amount: 4400 };

/** A client with one policy bought at the given time, and a function that renews it later. */
async function subscribed(now: string, plan = MONTHLY, client = createClient({ now })) {
  const { policy_no } = await buy(client, 'micro_health', { ...PRINCIPAL, ...plan });
  const renewAt = (to: string, changes = {}) => {
    client.merchant.clock.advance({ to });
    return dataOf(client, TOP_UP, { ...plan, policy_no, ...changes });
  };
  return { client, policy_no, renewAt };
}

/** The only subscriber, as the list shows it. */
const subscriberOf = async (client: Client) =>
  (await dataOf(client, 'listMicroHealthSubscriptions')).data[0];

describe('the end of a renewed subscription', () => {
  test.each([
    [
      'counts from its start, so a short month does not shorten later ones',
      '2026-01-31',
      MONTHLY,
      ['2026-02-20', '2026-03-20', '2026-04-20'],
      ['2026-03-31', '2026-04-30', '2026-05-31'],
    ],
    ['falls on a leap day', '2027-12-31', MONTHLY, ['2028-01-01'], ['2028-02-29']],
    [
      'moves by three months for a quarterly plan',
      '2025-11-30',
      QUARTERLY,
      ['2026-02-01'],
      ['2026-05-30'],
    ],
    [
      'returns to a leap day after four years',
      '2024-02-29',
      ANNUAL,
      ['2024-12-01', '2025-12-01', '2026-12-01'],
      ['2026-02-28', '2027-02-28', '2028-02-29'],
    ],
    [
      'moves by one period however early the renewal is',
      '2026-01-15',
      MONTHLY,
      ['2026-01-15', '2026-01-15'],
      ['2026-03-15', '2026-04-15'],
    ],
  ])('%s', async (_what, start, plan, renewals, expected) => {
    const { renewAt } = await subscribed(`${start}T10:00:00Z`, plan);
    for (const [place, day] of renewals.entries()) {
      expect(await renewAt(`${day}T10:00:00Z`)).toMatchObject({
        subscriptions_no: place + 2,
        start_date: `${start}T10:00:00.000000Z`,
        created_at: `${start}T10:00:00.000000Z`,
        updated_at: `${day}T10:00:00.000000Z`,
        active_date: `${start} 10:00:00`,
        end_date: `${expected[place]}T10:00:00.000000Z`,
      });
    }
  });
});

describe.each(['clamp', 'overflow'])('with month-end %s', (rule) => {
  const profile = { version: 1, decisions: { 'month-end': rule } };
  /** Some months after ten o'clock of a day. */
  const endOf = (start: string, months: number) => {
    const [year = 0, month = 0, day = 0] = start.split('-').map(Number);
    const overflowing = Date.UTC(year, month - 1 + months, day, 10);
    const last = Date.UTC(year, month + months, 0, 10);
    return new Date(rule === 'clamp' ? Math.min(overflowing, last) : overflowing);
  };
  const written = (end: Date) => `${end.toISOString().slice(0, 19)}.000000Z`;
  const STARTS = ['2026-01-31', '2026-01-30', '2026-01-29', '2027-03-31', '2027-08-31'];

  test.each(
    [...STARTS, '2027-11-30', '2028-02-29'].flatMap((start) =>
      [MONTHLY, QUARTERLY, ANNUAL].map((plan) => [start, plan.subscription_type, plan] as const),
    ),
  )('all periods from %s that are paid %s count from the start', async (start, _, plan) => {
    const now = `${start}T10:00:00Z`;
    const months = { monthly: 1, quarterly: 3, annually: 12 }[plan.subscription_type];
    let { client, policy_no } = await subscribed(now, plan, createClient({ now, profile }));
    for (let periods = 2; periods <= 14; periods++) {
      const { end_date } = await dataOf(client, TOP_UP, { ...plan, policy_no });
      expect(end_date).toBe(written(endOf(start, periods * (months ?? Number.NaN))));
      // What a snapshot brings goes on in the same way.
      if (periods % 4 > 0) continue;
      const restored = createClient({ now, profile });
      restored.merchant.restore(client.merchant.snapshot());
      client = restored;
    }
  });

  test.each(STARTS)(
    'a cover from %s of the other rule gains one month by a renewal',
    async (start) => {
      const now = `${start}T10:00:00Z`;
      const other = { 'month-end': rule === 'clamp' ? 'overflow' : 'clamp' };
      const before = createClient({ now, profile: { version: 1, decisions: other } });
      const { client, policy_no } = await subscribed(now, MONTHLY, before);
      const after = createClient({ now, profile });
      after.merchant.restore(client.merchant.snapshot());
      const { end_date } = await dataOf(after, TOP_UP, { ...MONTHLY, policy_no });
      expect(end_date).toBe(written(endOf(start, 2)));
    },
  );
});

describe('expiry', () => {
  test.each([
    [
      'comes exactly at the end: a renewal then restarts the cover',
      ['2026-01-31T10:00:00Z', '2026-02-28T10:00:00Z'],
      ['2026-02-28 10:00:00', '2026-03-28T10:00:00.000000Z'],
    ],
    [
      'does not come a millisecond before the end, which is a whole second',
      ['2026-01-31T10:00:00.100Z', '2026-02-28T09:59:59.999Z'],
      ['2026-01-31 10:00:00', '2026-03-31T10:00:00.000000Z'],
    ],
    [
      'comes in the second of the end, whatever the milliseconds of the purchase',
      ['2026-01-31T10:00:00.900Z', '2026-02-28T10:00:00.100Z'],
      ['2026-02-28 10:00:00', '2026-03-28T10:00:00.000000Z'],
    ],
  ])('%s', async (_what, [bought, renewed], [active_date, end_date]) => {
    const { renewAt } = await subscribed(bought as string);
    expect(await renewAt(renewed as string)).toMatchObject({ active_date, end_date });
  });

  test('makes later end dates count from the next renewal', async () => {
    const { renewAt } = await subscribed('2026-01-15T10:00:00Z');
    await renewAt('2026-02-01T00:00:00Z');
    expect(await renewAt('2026-05-31T08:30:15.750Z')).toMatchObject({
      subscriptions_no: 3,
      start_date: '2026-01-15T10:00:00.000000Z',
      active_date: '2026-05-31 08:30:15',
      end_date: '2026-06-30T08:30:15.000000Z',
    });
    expect(await renewAt('2026-06-01T00:00:00Z')).toMatchObject({
      active_date: '2026-05-31 08:30:15',
      end_date: '2026-07-31T08:30:15.000000Z',
    });
  });
});

describe('a renewal', () => {
  const NOW = '2026-01-31T10:00:00Z';
  const LATER = '2026-02-20T08:00:00Z';

  test('adds a transaction and keeps the earlier ones', async () => {
    const { client, renewAt } = await subscribed(NOW);
    await renewAt(LATER);
    const paid = { user_id: 1, subscriptions_id: 1, product_id: 1, amount: '400.00' };
    const commissions = { partner_commission: '40.00', total_commission: '60.00' };
    expect((await subscriberOf(client)).transactions).toMatchObject([
      { id: 1, ...paid, ...commissions, created_at: '2026-01-31T10:00:00.000000Z' },
      { id: 2, ...paid, ...commissions, created_at: '2026-02-20T08:00:00.000000Z' },
    ]);
  });

  test('may have any amount with amountCheck "ignore"', async () => {
    const client = createClient({ amountCheck: 'ignore' });
    const { renewAt } = await subscribed(NOW, MONTHLY, client);
    await renewAt(LATER, { amount: 5 });
    expect((await subscriberOf(client)).transactions).toMatchObject([{}, { amount: '5.00' }]);
  });

  test('is accepted even if the product was disabled after the purchase', async () => {
    const { client, renewAt } = await subscribed(NOW);
    changeWorld(client, ({ values }) =>
      Object.assign(values.price_list.products[0], { enable: false }),
    );
    expect((await renewAt(LATER)).subscriptions_no).toBe(2);
  });

  test.each<[what: string, changes: object, ...problems: string[]]>([
    [
      'another frequency and the amount of fewer users',
      { subscription_type: 'annually', amount: 400 },
      'The subscription_type field must be monthly, the frequency chosen at subscription.',
      'The amount field must be 700, the premium of this plan.',
    ],
    [
      'a malformed amount and another frequency',
      { subscription_type: 'yearly', amount: 'much' },
      'The subscription_type field must be monthly, the frequency chosen at subscription.',
      'The amount field must be a number above 0 and at most 1000000000000.',
    ],
    [
      'a policy number sent as a number, which may have lost a zero',
      { policy_no: 4017395826 },
      'The policy_no field must be a text.',
    ],
    [
      'missing fields',
      { subscription_type: undefined, amount: undefined, policy_no: undefined },
      'The subscription_type field is required.',
      'The amount field is required.',
      'The policy_no field is required.',
    ],
  ])('is refused for %s', async (_what, changes, ...problems) => {
    const client = createClient();
    const { policy_no } = await buy(client, 'micro_health');
    const before = await subscriberOf(client);
    const input = { subscription_type: 'monthly', amount: 700, policy_no, ...changes };
    expect(await problemsOf(client, TOP_UP, input)).toEqual(problems);
    expect(await subscriberOf(client)).toEqual(before);
  });

  test('is refused for an unknown policy, whatever else is wrong', async () => {
    const input = { ...ANNUAL, amount: 1, policy_no: '0000000000' };
    const { status, body } = await createClient().call(TOP_UP, input);
    expect([status, body.data.error]).toEqual([404, ['The policy was not found.']]);
  });

  test('is refused beyond the year 9999', async () => {
    const { client, policy_no } = await subscribed(NOW, ANNUAL);
    changeWorld(client, (world) => {
      const [{ subscriptions }] = world['micro_health.policies'];
      subscriptions.end_date = '9999-01-31T10:00:00.000000Z';
    });
    expect(await problemsOf(client, TOP_UP, { ...ANNUAL, policy_no })).toEqual([
      'The policy_no field names a policy whose cover cannot go beyond 9999-12-31.',
    ]);
  });
});
