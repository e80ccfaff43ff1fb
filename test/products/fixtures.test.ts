import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { createSandbox, FixtureError } from '../../src/index.ts';
import { builtInFixtures, fileSchemas } from '../../src/products/fixtures.ts';
import { readFixtures } from '../../src/products/read-fixtures.ts';
import { familyKeys } from '../support/requests.ts';

const read = (name: string) =>
  JSON.parse(readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), 'utf8'));

/** The problems of the given files, one line each. */
function problemsOf(files: Record<string, unknown>): readonly string[] {
  try {
    readFixtures(files);
  } catch (error) {
    if (error instanceof FixtureError) return error.problems;
  }
  return [];
}

describe('the built-in fixtures', () => {
  test('pass validation', () => {
    const files = Object.fromEntries(Object.keys(fileSchemas).map((name) => [name, read(name)]));
    expect(problemsOf(files)).toEqual([]);
    expect(readFixtures(files)).toEqual(builtInFixtures());
  });

  test('work with any clock from 2024 on', () => {
    expect(() => createSandbox({ now: '2024-01-01T00:00:00Z' })).not.toThrow();
  });

  test('have records of the demo merchant only', () => {
    const sandbox = createSandbox();
    const counts = { micro_health: 32, motor: 5, group_life: 17 };
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

  test('are refused for an unknown product', () => {
    const health = read('micro-health.json');
    health.subscribers[4].subscriptions.product_id = 99;
    expect(problemsOf({ 'micro-health.json': health })).toEqual([
      'micro-health.json: subscribers.4.subscriptions.product_id: product 99 is not a micro-health product in products.json',
    ]);
  });

  test('are refused for impossible dates and times', () => {
    const health = read('micro-health.json');
    const { subscriptions } = health.subscribers[3];
    Object.assign(subscriptions, {
      end_date: '2023-02-30T00:00:00.000000Z',
      active_date: '2023-10-01 24:00:00',
    });
    const motor = read('motor.json');
    motor.policies[0].start_date = '2023-11-31';
    const place = 'micro-health.json: subscribers.3.subscriptions';
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

  test('are refused for a duplicate policy number', () => {
    for (const name of ['motor.json', 'group-life.json']) {
      const file = read(name);
      file.policies[3].policy_number = file.policies[0].policy_number;
      expect(problemsOf({ [name]: file }).join()).toContain(`${name}: policies.3.policy_number`);
    }
  });

  test('are refused for a record after the time of the clock', () => {
    expect(() => createSandbox({ now: '2023-09-15T00:00:00Z' })).toThrow(
      /micro-health\.json: subscribers\.\d+\.[\w.]+: .* is after the time of the clock/,
    );
  });
});

describe('contradictory records are reported with their path:', () => {
  test('micro-health', () => {
    const name = 'micro-health.json';
    const file = read(name);
    const [first, second, third, fourth] = file.subscribers;
    file.prices.push({ ...file.prices[0], product_id: 1, users: 1 });
    file.commission_rates.push({ product_id: 4, partner: 0, merchant: 0 });
    Object.assign(second, { policy_no: first.policy_no });
    Object.assign(second.subscriptions, { user_id: 99, merchant_user_id: 2 });
    Object.assign(third.transactions[0], { user_id: 99, subscriptions_id: 99 });
    fourth.subscriptions.subscriptions_no = Number.MAX_SAFE_INTEGER;
    expect(problemsOf({ [name]: file })).toEqual(
      [
        `prices.${file.prices.length - 1}: a second price of product 1 for 1 users`,
        'commission_rates.2.product_id: product 4 is not a micro-health product in products.json',
        `subscribers.1.policy_no: policy number ${first.policy_no} is already used by subscribers.0`,
        `subscribers.1.subscriptions.policy_no: expected ${first.policy_no}, the policy number of its subscriber`,
        `subscribers.1.subscriptions.user_id: expected ${second.id}, the id of its subscriber`,
        'subscribers.1.subscriptions.merchant_user_id: expected 1, the merchant of its subscriber',
        `subscribers.2.transactions.0.user_id: expected ${third.id}, the id of its subscriber`,
        `subscribers.2.transactions.0.subscriptions_id: expected ${third.subscriptions.id}, the id of its subscription`,
        'subscribers.3.subscriptions.subscriptions_no: expected at most 6, the months from start_date to end_date',
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
        `policies.2.id: ${first.id} is already used by policies.0`,
        'policies.2.product_id: product 1 is not a motor product in products.json',
        `policies.2.policy_number: policy number ${first.policy_number} is already used by policies.0`,
        'policies.2.created_at: earlier than that of the previous policy; records must be oldest first',
      ].map((line) => `motor.json: ${line}`),
    );
  });

  test('group life', () => {
    const [first, second] = read('group-life.json').policies;
    const [member] = first.group_life_members;
    const user = { ...first.user, merchant_user_id: 2 };
    const wrong = { ...first, user, user_id: 7, group_life_members: [{ ...member, policy_id: 9 }] };
    expect(problemsOf({ 'group-life.json': { policies: [first, second, wrong] } })).toEqual(
      [
        `policies.2.id: ${first.id} is already used by policies.0`,
        `policies.2.policy_number: policy number ${first.policy_number} is already used by policies.0`,
        `policies.2.user.policy_no: policy number ${first.user.policy_no} is already used by policies.0`,
        `policies.2.user_id: expected ${first.user.id}, the id of its user`,
        'policies.2.user.merchant_user_id: expected 1, the merchant of its policy',
        'policies.2.group_life_members.0.policy_id: expected 1, the id of its policy',
        'policies.2.created_at: earlier than that of the previous policy; records must be oldest first',
      ].map((line) => `group-life.json: ${line}`),
    );
  });
});

test('given files replace built-in files of the same name', async () => {
  const merchants = { merchants: [{ id: 9, name: 'Nine', api_key: 'nine' }] };
  const sandbox = createSandbox({ fixtures: { 'merchants.json': merchants } });
  expect(sandbox.merchants().map(({ apiKey }) => apiKey)).toEqual(['nine']);
});
