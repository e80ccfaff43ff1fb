import { describe, expect, test } from 'vitest';
import { presentInitiated, presentVerified } from '../../../src/products/motor/policies.ts';
import { initiatePurchase } from '../../../src/products/motor/purchase.ts';
import type { MotorWorld } from '../../../src/products/motor/records.ts';
import { PendingDetails } from '../../../src/products/motor/records.ts';
import type { MotorInitiateRequest } from '../../../src/products/motor/requests.ts';
import {
  MotorInitiatedPolicy,
  MotorPolicyRecord,
  MotorVerifiedPolicy,
} from '../../../src/products/motor/schemas.ts';
import { TOKEN_LIFETIME_MS } from '../../../src/world/tokens.ts';
import { dropExpired } from '../drop-expired.ts';
import { buy, createWorld, NOW, REQUEST, refusal, verifyAt } from './world.ts';

type Cover = Pick<MotorInitiateRequest, 'start_date' | 'frequency_type' | 'duration'>;

const initiate = (changes: Partial<MotorInitiateRequest> = {}, world = createWorld()) =>
  initiatePurchase(world, { ...REQUEST, ...changes }, NOW);

describe('initiating', () => {
  test('answers CMP, the second it is, and eight digits', () => {
    expect(initiate().token).toMatch(/^CMP1769853657\d{8}$/);
    const early = Date.parse('2001-09-09T01:46:39Z');
    expect(initiatePurchase(createWorld(), { ...REQUEST, year_make: '1999' }, early).token).toMatch(
      /^CMP0999999999\d{8}$/,
    );
  });

  test('gives the policy its number and slug', () => {
    const { details } = initiate();
    expect(details.policy_number).toMatch(/^INS\d{13}$/);
    expect(details.slug).toBe(`comprehensive-motor-${details.policy_number.toLowerCase()}`);
  });

  test('gives the same to the same World, and other to another purchase or merchant', () => {
    const world = createWorld();
    const first = initiate({}, world);
    expect(initiate()).toEqual(first);
    for (const other of [initiate({}, world), initiate({}, createWorld({ merchantId: 2 }))]) {
      expect(other.token).not.toBe(first.token);
      expect(other.details.policy_number).not.toBe(first.details.policy_number);
    }
  });

  test('never gives a token or a number that is taken', () => {
    const first = initiate();
    const world = createWorld();
    world.motor.tokens.used.put(first.token, true);
    expect(initiate({}, world).token).not.toBe(first.token);
    const sold = createWorld();
    const policy = buy(createWorld());
    sold.motor.policies.put(first.details.policy_number, policy);
    expect(initiate({}, sold).details.policy_number).not.toBe(first.details.policy_number);
  });

  test('never gives a number that another purchase waits with, as long as it waits', () => {
    const world = createWorld();
    const { state } = world.random;
    const drawAgain = (now: number) => {
      dropExpired(world, 'motor', world.motor.tokens, now);
      world.random.state = state;
      return initiatePurchase(world, REQUEST, now);
    };
    const first = drawAgain(NOW);
    const number = first.details.policy_number;
    expect(drawAgain(NOW).details.policy_number).not.toBe(number);
    expect(drawAgain(NOW + TOKEN_LIFETIME_MS - 1).details.policy_number).not.toBe(number);
    expect(drawAgain(NOW + TOKEN_LIFETIME_MS + 1).details.policy_number).toBe(number);
  });

  test('forgets the numbers of purchases that wait no longer', () => {
    const world = createWorld();
    const { token } = initiate({}, world);
    initiate({}, world);
    verifyAt(world, token, NOW);
    expect(numbersReserved(world)).toHaveLength(1);
    const later = NOW + TOKEN_LIFETIME_MS + 1;
    dropExpired(world, 'motor', world.motor.tokens, later);
    const { details } = initiatePurchase(world, REQUEST, later);
    expect(numbersReserved(world)).toEqual([details.policy_number]);
  });

  test('takes the sum insured for the value of the vehicle', () => {
    expect(initiate({ sum_insured: 3_250_000.5 }).details.vehicle_value).toBe(3_250_000.5);
  });

  test('answers the duration as it was sent', () => {
    expect(initiate({ duration: 2 }).details.duration).toBe(2);
    expect(initiate({ duration: '02' }).details.duration).toBe('02');
  });

  test('remembers details of the form that a snapshot holds', () => {
    const world = createWorld();
    const { token, details } = initiate({}, world);
    expect(world.motor.tokens.pending.get(token)).toEqual({ initiated_at: NOW, details });
    expect(PendingDetails.parse(details)).toEqual(details);
  });

  test('answers the policy to come and the token, and nothing else', () => {
    const world = createWorld({ merchantId: 3 });
    const answer = presentInitiated(world, initiate({}, world));
    expect(MotorInitiatedPolicy.parse(answer)).toEqual(answer);
    expect(Object.keys(answer)).toEqual(Object.keys(MotorInitiatedPolicy.shape));
    expect(answer.merchant_user_id).toBe(3);
    expect(answer.start_date).toBe('2026-02-01');
    expect(answer.end_date).toBe('2027-02-01');
  });

  test('refuses a product that motor does not sell, and writes nothing', () => {
    const world = createWorld();
    const before = structuredClone(world);
    for (const product_id of [1, 5, 9]) {
      const error = refusal(() => initiate({ product_id, start_date: '9999-06-01' }, world));
      expect(error.code).toBe('invalid');
      expect(error.messages).toEqual([
        'The product_id field must name a product of this family: 4.',
        'The duration field must end the cover by 9999-12-31.',
      ]);
    }
    expect(world).toEqual(before);
  });
});

