import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import {
  createSandbox,
  FixtureError,
  type Merchant,
  type SandboxOptions,
} from '../../src/index.ts';
import { endedCovers } from '../../src/products/clock-move.ts';
import type { ProductFamily } from '../../src/products/family.ts';
import { LAST_BUILT_IN_MOMENT } from '../../src/products/fixture-policies.ts';
import { builtInFixtures, fileSchemas } from '../../src/products/fixtures.ts';
import { buyPlanned, createPurchaseWorld } from '../../src/products/planned-purchases.ts';
import { readFixtures } from '../../src/products/read-fixtures.ts';
import { lateMoments, MAX_GIVEN_NUMBER } from '../../src/products/record-validation.ts';
import { anyFamilies, publishedFamilies, stateOf, type World } from '../../src/products/world.ts';
import { openSandbox } from '../../src/sandbox/open-sandbox.ts';
import { DAY_MS, MAX_INSTANT, SECOND_MS, timestamp } from '../../src/world/time.ts';
import { type FamilyKey, familyKeys, purchaseOf } from '../support/requests.ts';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), 'utf8'));

/** The problems of the given files, one line each. */
function problemsOf(files: Record<string, unknown>): readonly string[] {
  try {
    readFixtures(files);
  } catch (error) {
    if (error instanceof FixtureError) return error.message.split('\n');
  }
  return [];
}

describe('the built-in fixtures', () => {
  const NOW = '2026-01-31T10:00:00Z';
  test('pass validation', () => {
    const files = Object.fromEntries(Object.keys(fileSchemas()).map((name) => [name, read(name)]));
    expect(problemsOf(files)).toEqual([]);
    expect({ ...readFixtures(files), given: {} }).toEqual(builtInFixtures());
  });

  test('have no record after the time from which they need not be moved', () => {
    const { policies } = builtInFixtures();
    expect(lateMoments(policies, LAST_BUILT_IN_MOMENT)).toEqual([]);
    const before = timestamp(Date.parse(LAST_BUILT_IN_MOMENT) - SECOND_MS);
    expect(lateMoments(policies, before)).not.toEqual([]);
  });

  test('have purchases as initiate reads them, so that the start need not', () => {
    const { purchases } = builtInFixtures();
    expect(purchases.length).toBeGreaterThan(6);
    for (const purchase of purchases) {
      const family = anyFamilies.find(({ key }) => key === purchase.family) as ProductFamily;
      const initiate = family.operations.find(
        ({ operationId }) => operationId === family.initiateOperation,
      );
      const implied = { amount: 1, start_date: '2026-01-30', inspection_date: '2026-01-30' };
      const input = { ...implied, ...purchase.request };
      expect(initiate?.input?.parse(input)).toMatchObject(purchase.request);
    }
    const checked = createSandbox({ now: NOW, clock: 'frozen' }).merchant('sk_sandbox_demo');
    const files = Object.fromEntries(Object.keys(fileSchemas()).map((name) => [name, read(name)]));
    const unchecked = createSandbox({ now: NOW, clock: 'frozen', fixtures: files }).merchant(
      'sk_sandbox_demo',
    );
    expect(checked.snapshot()).toEqual(unchecked.snapshot());
  });

  test.each([
    '1970-01-01T00:00:00Z',
    '1999-02-28',
    '2020-02-29',
    '2023-09-15T00:00:00Z',
    '2024-02-29T00:00:00Z',
    '2026-01-31T10:00:00Z',
    '2031-12-31T23:59:59Z',
    '2286-01-01',
  ])('have policies that run and one of each family that ends soon, at %s', (now) => {
    const start = Date.parse(now);
    const { store, sandbox } = openSandbox({ now });
    const world = store.byKey.get('sk_sandbox_demo')?.world as World;
    for (const family of anyFamilies) {
      const policies = stateOf(world, family).policies.list;
      expect(policies.length).toBeGreaterThan(6);
      const ends = endedCovers(world, start, MAX_INSTANT)
        .filter((ended) => ended.family === family.key)
        .map(({ at }) => at - start);
      expect(ends.length).toBeGreaterThan(1);
      const latest = new Date(start).toISOString().replace('.000Z', '.000000Z');
      expect(policies.flatMap((policy) => lateMoments(policy, latest))).toEqual([]);
      // A clock cannot go back before 1970, and so no policy was bought before.
      if (start > Date.parse('1971-06-01')) expect(Math.min(...ends)).toBeLessThan(7 * DAY_MS);
    }
    const merchant = sandbox.merchant('sk_sandbox_demo');
    const saved = merchant.snapshot();
    merchant.restore(saved);
    expect(merchant.snapshot().world['motor.policies']).toEqual(saved.world['motor.policies']);
  });

  test('are the same as long as the clock starts after them', () => {
    const recordsAt = (now: string) =>
      createSandbox({ now })
        .merchant('sk_sandbox_demo')
        .records({ family: 'group_life', per_page: 100 }).data;
    const [before, after] = [recordsAt('2020-06-01'), recordsAt('2026-01-31')];
    const { created_at, start_date, user, policy_number } = after.at(-1) ?? {};
    expect(read('group-life.json').policies[0]).toMatchObject({ created_at, start_date, user });
    const moved = before.find(({ policy_number: number }) => number === policy_number);
    expect(moved?.created_at).toBe('2019-09-04T09:17:26.000000Z');
    expect(moved?.user?.date_of_birth).toBe('1963-04-26T00:00:00.000000Z');
  });

  test.each(['2020-02-29', '1999-02-28'])('are there for a merchant that starts at %s', (now) => {
    const merchant = createSandbox().createMerchant({ records: 'demo', now });
    const { data } = merchant.records({ family: 'micro_health' });
    expect(data.length).toBeGreaterThan(6);
    for (const { created_at } of data) expect(created_at.slice(0, 10) <= now).toBe(true);
  });

  test('have records of the demo merchant only', () => {
    const sandbox = createSandbox();
    const counts = { micro_health: 35, motor: 7, group_life: 19 };
    expect(sandbox.merchant('sk_sandbox_demo').show()).toMatchObject({ id: 1, counts });
    const none = Object.fromEntries(familyKeys.map((key) => [key, 0]));
    expect(sandbox.merchant('sk_sandbox_other').show()).toMatchObject({ id: 2, counts: none });
  });
});

