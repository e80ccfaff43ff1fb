import { describe, expect, test } from 'vitest';
import {
  findPolicy,
  listPolicies,
  presentListed,
  presentPolicy,
} from '../../../src/products/motor/policies.ts';
import { initiatePurchase } from '../../../src/products/motor/purchase.ts';
import { MotorListedPolicy, MotorPolicy } from '../../../src/products/motor/schemas.ts';
import { buy, createWorld, NOW, REQUEST, refusal } from './world.ts';

describe('finding a policy', () => {
  const world = createWorld();
  const [first, second, third] = [buy(world), buy(world), buy(world)].map(
    (policy) => policy.policy_number,
  ) as [string, string, string];

  test('takes any of three spellings', () => {
    expect(findPolicy(world, { Policy_number: first }).id).toBe(1);
    expect(findPolicy(world, { policyNumber: first }).id).toBe(1);
    expect(findPolicy(world, { policy_number: first }).id).toBe(1);
  });

  test('goes by Policy_number, then policyNumber, then policy_number', () => {
    const all = { policy_number: third, policyNumber: second, Policy_number: first };
    expect(findPolicy(world, all).id).toBe(1);
    expect(findPolicy(world, { policy_number: third, policyNumber: second }).id).toBe(2);
    const wrong = { Policy_number: 'INS0000000000000', policyNumber: first };
    expect(refusal(() => findPolicy(world, wrong)).code).toBe('policy_unknown');
  });

  test('asks for Policy_number when none is named', () => {
    const error = refusal(() => findPolicy(world, {}));
    expect(error.code).toBe('invalid');
    expect(error.messages).toEqual(['The Policy_number field is required.']);
    expect(error.assumptions).toEqual(['motor-details-field']);
  });

  test('does not find what is not verified, or of another merchant', () => {
    const { policy_number } = initiatePurchase(world, REQUEST, NOW).details;
    const expected = { code: 'policy_unknown', messages: ['The policy was not found.'] };
    expect(refusal(() => findPolicy(world, { policy_number }))).toMatchObject(expected);
    const other = createWorld({ merchantId: 2 });
    expect(refusal(() => findPolicy(other, { policy_number: first }))).toMatchObject(expected);
  });

  test('answers the policy without what only verify adds', () => {
    const answer = presentPolicy(findPolicy(world, { policy_number: first }));
    expect(MotorPolicy.parse(answer)).toEqual(answer);
    expect(Object.keys(answer)).toEqual(Object.keys(MotorPolicy.shape));
    expect(answer).toMatchObject({ start_date: '2026-02-01', merchant_user_id: 1 });
  });
});

describe('listing policies', () => {
  test('answers verified policies oldest first', () => {
    const world = createWorld();
    const bought = [buy(world), buy(world)];
    initiatePurchase(world, REQUEST, NOW);
    expect(listPolicies(world)).toEqual(bought);
  });

  test('answers the newest first if a profile says so, and keeps the records in order', () => {
    const world = createWorld({ settings: { listOrder: 'newest-first' } });
    const [first, second] = [buy(world), buy(world)];
    expect(listPolicies(world)).toEqual([second, first]);
    expect(world.motor.policies.list).toEqual([first, second]);
  });

  test('answers ten fields of a policy, which is activated', () => {
    const item = presentListed(buy(createWorld(), { ...REQUEST, duration: '3' }));
    expect(MotorListedPolicy.parse(item)).toEqual(item);
    expect(item).toEqual({
      slug: `comprehensive-motor-${item.policy_number.toLowerCase()}`,
      frequency_type: 'yearly',
      duration: '3',
      vehicle_type: 'saloon',
      start_date: '2026-02-01',
      end_date: '2029-02-01',
      vehicle_value: 5_000_000,
      insurance_cover: 'bronze',
      status: 'activated',
      policy_number: expect.stringMatching(/^INS\d{13}$/),
    });
  });
});