describe('the end of the cover', () => {
  const endOf = (
    start_date: string,
    frequency_type: Cover['frequency_type'],
    duration: Cover['duration'],
  ) => initiate({ start_date, frequency_type, duration }).details.end_date;

  test.each([
    ['2026-01-31', 'monthly', 1, '2026-02-28'],
    ['2024-01-31', 'monthly', 1, '2024-02-29'],
    ['2026-01-31', 'monthly', 2, '2026-03-31'],
    ['2026-08-31', 'monthly', '1', '2026-09-30'],
    ['2025-11-30', 'quarterly', 1, '2026-02-28'],
    ['2023-11-30', 'quarterly', '1', '2024-02-29'],
    ['2026-03-15', 'quarterly', 4, '2027-03-15'],
    ['2024-02-29', 'yearly', 1, '2025-02-28'],
    ['2024-02-29', 'yearly', 4, '2028-02-29'],
    ['2096-02-29', 'yearly', 4, '2100-02-28'],
    ['2025-12-31', 'monthly', 12, '2026-12-31'],
  ] as const)('%s, %s, %s periods: %s', (start, frequency, duration, end) => {
    expect(endOf(start, frequency, duration)).toBe(end);
  });

  test('may be the last day there is, and no later', () => {
    expect(endOf('9998-12-31', 'yearly', 1)).toBe('9999-12-31');
    for (const [start, duration] of [
      ['9999-01-01', 1],
      ['2026-01-01', 8000],
      ['2026-01-01', Number.MAX_SAFE_INTEGER],
      ['2026-01-01', '9007199254740991'],
    ] as const) {
      expect(refusal(() => endOf(start, 'yearly', duration)).messages).toEqual([
        'The duration field must end the cover by 9999-12-31.',
      ]);
    }
  });
});

describe('verifying', () => {
  test('makes a policy under the number that initiate gave', () => {
    const world = createWorld();
    const { token, details } = initiate({}, world);
    const policy = verifyAt(world, token, NOW + 60_000);
    expect(policy).toEqual({
      ...details,
      merchant_user_id: 1,
      id: 1,
      user_id: 1,
      status: true,
      created_at: '2026-01-31T10:01:57.000000Z',
      updated_at: '2026-01-31T10:01:57.000000Z',
    });
    expect(MotorPolicyRecord.parse(policy)).toEqual(policy);
    expect(world.motor.policies.list).toEqual([policy]);
  });

  test('answers merchant_id, and days as midnights', () => {
    const answer = presentVerified(buy(createWorld({ merchantId: 3 })));
    expect(MotorVerifiedPolicy.parse(answer)).toEqual(answer);
    expect(Object.keys(answer)).toEqual(Object.keys(MotorVerifiedPolicy.shape));
    expect(answer).toMatchObject({
      merchant_id: 3,
      status: true,
      start_date: '2026-02-01T00:00:00.000000Z',
      end_date: '2027-02-01T00:00:00.000000Z',
      inspection_date: '2026-01-30',
    });
  });

  test('numbers policies and customers on', () => {
    const world = createWorld();
    buy(world);
    world.sequences.put('user', 40);
    expect(buy(world)).toMatchObject({ id: 2, user_id: 41 });
  });
});

const numbersReserved = ({ motor }: MotorWorld): string[] =>
  Array.from(motor.tokens.pending.values(), ({ details }) => details.policy_number);