describe('fixtures with a mistake', () => {
  test('are refused with file, path, value and expected value', () => {
    const motor = read('motor.json');
    motor.policies[2].policy_number = 7;
    delete motor.policies[1].slug;
    motor.policies[0].colour = 'red';
    expect(problemsOf({ 'motor.json': motor })).toEqual([
      'motor.json: policies.0: unknown "colour"',
      'motor.json: policies.1.slug: expected a string, got nothing',
      'motor.json: policies.2.policy_number: expected a string, got 7',
    ]);
  });

  test('are refused for impossible dates and times', () => {
    const health = read('micro-health.json');
    const { subscriptions } = health.policies[3];
    Object.assign(subscriptions, {
      end_date: '2023-02-30T00:00:00.000000Z',
      active_date: '2023-10-01 24:00:00',
    });
    const motor = read('motor.json');
    motor.policies[0].start_date = '2023-11-31';
    const place = 'micro-health.json: policies.3.subscriptions';
    const moment = 'expected a day and time the calendar has';
    expect(problemsOf({ 'micro-health.json': health, 'motor.json': motor })).toEqual([
      `${place}.end_date: ${moment}, got "2023-02-30T00:00:00.000000Z"`,
      `${place}.active_date: ${moment}, got "2023-10-01 24:00:00"`,
      'motor.json: policies.0.start_date: expected a day the calendar has, got "2023-11-31"',
    ]);
  });

  test('are refused for a duplicate product id and an unknown family', () => {
    const { products } = read('products.json');
    const again = { ...products[1], id: products[0].id };
    const misspelt = { ...products[0], id: 99, family: 'micro_helth' };
    expect(problemsOf({ 'products.json': { products: [...products, again, misspelt] } })).toEqual([
      `products.json: products.${products.length}.id: ${again.id} is already used by products.0`,
      `products.json: products.${products.length + 1}.family: expected ${familyKeys.join(' or ')}, got "micro_helth"`,
    ]);
  });

  test('are refused for numbers that a World could not count on from', () => {
    const { merchants } = read('merchants.json');
    const { policies } = read('micro-health.json');
    const [first] = structuredClone(policies);
    first.subscriptions.subscriptions_no = MAX_GIVEN_NUMBER + 1;
    expect(
      problemsOf({
        'merchants.json': { merchants: [{ ...merchants[0], id: MAX_GIVEN_NUMBER + 1 }] },
        'micro-health.json': { policies: [first] },
      }),
    ).toEqual([
      'merchants.json: merchants.0.id: expected at most 1000000000000000, got 1000000000000001',
      'micro-health.json: policies.0.subscriptions.subscriptions_no: expected at most 1000000000000000, got 1000000000000001',
    ]);
  });

  test('are refused for a record after the time of the clock', () => {
    const fixtures = { 'micro-health.json': read('micro-health.json') };
    expect(() => createSandbox({ now: '2023-09-15T00:00:00Z', fixtures })).toThrow(
      /micro-health\.json: policies\.\d+\.[\w.]+: .* is after the time of the clock/,
    );
  });
});

