import { expect, test } from 'vitest';
import file from '../../../fixtures/motor.json' with { type: 'json' };
import { motor } from '../../../src/products/motor/index.ts';
import { initiatePurchase } from '../../../src/products/motor/purchase.ts';
import { MotorRecords } from '../../../src/products/motor/records.ts';
import { startOfDay } from '../../../src/world/time.ts';
import { problemsOf } from '../../support/records.ts';
import { createWorld, REQUEST } from './world.ts';

type Policy = MotorRecords['policies'][number];

const records = MotorRecords.parse(file);
const world = createWorld();

test('the fixtures hold 5 policies of merchant 1 that nothing is wrong with', () => {
  expect(records.policies).toHaveLength(5);
  expect(problemsOf(motor.validateRecords(records, world))).toEqual([]);
  for (const policy of records.policies) {
    expect(policy.merchant_user_id).toBe(1);
    expect(policy.policy_number).toMatch(/^INS\d{13}$/);
    expect(policy.slug).toBe(`comprehensive-motor-${policy.policy_number.toLowerCase()}`);
    expect(policy.created_at >= '2023-09-01' && policy.created_at < '2023-12-01').toBe(true);
  }
});

test('the covers of the fixtures end where the rule says', () => {
  for (const { start_date, frequency_type, duration, end_date, ...policy } of records.policies) {
    const sent = { ...REQUEST, start_date, frequency_type, duration };
    const { details } = initiatePurchase(createWorld(), sent, startOfDay(start_date));
    expect(details.end_date, policy.policy_number).toBe(end_date);
  }
});

test('references, duplicates and order that are wrong are told by their place', () => {
  const [first, second] = records.policies as [Policy, Policy];
  const rates = [
    { product_id: 4, rate: 0.05 },
    { product_id: 1, rate: 0.05 },
    { product_id: 4, rate: 0.06 },
  ];
  const policies = [first, second, { ...first, product_id: 1 }];
  expect(problemsOf(motor.validateRecords({ premium_rates: rates, policies }, world))).toEqual([
    {
      path: ['premium_rates', 1, 'product_id'],
      message: 'product 1 is no motor product of products.json',
    },
    { path: ['premium_rates', 2], message: 'a second premium rate of product 4' },
    { path: ['policies', 2, 'id'], message: `${first.id} is also that of policies.0` },
    {
      path: ['policies', 2, 'product_id'],
      message: 'product 1 is no motor product of products.json',
    },
    {
      path: ['policies', 2, 'policy_number'],
      message: `policy number ${first.policy_number} is also that of policies.0`,
    },
    {
      path: ['policies', 2, 'created_at'],
      message: 'earlier than that of the policy before; records stand oldest first',
    },
  ]);
});
