import { describe, expect, test } from 'vitest';
import { createSandbox, type NewMerchant } from '../../src/index.ts';
import { createClient } from '../support/client.ts';
import { control } from '../support/control.ts';
import { exampleOf, familyKeys } from '../support/requests.ts';

const NOW = '2026-01-31T10:00:00Z';
const COUNTS = { micro_health: 40, motor: 5, group_life: 2 } as const;

const createMerchant = (wanted: NewMerchant = { records: COUNTS }) =>
  createSandbox({ now: NOW, clock: 'frozen', seed: 7 }).createMerchant(wanted);

/** Everything that was bought. */
const boughtBy = (merchant: ReturnType<typeof createMerchant>) =>
  familyKeys.flatMap((family) => merchant.records({ family, per_page: 100 }).data);

describe('a merchant with counts of records', () => {
  test('has that many policies of each family', () => {
    expect(createMerchant().show().counts).toMatchObject({ ...COUNTS, pending: 0, exchanges: 0 });
    expect(createMerchant({ records: { motor: 1 } }).show().counts).toMatchObject({
      micro_health: 0,
      motor: 1,
      group_life: 0,
    });
    expect(boughtBy(createMerchant({ records: {} }))).toEqual([]);
  });

  test('has policies that the merchant API returns like any other', async () => {
    const client = createClient();
    const merchant = client.sandbox.createMerchant({ records: COUNTS });
    const own = client.as(merchant);
    const listed = await own.call('listMicroHealthSubscriptions', { per_page: 100 });
    expect(listed.body.data.total).toBe(40);
    for (const { policy_no } of listed.body.data.data) {
      expect((await own.call('validateMicroHealthPolicy', { policy_no })).status).toBe(200);
    }
    const [policy] = merchant.records({ family: 'motor' }).data;
    const details = { Policy_number: policy?.policy_number };
    expect((await own.call('getMotorPolicyDetails', details)).body.data).toEqual(policy);
    expect((await own.call('listGroupLifePolicies')).body.data.total).toBe(2);
  });

  test('bought them in the year before its clock, so that some have ended', () => {
    const { data } = createMerchant().records({ family: 'micro_health', per_page: 100 });
    const days = data.map(({ created_at }) => created_at.slice(0, 10));
    expect(days).toEqual(days.toSorted().reverse());
    expect(days.at(-1)).toMatch(/^2025-02-/);
    expect(days[0]).toMatch(/^2026-01-/);
    const ended = data.filter(({ subscriptions }) => subscriptions.end_date < NOW);
    expect(ended.length).toBeGreaterThan(5);
    expect(ended.length).toBeLessThan(35);
    const plans = new Set(data.map(({ subscriptions }) => subscriptions.subscriptions_type));
    expect(plans).toEqual(new Set(['monthly', 'quarterly', 'annually']));
    expect(new Set(data.map(({ email }) => email)).size).toBe(40);
  });

  test('has the same ones for the same seed, and after a reset', () => {
    const merchant = createMerchant({ records: COUNTS, seed: 3 });
    const bought = boughtBy(merchant);
    expect(boughtBy(createMerchant({ records: COUNTS, seed: 3 }))).toEqual(bought);
    expect(boughtBy(createMerchant({ records: COUNTS, seed: 4 }))).not.toEqual(bought);
    merchant.clock.advance('P1M');
    merchant.reset();
    expect(boughtBy(merchant)).toEqual(bought);
    merchant.restore(merchant.snapshot());
    expect(boughtBy(merchant)).toEqual(bought);
  });

  test('sells further policies with new ids and numbers', async () => {
    const client = createClient();
    const merchant = client.sandbox.createMerchant({ records: { motor: 20 } });
    const before = new Set(
      merchant.records({ family: 'motor', per_page: 100 }).data.map((each) => each.policy_number),
    );
    const initiated = await merchant.call('initiateMotorPolicy', exampleOf('initiateMotorPolicy'));
    if (!initiated.body.success) throw new Error(initiated.body.response_message);
    const { body } = await merchant.call('verifyMotorPolicy', {
      token: initiated.body.data.token,
    });
    if (!body.success) throw new Error(body.response_message);
    expect(before.has(body.data.policy_number)).toBe(false);
    expect(body.data.id).toBe(21);
  });

  test('follows the profile and the catalogue of its sandbox', () => {
    const sandbox = createSandbox({
      now: NOW,
      fixtures: {
        'micro-health.json': {
          prices: [{ product_id: 3, users: 1, monthly: 10, quarterly: 30, annually: 120 }],
        },
      },
      amountCheck: 'ignore',
    });
    const { data } = sandbox
      .createMerchant({ records: { micro_health: 20 } })
      .records({ family: 'micro_health', per_page: 100 });
    expect(new Set(data.map(({ subscriptions }) => subscriptions.product_id))).toEqual(
      new Set([3]),
    );
    expect(new Set(data.map(({ transactions }) => transactions[0]?.amount))).toEqual(
      new Set(['10.00', '30.00', '120.00']),
    );
  });

  test('can be created over HTTP', async () => {
    const sandbox = createSandbox({ now: NOW });
    const body = { records: { group_life: 3 } };
    const created = await control(sandbox, 'createMerchant', { body });
    expect(created.status).toBe(201);
    expect(created.body.counts).toMatchObject({ micro_health: 0, motor: 0, group_life: 3 });
  });
});