describe('records that contradict the catalogue or each other are reported with their path:', () => {
  test('micro-health', () => {
    const name = 'micro-health.json';
    const file = read(name);
    const [first, second, third] = file.policies;
    file.prices.push({ ...file.prices[0], product_id: 1, users: 1 });
    file.commission_rates.push({ product_id: 4, partner: 0, merchant: 0 });
    second.policy_no = first.policy_no;
    third.subscriptions.product_id = 99;
    expect(problemsOf({ [name]: file })).toEqual(
      [
        `prices.${file.prices.length - 1}: a second price of product 1 for 1 user`,
        'commission_rates.2.product_id: product 4 is not a micro-health product in products.json',
        'policies.2.subscriptions.product_id: product 99 is not a micro-health product in products.json',
        `policies.1.policy_no: "${first.policy_no}" is already used by policies.0`,
      ].map((line) => `${name}: ${line}`),
    );
  });

  test('motor', () => {
    const { policies, premium_rates } = read('motor.json');
    const [first, second] = policies;
    const rates = [...premium_rates, { product_id: 1, rate: 0.05 }, premium_rates[0]];
    const file = { premium_rates: rates, policies: [first, second, { ...first, product_id: 1 }] };
    expect(problemsOf({ 'motor.json': file })).toEqual(
      [
        'premium_rates.1.product_id: product 1 is not a motor product in products.json',
        'premium_rates.2: a second premium rate of product 4',
        'policies.2.product_id: product 1 is not a motor product in products.json',
        `policies.2.policy_number: "${first.policy_number}" is already used by policies.0`,
        'policies.2.created_at: earlier than that of the previous record; records must be oldest first',
      ].map((line) => `motor.json: ${line}`),
    );
  });

  test('group life', () => {
    const [first, second] = read('group-life.json').policies;
    expect(problemsOf({ 'group-life.json': { policies: [first, second, first] } })).toEqual(
      [
        `policies.2.policy_number: "${first.policy_number}" is already used by policies.0`,
        'policies.2.created_at: earlier than that of the previous record; records must be oldest first',
      ].map((line) => `group-life.json: ${line}`),
    );
  });
});

