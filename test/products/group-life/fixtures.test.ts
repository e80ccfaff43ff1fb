import { expect, test } from 'vitest';
import file from '../../../fixtures/group-life.json' with { type: 'json' };
import microHealth from '../../../fixtures/micro-health.json' with { type: 'json' };
import { highestIds } from '../../../src/products/family.ts';
import { groupLife } from '../../../src/products/group-life/index.ts';
import { GroupLifeRecords } from '../../../src/products/group-life/records.ts';
import { problemsOf } from '../../support/records.ts';
import { stateWith } from '../states.ts';
import { buy, createWorld } from './world.ts';

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

test('what was deleted stands where it stood, and changed when it was deleted', () => {
  const members = records.policies.flatMap((policy) => policy.group_life_members);
  for (const kind of [records.policies, members]) {
    const deleted = kind.filter(({ deleted_at }) => deleted_at !== null);
    expect(deleted).toHaveLength(1);
    for (const { created_at, updated_at, deleted_at } of deleted) {
      expect(updated_at).toBe(deleted_at);
      expect(updated_at > created_at && updated_at < '2024-01-01').toBe(true);
    }
  }
});

test('a purchaser of two families is told by the policy of the other', () => {
  const known = records.policies.filter(({ user }) => user.principal_policy_no !== null);
  expect(known).toHaveLength(1);
  for (const { user } of known) {
    const { first_name, surname, email, phone_no, date_of_birth } = user;
    const same = { first_name, surname, email, phone_no, date_of_birth };
    expect(microHealth.subscribers).toContainEqual(
      expect.objectContaining({ ...same, policy_no: user.principal_policy_no }),
    );
  }
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

test('records are selected by merchant, and can become those of another', () => {
  expect(groupLife.selectMerchant(records, 1)).toEqual(records);
  expect(groupLife.selectMerchant(records, 2).policies).toEqual([]);
  expect(groupLife.selectMerchant(records, undefined).policies).toEqual([]);
  const assigned = groupLife.assignMerchant(records, 5);
  expect(groupLife.selectMerchant(assigned, 5)).toEqual(assigned);
  expect(assigned.policies[0]?.user.merchant_user_id).toBe(5);
  const ofNobody = ({ policies }: GroupLifeRecords) =>
    policies.filter(({ user }) => user.merchant_user_id === null).map(({ id }) => id);
  expect(ofNobody(assigned)).toEqual(ofNobody(records));
  expect(problemsOf(groupLife.validateRecords(assigned, world))).toEqual([]);
});

test('a state gives back the records it was made of', () => {
  const state = stateWith(groupLife, records);
  expect(groupLife.dumpRecords(state)).toEqual(records);
  expect(groupLife.policiesOf(state).list).toHaveLength(17);
});

test('numbering goes on after the highest ids', () => {
  const highest = highestIds(groupLife, records);
  const members = records.policies.flatMap((policy) => policy.group_life_members);
  expect(highest).toEqual({ user: 117, group_life_policy: 17, group_life_member: members.length });
  const begun = createWorld();
  for (const [name, id] of Object.entries(highest)) begun.sequences.put(name, id);
  const policy = buy(begun);
  expect([policy.id, policy.user_id, policy.group_life_members[0]?.id]).toEqual([
    18,
    118,
    members.length + 1,
  ]);
});

type Policy = GroupLifeRecords['policies'][number];
type Member = Policy['group_life_members'][number];