describe('a reset with records', () => {
  const SOME = { records: { motor: 5, group_life: 1 } } as const;

  test('starts the World with those, and the next reset as its merchant was created', async () => {
    const client = createClient();
    const { sandbox } = client;
    const demo = sandbox.merchant('sk_sandbox_demo');
    const created = demo.show();
    await client.as(demo).call('listMotorPolicies');
    demo.reset(SOME);
    expect(demo.show().counts).toMatchObject({ micro_health: 0, motor: 5, group_life: 1 });
    expect(demo.show()).toMatchObject({ clock: created.clock, counts: { exchanges: 0 } });
    demo.reset({ records: 'none' });
    expect(boughtBy(demo)).toEqual([]);
    demo.reset();
    expect(demo.show()).toEqual({ ...created, counts: { ...created.counts, exchanges: 0 } });
  });

  test('gives what a new merchant with those would have', () => {
    const merchant = createMerchant({ seed: 3 });
    merchant.reset({ records: COUNTS });
    const bought = boughtBy(merchant);
    expect(bought).toEqual(boughtBy(createMerchant({ records: COUNTS, seed: 3 })));
    merchant.reset({ records: 'demo' });
    expect(boughtBy(merchant)).toEqual(boughtBy(createMerchant({ records: 'demo' })));
  });

  test('does the same over HTTP, and resetting all Worlds returns to the start of each', async () => {
    const { sandbox, merchant } = createClient();
    const key = merchant.apiKey;
    const { status, body } = await control(sandbox, 'resetWorld', { key, body: SOME });
    expect([status, body.counts]).toEqual([200, merchant.show().counts]);
    expect(body.counts).toMatchObject({ motor: 5, group_life: 1 });
    await control(sandbox, 'resetAll');
    expect(merchant.show().counts).toMatchObject({ motor: 0, group_life: 0 });
  });

  test.each([
    [{ records: { motor: -1 } }, 'records.motor: expected at least 0, got -1'],
    [{ records: 'own' }, 'records: expected "none" or "demo" or an object, got "own"'],
    [{ record: {} }, 'unknown "record"; known: records'],
    [{ records: { travel: 1 } }, 'records: unknown "travel"; known: micro_health, motor'],
  ])('that it cannot have is refused and changes nothing: %j', async (start, message) => {
    const { sandbox, merchant } = createClient();
    await merchant.buy('motor');
    const before = merchant.snapshot();
    expect(() => merchant.reset(start as never)).toThrow(message);
    const { status, body } = await control(sandbox, 'resetWorld', {
      key: merchant.apiKey,
      body: start,
    });
    expect([status, body.detail]).toEqual([422, expect.stringContaining(message)]);
    expect(merchant.snapshot()).toEqual(before);
  });

  test('of a family that sells nothing is refused and changes nothing', async () => {
    const sandbox = createSandbox({ fixtures: { 'motor.json': { premium_rates: [] } } });
    const merchant = sandbox.createMerchant({ records: { micro_health: 1 } });
    expect(() => merchant.reset({ records: { motor: 1 } })).toThrow(
      'records.motor: the catalogue has no product to buy.',
    );
    expect(merchant.show().counts).toMatchObject({ micro_health: 1 });
  });
});

describe('counts of records', () => {
  test.each([
    [{ micro_health: -1 }, 'records.micro_health: expected at least 0, got -1'],
    [{ motor: 1.5 }, 'records.motor: expected a whole number, got 1.5'],
    [{ group_life: 10_001 }, 'records.group_life: expected at most 10000, got 10001'],
    [{ micro_helth: 1 }, 'records: unknown "micro_helth"; known: micro_health, motor, group_life'],
    ['many', 'records: expected "none" or "demo" or an object, got "many"'],
    [null, 'records: expected "none" or "demo" or an object, got null'],
    [{ travel: 1 }, 'records: unknown "travel"; known: micro_health, motor, group_life'],
  ])('%j are refused: %s', (records, message) => {
    const sandbox = createSandbox();
    const before = sandbox.merchants().length;
    expect(() => sandbox.createMerchant({ records: records as never })).toThrow(message);
    expect(sandbox.merchants()).toHaveLength(before);
  });

  test('of a family that sells nothing are refused', () => {
    const sandbox = createSandbox({ fixtures: { 'motor.json': { premium_rates: [] } } });
    expect(() => sandbox.createMerchant({ records: { motor: 1 } })).toThrow(
      'records.motor: the catalogue has no product to buy.',
    );
    expect(sandbox.createMerchant({ records: { motor: 0, micro_health: 1 } }).show()).toMatchObject(
      {
        counts: { motor: 0, micro_health: 1 },
      },
    );
  });
});