describe('a fixture file', () => {
  const NOW = '2026-01-31T10:00:00Z';
  const open = (fixtures: Record<string, unknown>) => createSandbox({ now: NOW, fixtures });
  const demoCounts = (fixtures: Record<string, unknown>) =>
    open(fixtures).merchant('sk_sandbox_demo').show().counts;

  test('keeps the keys of the built-in file that it leaves out', async () => {
    const prices = [{ product_id: 1, users: 1, monthly: 10, quarterly: 30, annually: 120 }];
    const merchant = open({ 'micro-health.json': { prices } }).merchant('sk_sandbox_demo');
    const plan = { product_id: 1, no_of_users: 1, subscription_type: 'monthly' } as const;
    const { body } = await merchant.call('getMicroHealthQuote', plan);
    expect(body.success && body.data.quote_price).toBe(10);
    // Of the three purchases one is of a plan that still has a price.
    expect(merchant.show().counts.micro_health).toBe(33);
    expect(demoCounts({ 'micro-health.json': { policies: [] } }).micro_health).toBe(0);
  });

  test('has whole records, and names every field that is missing', () => {
    const { id: _, middle_name: _name, ...subscriber } = read('micro-health.json').policies[0];
    const [{ details: _details, ...product }] = read('products.json').products;
    expect(
      problemsOf({
        'micro-health.json': { policies: [subscriber] },
        'products.json': { products: [product] },
      }),
    ).toEqual([
      'products.json: products.0.details: expected a string, got nothing',
      'micro-health.json: policies.0.id: expected a number, got nothing',
      'micro-health.json: policies.0.middle_name: expected a string or null, got nothing',
    ]);
  });

  test('has problems with rule, file and place', () => {
    const [first, second] = read('motor.json').policies;
    const motor = { premium_rates: [], policies: [first, { ...second, id: first.id, slug: 5 }] };
    const files = { 'motor.json': motor, 'cars.json': {} };
    expect(() => readFixtures(files)).toThrow(
      expect.objectContaining({
        name: 'FixtureError',
        problems: [
          {
            rule: 'unknown_field',
            file: 'cars.json',
            path: [],
            message: expect.stringContaining('unknown fixture file; expected '),
          },
          {
            rule: 'type',
            file: 'motor.json',
            path: ['policies', 1, 'slug'],
            message: 'expected a string, got 5',
          },
        ],
      }),
    );
    const again = { policies: [first, { ...second, policy_number: first.policy_number }] };
    expect(() => readFixtures({ 'motor.json': again })).toThrow(
      expect.objectContaining({
        problems: [
          {
            rule: 'duplicate',
            file: 'motor.json',
            path: ['policies', 1, 'policy_number'],
            message: `"${first.policy_number}" is already used by policies.0`,
          },
        ],
      }),
    );
  });

  test('lists at most twenty problems', () => {
    const [first] = read('micro-health.json').policies;
    const unknown = Array.from({ length: 25 }, (_, place) => `field_${'x'.repeat(place)}`);
    const policies = unknown.map((name) => ({ ...first, [name]: 1 }));
    const problems = problemsOf({ 'micro-health.json': { policies } });
    expect(problems).toHaveLength(21);
    expect(problems.at(-1)).toBe('micro-health.json: +5 more');
  });

  test('of any wrong form is refused with its place', () => {
    for (const content of [null, 5, [], 'x', { merchants: 5 }, { merchants: [null, 7] }]) {
      expect(problemsOf({ 'merchants.json': content })[0]).toMatch(/^merchants\.json: /);
    }
    for (const content of [null, [], { purchases: 5 }, { purchases: [null] }, { policies: [7] }]) {
      expect(problemsOf({ 'motor.json': content })[0]).toMatch(/^motor\.json: /);
    }
  });

  test.each(['toString', 'constructor', 'hasOwnProperty'])(
    'refuses the name %s, which every object has, as any unknown one',
    (name) => {
      const purchases = [{ at: '-P1D', ...purchaseOf('motor'), [name]: 5 }];
      expect(problemsOf({ [name]: {} })).toEqual([
        expect.stringMatching(`^${name}: unknown fixture file; expected `),
      ]);
      expect(problemsOf({ 'motor.json': { [name]: [] } })).toEqual([
        `motor.json: unknown "${name}"`,
      ]);
      expect(problemsOf({ 'motor.json': { purchases } })).toEqual([
        `motor.json: purchases.0.${name}: initiate has no such field`,
      ]);
      expect(() => createSandbox({ fixtures: { [name]: {} } })).toThrow(name);
    },
  );

  test('that makes built-in records invalid says how to leave them out', () => {
    const [product] = read('products.json').products;
    expect(problemsOf({ 'products.json': { products: [product] } }).join('\n')).toContain(
      'motor.json: policies.0.product_id: product 4 is not a motor product in products.json; this is built in, "policies": [] leaves it out',
    );
  });
});

