import { expect, test } from 'vitest';
import {
  findPolicy,
  presentListedPolicy,
  presentPolicy,
} from '../../../src/products/group-life/policies.ts';
import {
  GroupLifeListedPolicy,
  GroupLifePolicy,
} from '../../../src/products/group-life/schemas.ts';
import { createClient } from '../../support/client.ts';
import { buy as buyOverHttp } from '../../support/requests.ts';
import { buy, createWorld, refusal } from './world.ts';

test('a policy is found by any spelling of the field, the first of them winning', () => {
  const world = createWorld();
  const policy = buy(world);
  const number = policy.policy_number;
  expect(findPolicy(world, { policy_number: number })).toBe(policy);
  expect(findPolicy(world, { Policy_number: number, policyNumber: 'IN00000000' })).toBe(policy);
  expect(findPolicy(world, { policyNumber: number })).toBe(policy);
  const other = { policy_number: 'IN00000000', Policy_number: number };
  expect(refusal(() => findPolicy(world, other)).code).toBe('policy_unknown');
});

test('without a policy number the request is refused by the name of the first spelling', () => {
  const error = refusal(() => findPolicy(createWorld(), {}));
  expect(error.code).toBe('invalid');
  expect(error.messages).toEqual(['The policy_number field is required.']);
});

test("another merchant's policy is not found", () => {
  const { policy_number } = buy(createWorld(2));
  const error = refusal(() => findPolicy(createWorld(), { policy_number }));
  expect(error.code).toBe('policy_unknown');
  expect(error.messages).toEqual(['The policy was not found.']);
});

test('details hold the product with its class between purchaser and members', () => {
  const world = createWorld();
  const presented = presentPolicy(world, buy(world));
  expect(GroupLifePolicy.parse(presented)).toEqual(presented);
  expect(Object.keys(presented)).toEqual(Object.keys(GroupLifePolicy.shape));
  expect(presented.product).toMatchObject({ id: 2, service_id: 2, product_class_id: 2 });
});

test('a listed policy differs from details in its purchaser alone', () => {
  const world = createWorld();
  const policy = buy(world);
  const listed = presentListedPolicy(world, policy);
  expect(GroupLifeListedPolicy.parse(listed)).toEqual(listed);
  expect(Object.keys(listed)).toEqual(Object.keys(GroupLifeListedPolicy.shape));
  expect(Object.keys(listed.user)).toHaveLength(10);
  expect({ ...listed, user: policy.user }).toEqual(presentPolicy(world, policy));
});

test('the list is paginated, oldest first', async () => {
  const client = createClient();
  const bought: string[] = [];
  while (bought.length < 16) bought.push((await buyOverHttp(client, 'group_life')).policy_number);
  const { body: first } = await client.call('listGroupLifePolicies');
  expect(first.data).toMatchObject({ current_page: 1, last_page: 2, per_page: 15, total: 16 });
  const { path, next_page_url } = first.data;
  expect(next_page_url).toBe(`${path}?page=2`);
  const { body: second } = await client.call('listGroupLifePolicies', { page: 2 });
  const listed: { policy_number: string }[] = [...first.data.data, ...second.data.data];
  expect(listed.map(({ policy_number }) => policy_number)).toEqual(bought);
});
