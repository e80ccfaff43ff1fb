import { describe, expect, test } from 'vitest';
import { initiatePurchase, verifyPurchase } from '../../../src/products/group-life/purchase.ts';
import { PendingDetails } from '../../../src/products/group-life/records.ts';
import { GroupLifePolicyRecord } from '../../../src/products/group-life/schemas.ts';
import { MINUTE_MS } from '../../../src/world/time.ts';
import { buy, createWorld, NOW, REQUEST, refusal } from './world.ts';

describe('initiating', () => {
  test('answers GLP, the second it is, and eight digits', () => {
    const token = initiatePurchase(createWorld(), REQUEST, NOW);
    expect(token).toMatch(/^GLP1769853657\d{8}$/);
    const long = Date.parse('2001-09-09T01:46:39Z');
    expect(initiatePurchase(createWorld(), REQUEST, long)).toMatch(/^GLP0999999999\d{8}$/);
  });

  test('gives the same token to the same World, and another to the next purchase', () => {
    const world = createWorld();
    const token = initiatePurchase(world, REQUEST, NOW);
    expect(initiatePurchase(createWorld(), REQUEST, NOW)).toBe(token);
    expect(initiatePurchase(world, REQUEST, NOW)).not.toBe(token);
    expect(initiatePurchase(createWorld(2), REQUEST, NOW)).not.toBe(token);
  });

  test('remembers details of the form that a snapshot holds', () => {
    const world = createWorld();
    const { second_person_phone: _phone, start_date: _start, ...least } = REQUEST;
    const token = initiatePurchase(world, { ...least, status: true }, NOW);
    const pending = world.group_life.tokens.pending.get(token);
    expect(pending).toEqual({
      initiated_at: NOW,
      details: { ...least, second_person_phone: null, start_date: null },
    });
    expect(PendingDetails.parse(pending?.details)).toEqual(pending?.details);
  });

  test('refuses what is not sold, not born, or would not end, and writes nothing', () => {
    const world = createWorld();
    const before = structuredClone(world);
    const unborn = REQUEST.members.map((member) => ({ ...member, date_of_birth: '2026-02-01' }));
    const input = {
      ...REQUEST,
      dob: '2026-02-01',
      product_id: 9,
      members: [...REQUEST.members, ...unborn],
      start_date: '9999-01-01',
    };
    const error = refusal(() => initiatePurchase(world, input, NOW));
    expect(error.code).toBe('invalid');
    expect(error.messages).toEqual([
      'The dob field must not be after today.',
      'The product_id field must name a product of this family: 2.',
      'The members.1.date_of_birth field must not be after today.',
      'The start_date field must be at least a year before 10000-01-01.',
    ]);
    expect(world).toEqual(before);
  });

  test('accepts who is born today, and the last start that can end', () => {
    const world = createWorld();
    const input = { ...REQUEST, dob: '2026-01-31', start_date: '9998-12-31' };
    expect(buy(world, input).end_date).toBe('9999-12-31T00:00:00.000000Z');
  });
});

describe('verifying', () => {
  test('makes a policy with its purchaser and members, in the order of the specification', () => {
    const world = createWorld();
    const policy = buy(world);
    expect(GroupLifePolicyRecord.parse(policy)).toEqual(policy);
    expect(Object.keys(policy)).toEqual(Object.keys(GroupLifePolicyRecord.shape));
    expect(policy).toMatchObject({
      id: 1,
      user_id: 1,
      product_id: 2,
      merchant_id: 1,
      policy_number: expect.stringMatching(/^IN\d{8}$/),
      start_date: '2026-02-01T00:00:00.000000Z',
      end_date: '2027-02-01T00:00:00.000000Z',
      status: true,
      deleted_at: null,
      created_at: '2026-01-31T10:00:57.000000Z',
      user: {
        id: 1,
        date_of_birth: '1990-04-12T00:00:00.000000Z',
        gender: 'female',
        policy_no: expect.stringMatching(/^\d{10}$/),
        user_type: 'principal',
        merchant_user_id: 1,
      },
      group_life_members: [
        {
          id: 1,
          policy_id: 1,
          date_of_birth: '1992-08-03T00:00:00.000000Z',
          next_of_kiln: 'Sade Ade',
          policy_type: 'group-life',
        },
      ],
    });
    expect(world.group_life.policies.list).toEqual([policy]);
  });

  test('starts the cover on the day of verify, so that none begins before its policy exists', () => {
    const world = createWorld();
    const { start_date: _start, ...input } = REQUEST;
    const late = Date.parse('2026-01-31T23:55:00Z');
    const token = initiatePurchase(world, input, late);
    expect(verifyPurchase(world, token, late + 10 * MINUTE_MS)).toMatchObject({
      start_date: '2026-02-01T00:00:00.000000Z',
      end_date: '2027-02-01T00:00:00.000000Z',
      created_at: '2026-02-01T00:05:00.000000Z',
    });
  });

  test('ends a cover from 29 February on 28 February', () => {
    expect(buy(createWorld(), { ...REQUEST, start_date: '2028-02-29' }).end_date).toBe(
      '2029-02-28T00:00:00.000000Z',
    );
  });

  test('works once', () => {
    const world = createWorld();
    const token = initiatePurchase(world, REQUEST, NOW);
    verifyPurchase(world, token, NOW);
    expect(refusal(() => verifyPurchase(world, token, NOW)).code).toBe('token_used');
    expect(world.group_life.policies.list).toHaveLength(1);
  });
});
