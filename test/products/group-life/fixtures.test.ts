import { expect, test } from 'vitest';
import file from '../../../fixtures/group-life.json' with { type: 'json' };
import microHealth from '../../../fixtures/micro-health.json' with { type: 'json' };
import { groupLife } from '../../../src/products/group-life/index.ts';
import { GroupLifeRecords } from '../../../src/products/group-life/records.ts';
import { problemsOf } from '../../support/records.ts';
import { createWorld } from './world.ts';

const records = GroupLifeRecords.parse(file);
const world = createWorld();

test('the fixtures hold 17 policies of merchant 1 that nothing is wrong with', () => {
  expect(records.policies).toHaveLength(17);
  expect(problemsOf(groupLife.validateRecords(records, world))).toEqual([]);
  for (const policy of records.policies) {
    expect(policy.merchant_id).toBe(1);
    expect(policy.policy_number).toMatch(/^IN\d{8}$/);
    expect(policy.created_at >= '2023-09-01' && policy.created_at < '2023-12-01').toBe(true);
    expect(policy.group_life_members.length).toBeGreaterThanOrEqual(3);
    expect(policy.group_life_members.length).toBeLessThanOrEqual(12);
  }
});

test('every purchaser has a policy_no of its own, which no micro-health policy has', () => {
  const numbers = [
    ...records.policies.map(({ user }) => user.policy_no),
    ...microHealth.subscribers.map(({ policy_no }) => policy_no),
  ];
  for (const number of numbers) expect(number).toMatch(/^\d{10}$/);
  expect(new Set(numbers).size).toBe(numbers.length);
});

test('references, duplicates and order that are wrong are told by their place', () => {
  const [first, second] = records.policies as [Policy, Policy];
  const wrong = {
    ...first,
    product_id: 1,
    user_id: 7,
    user: { ...first.user, merchant_user_id: 2 },
    group_life_members: [{ ...(first.group_life_members[0] as Member), policy_id: 9 }],
  };
  const problems = groupLife.validateRecords({ policies: [first, second, wrong] }, world);
  expect(problemsOf(problems)).toEqual([
    { path: ['policies', 2, 'id'], message: '1 is also that of policies.0' },
    {
      path: ['policies', 2, 'product_id'],
      message: 'product 1 is no group-life product of products.json',
    },
    {
      path: ['policies', 2, 'policy_number'],
      message: `policy number ${first.policy_number} is also that of policies.0`,
    },
    {
      path: ['policies', 2, 'user', 'policy_no'],
      message: `policy number ${first.user.policy_no} is also that of policies.0`,
    },
    { path: ['policies', 2, 'user_id'], message: 'expected 101, the id of its user' },
    {
      path: ['policies', 2, 'user', 'merchant_user_id'],
      message: 'expected 1, the merchant of its policy',
    },
    {
      path: ['policies', 2, 'group_life_members', 0, 'policy_id'],
      message: 'expected 1, the id of its policy',
    },
    {
      path: ['policies', 2, 'created_at'],
      message: 'earlier than that of the policy before; records stand oldest first',
    },
  ]);
});

type Policy = GroupLifeRecords['policies'][number];
type Member = Policy['group_life_members'][number];