describe('purchases in a fixture file', () => {
  const NOW = '2026-01-31T10:00:00Z';
  const planned = (at: string, changes: Record<string, unknown> = {}) => ({
    at,
    ...purchaseOf('micro_health'),
    ...changes,
  });
  // biome-ignore lint/suspicious/noExplicitAny: some purchases are wrong on purpose
  const healthOf = (purchases: any, more: Record<string, unknown> = {}) => ({
    'micro-health.json': { purchases, ...more },
  });

  test('are bought at their times by the first merchant, beside the records of the file', () => {
    const purchases = [
      planned('2026-01-05T10:00:00Z'),
      planned('2025-12-05T10:00:00+01:00', { first_name: 'Bola' }),
    ];
    const sandbox = createSandbox({ now: NOW, fixtures: healthOf(purchases) });
    const merchant = sandbox.merchant('sk_sandbox_demo');
    expect(merchant.show().counts.micro_health).toBe(34);
    const [ada, bola] = merchant.records({ family: 'micro_health' }).data;
    expect(ada).toMatchObject({
      first_name: 'Ada',
      created_at: '2026-01-05T10:00:00.000000Z',
      subscriptions: { end_date: '2026-02-05T10:00:00.000000Z' },
    });
    expect(bola).toMatchObject({ first_name: 'Bola', created_at: '2025-12-05T09:00:00.000000Z' });
    const alone = healthOf(purchases, { policies: [] });
    const counts = createSandbox({ now: NOW, fixtures: alone }).merchants()[0]?.show().counts;
    expect(counts?.micro_health).toBe(2);
  });

  test('are the same in every sandbox, and after a reset', () => {
    const fixtures = healthOf([planned('2026-01-05T10:00:00Z')]);
    const recordsIn = (options: SandboxOptions) => {
      const merchant = createSandbox({ ...options, fixtures }).merchant('sk_sandbox_demo');
      merchant.reset();
      return merchant.records({ family: 'micro_health' });
    };
    expect(recordsIn({ now: NOW, seed: 1 })).toEqual(recordsIn({ now: NOW, seed: 2 }));
  });

  test('that the rule refuses are named with file, place and the sentence of the rule', () => {
    const refused = [
      planned('2026-01-05T10:00:00Z'),
      planned('2026-01-06T10:00:00Z', { amount: 650, phone_no: '080' }),
      planned('2026-01-07T10:00:00Z', { first_beneficiary_fullname: 'Bola Ade' }),
    ];
    expect(problemsOf(healthOf(refused))).toEqual([
      'micro-health.json: purchases.1.phone_no: must be 11 digits.',
      'micro-health.json: purchases.1.amount: must be 700, the premium of this plan.',
      'micro-health.json: purchases.2.first_beneficiary_fullname: initiate has no such field; did you mean "first_beneficiary_full_name"?',
    ]);
    const ignoring = { fixtures: healthOf([planned(NOW, { amount: 650 })]), amountCheck: 'ignore' };
    expect(() => createSandbox(ignoring as SandboxOptions)).not.toThrow();
  });

  test('need a merchant that makes them', () => {
    const nobody = { ...healthOf([planned(NOW)]), 'merchants.json': { merchants: [] } };
    expect(problemsOf(nobody)).toEqual([
      'merchants.json: merchants: purchases need a merchant that makes them',
    ]);
  });

  test('need a time, which is not after the start of the clock', () => {
    const { at: _, ...timeless } = planned(NOW);
    const place = 'micro-health.json: purchases.0.at:';
    expect(problemsOf(healthOf([timeless]))).toEqual([`${place} expected a string, got nothing`]);
    expect(problemsOf(healthOf([planned('2026-01-05')]))).toEqual([
      `${place} expected a time like 2026-01-31T10:00:00Z or a duration before the start like -P10D, got "2026-01-05"`,
    ]);
    const fixtures = healthOf([planned('2026-02-01T00:00:00Z')]);
    const late = `${place} 2026-02-01T00:00:00.000000Z is after the time of the clock; expected 2026-01-31T10:00:00.000000Z or earlier`;
    expect(() => createSandbox({ now: NOW, fixtures })).toThrow(late);
    const clock = () => new Date(NOW);
    expect(() => createSandbox({ clock, fixtures })).toThrow(late);
    expect(() => createSandbox({ now: '2026-02-01T00:00:00Z', fixtures })).not.toThrow();
  });

  test('may have a policy number of their own and renewals at the premium', async () => {
    const purchases = [
      planned('2025-11-30T10:00:00Z', {
        policy_number: '0000000042',
        renewals: ['2025-12-30T09:00:00Z', '-P10D'],
      }),
    ];
    const sandbox = createSandbox({ now: NOW, fixtures: healthOf(purchases, { policies: [] }) });
    const merchant = sandbox.merchant('sk_sandbox_demo');
    const found = await merchant.data('validateMicroHealthPolicy', { policy_no: '0000000042' });
    expect(found).toMatchObject({ policy_no: '0000000042' });
    const [record] = merchant.records({ family: 'micro_health' }).data;
    expect(record).toMatchObject({
      policy_no: '0000000042',
      subscriptions: {
        policy_no: '0000000042',
        subscriptions_no: 3,
        end_date: '2026-02-28T10:00:00.000000Z',
      },
      transactions: [
        { created_at: '2025-11-30T10:00:00.000000Z', amount: '700.00' },
        { created_at: '2025-12-30T09:00:00.000000Z', amount: '700.00' },
        { created_at: '2026-01-21T10:00:00.000000Z', amount: '700.00' },
      ],
    });
    const motor = { at: '-P1D', ...purchaseOf('motor'), policy_number: 'CAR-1' };
    const cars = createSandbox({
      fixtures: { 'motor.json': { purchases: [motor] } },
    });
    const car = { Policy_number: 'CAR-1' };
    expect(await cars.merchant('sk_sandbox_demo').data('getMotorPolicyDetails', car)).toMatchObject(
      { policy_number: 'CAR-1', slug: 'comprehensive-motor-car-1' },
    );
  });

  test('leave the purchaser of group life a number of their own', () => {
    const group = { at: '-P1D', ...purchaseOf('group_life'), policy_number: 'IN00000042' };
    const fixtures = { 'group-life.json': { policies: [], purchases: [group] } };
    const merchant = createSandbox({ fixtures }).merchant('sk_sandbox_demo');
    const [policy] = merchant.records({ family: 'group_life' }).data;
    expect(policy).toMatchObject({
      policy_number: 'IN00000042',
      user: { policy_no: expect.stringMatching(/^\d+$/) },
    });
  });

  test('are refused with a number that is taken, or renewals that cannot be', () => {
    const [first] = read('micro-health.json').policies;
    const place = 'micro-health.json: purchases';
    const taken = healthOf(
      [
        planned('-P2M', { policy_number: first.policy_no }),
        planned('-P2M', { policy_number: '44' }),
        planned('-P1M', { policy_number: '44' }),
      ],
      { policies: [first] },
    );
    expect(problemsOf(taken)).toEqual([
      `${place}.0.policy_number: ${first.policy_no} is already used by policies.0`,
      `${place}.2.policy_number: 44 is already used by purchases.1`,
    ]);
    expect(problemsOf(healthOf([planned(NOW, { policy_number: ' ' })]))[0]).toContain(
      `${place}.0.policy_number: `,
    );
    const motor = { at: '-P1D', ...purchaseOf('motor'), renewals: ['-PT1H'] };
    expect(problemsOf({ 'motor.json': { purchases: [motor] } })).toEqual([
      'motor.json: purchases.0.renewals: policies of Comprehensive motor are not renewed',
    ]);
    const refusalOf = (at: string, renewals: readonly string[]) => {
      const fixtures = healthOf([planned(at, { renewals })]);
      return () => createSandbox({ now: NOW, fixtures });
    };
    expect(refusalOf('2026-01-05T10:00:00Z', ['-P10D', '-P40D'])).toThrow(
      `${place}.0.renewals.1: -P40D is before 2026-01-21T10:00:00.000000Z; renewals come after the purchase, oldest first`,
    );
    expect(refusalOf('-P2M', ['2026-02-01T00:00:00Z'])).toThrow(
      `${place}.0.renewals.0: 2026-02-01T00:00:00.000000Z is after the time of the clock`,
    );
  });

  test('are refused if a renewal goes beyond the last day', () => {
    const setup = {
      priceList: builtInFixtures(),
      families: publishedFamilies,
      merchantId: 1,
      seed: 1,
    };
    const family = anyFamilies.find(({ key }) => key === 'micro_health') as ProductFamily;
    const [at, renewal] = ['9998-11-30T10:00:00Z', '9999-11-30T09:00:00Z'].map(Date.parse);
    const { at: _, ...request } = planned(NOW, { subscription_type: 'annually', amount: 7700 });
    const purchase = { family, at: at as number, request, renewals: [renewal as number] };
    expect(buyPlanned(createPurchaseWorld(setup), purchase)).toEqual({
      problems: [
        {
          rule: 'range',
          path: ['renewals', 0],
          message: 'The policy_no field names a policy whose cover cannot go beyond 9999-12-31.',
        },
      ],
    });
  });

  const alone = (purchases: unknown) => ({
    ...healthOf(purchases, { policies: [] }),
    'motor.json': { policies: [] },
    'group-life.json': { policies: [] },
  });
  const boughtIn = (merchant: Merchant) =>
    merchant
      .records({ family: 'micro_health' })
      .data.map(({ id, first_name, created_at }) => `${id} ${first_name} ${created_at}`);

  test('can be made a duration before the start of the World, in order of their times', () => {
    const purchases = [
      planned('-P1M', { first_name: 'Bola' }),
      planned('2025-12-30T10:00:00Z', { first_name: 'Chidi' }),
      planned('-PT2H'),
    ];
    const sandbox = createSandbox({ now: NOW, fixtures: alone(purchases) });
    const expected = [
      '3 Ada 2026-01-31T08:00:00.000000Z',
      '2 Bola 2025-12-31T10:00:00.000000Z',
      '1 Chidi 2025-12-30T10:00:00.000000Z',
    ];
    expect(boughtIn(sandbox.merchant('sk_sandbox_demo'))).toEqual(expected);
    const later = sandbox.createMerchant({ records: 'demo', now: '2026-03-31T10:00:00Z' });
    expect(boughtIn(later)).toEqual([
      '3 Ada 2026-03-31T08:00:00.000000Z',
      '2 Bola 2026-02-28T10:00:00.000000Z',
      '1 Chidi 2025-12-30T10:00:00.000000Z',
    ]);
    sandbox.merchant('sk_sandbox_demo').reset();
    expect(boughtIn(sandbox.merchant('sk_sandbox_demo'))).toEqual(expected);
  });

  test('follow a clock that runs: a reset counts from the time that is now', () => {
    let now = NOW;
    const sandbox = createSandbox({
      clock: () => new Date(now),
      fixtures: alone([planned('-P10D')]),
    });
    const merchant = sandbox.merchant('sk_sandbox_demo');
    expect(boughtIn(merchant)).toEqual(['1 Ada 2026-01-21T10:00:00.000000Z']);
    now = '2026-02-28T10:00:00Z';
    expect(boughtIn(merchant)).toEqual(['1 Ada 2026-01-21T10:00:00.000000Z']);
    merchant.reset();
    expect(boughtIn(merchant)).toEqual(['1 Ada 2026-02-18T10:00:00.000000Z']);
  });

  test.each(['-10D', '-P', 'P10D', '-P10X', '-P1.5D'])('refuse %s as a time', (at) => {
    expect(problemsOf(healthOf([planned(at)]))).toEqual([
      `micro-health.json: purchases.0.at: expected a time like 2026-01-31T10:00:00Z or a duration before the start like -P10D, got "${at}"`,
    ]);
  });

  test('made a duration before the start are judged at that time', () => {
    const problemsAt = (at: string) => problemsOf(healthOf([planned(at)]));
    expect(problemsAt('-P80Y')).toEqual([
      'micro-health.json: purchases.0.at: -P80Y goes before 1970-01-01T00:00:00.000000Z',
    ]);
    expect(problemsAt('-P40Y')).toEqual([
      'micro-health.json: purchases.0.date_of_birth: must not be after today.',
    ]);
  });

  test('may leave out the premium of micro-health and the days of motor', () => {
    const { amount: _, ...health } = { amount: 0, ...planned('-P1D') };
    const { start_date: _s, inspection_date: _i, ...vehicle } = purchaseOf('motor');
    const fixtures = {
      ...healthOf([health]),
      'motor.json': { purchases: [{ at: '-P1D', ...vehicle }] },
    };
    const merchant = createSandbox({ now: NOW, fixtures }).merchant('sk_sandbox_demo');
    const [newest] = merchant.records({ family: 'micro_health' }).data;
    expect(newest?.transactions[0]?.amount).toBe('700.00');
    expect(merchant.records({ family: 'motor' }).data[0]).toMatchObject({
      start_date: '2026-01-30',
      inspection_date: '2026-01-30',
    });
  });

  test('that are built in are left out where own products do not allow them', () => {
    const { products } = read('products.json');
    const disabled = products.map((each: object) => ({ ...each, enable: false }));
    const fixtures = { 'products.json': { products: disabled } };
    const sandbox = createSandbox({ now: NOW, fixtures });
    expect(sandbox.merchant('sk_sandbox_demo').show().counts).toMatchObject({
      micro_health: 32,
      motor: 5,
      group_life: 17,
    });
  });

  test('of all families have ids in the order of their times', () => {
    const at = (family: FamilyKey, time: string) => ({ at: time, ...purchaseOf(family) });
    const fixtures = {
      'motor.json': { policies: [], purchases: [at('motor', '2026-01-02T00:00:00Z')] },
      'group-life.json': { policies: [], purchases: [at('group_life', '2026-01-01T00:00:00Z')] },
      'micro-health.json': { policies: [] },
    };
    const merchant = createSandbox({ now: NOW, fixtures }).merchant('sk_sandbox_demo');
    expect(merchant.records({ family: 'group_life' }).data).toMatchObject([{ user_id: 1 }]);
    expect(merchant.snapshot().world['motor.policies']).toMatchObject([{ user_id: 2 }]);
  });
});

test('given files replace built-in files of the same name', async () => {
  const merchants = { merchants: [{ id: 9, name: 'Nine', api_key: 'nine' }] };
  const sandbox = createSandbox({ fixtures: { 'merchants.json': merchants } });
  expect(sandbox.merchants().map(({ apiKey }) => apiKey)).toEqual(['nine']);
});
