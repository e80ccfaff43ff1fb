import { expect, test } from 'vitest';
import { initiatePurchase } from '../../../src/products/motor/purchase.ts';
import { MINUTE_MS } from '../../../src/world/time.ts';
import { createWorld, NOW, REQUEST, refusal, verifyAt } from './world.ts';

const END = NOW + 15 * MINUTE_MS;

function begun() {
  const world = createWorld();
  return { world, ...initiatePurchase(world, REQUEST, NOW) };
}

test('a token is valid up to the last millisecond of its 15 minutes', () => {
  const { world, token, details } = begun();
  expect(verifyAt(world, token, END - 1).policy_number).toBe(details.policy_number);
});

test('at 15 minutes a token has expired and its details are gone', () => {
  const { world, token } = begun();
  expect(refusal(() => verifyAt(world, token, END))).toMatchObject({
    code: 'token_expired',
    messages: ['Token has expired'],
  });
  expect(world.motor.tokens.pending.size).toBe(0);
  expect(world.motor.policies.list).toEqual([]);
  expect(refusal(() => verifyAt(world, token, END + 1)).code).toBe('token_expired');
});

test('a token makes one policy, and stays used after its 15 minutes', () => {
  const { world, token } = begun();
  verifyAt(world, token, NOW);
  for (const now of [NOW, END, END + 1]) {
    expect(refusal(() => verifyAt(world, token, now))).toMatchObject({
      code: 'token_used',
      messages: ['Token has already been used'],
    });
  }
  expect(world.motor.policies.list).toHaveLength(1);
});

test('a token that was never given, of another merchant or of another family is unknown', () => {
  const { world, token } = begun();
  const other = createWorld({ merchantId: 2 });
  other.expired_tokens.put('GLP176985365712345678', 'group_life');
  for (const foreign of [token, `${token}0`, 'GLP176985365712345678']) {
    expect(refusal(() => verifyAt(other, foreign, NOW))).toMatchObject({
      code: 'token_unknown',
      messages: ['Invalid token'],
    });
  }
  expect(verifyAt(world, token, NOW).merchant_user_id).toBe(1);
});

test('a refused token changes nothing', () => {
  const { world } = begun();
  const before = structuredClone(world);
  refusal(() => verifyAt(world, 'CMP000000000000000000', NOW));
  expect(world).toEqual(before);
});
