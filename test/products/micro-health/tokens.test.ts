import { describe, expect, test } from 'vitest';
import { initiatePurchase } from '../../../src/products/micro-health/purchase.ts';
import { Tables } from '../../../src/world/tables.ts';
import { createTokenStore, findPending, MAX_EXPIRED_TOKENS } from '../../../src/world/tokens.ts';
import { dropExpired } from '../drop-expired.ts';
import { at, createTestWorld, PRINCIPAL, refusalOf, verifyAt } from './world.ts';

const NOON = at('2026-01-31T12:00:00Z');
const LIFETIME = 15 * 60 * 1000;

const pendingWorld = (settings = {}) => {
  const world = createTestWorld({ settings });
  return { world, token: initiatePurchase(world, PRINCIPAL, NOON) };
};

describe('a purchase token', () => {
  test('is valid in the last millisecond before the 15 minutes are over', () => {
    const { world, token } = pendingWorld();
    expect(verifyAt(world, token, NOON + LIFETIME - 1).id).toBe(1);
  });

  test('is never one that is pending, though the chance of the World was put back', () => {
    const world = createTestWorld();
    const { state } = world.random;
    const first = initiatePurchase(world, PRINCIPAL, NOON);
    world.random.state = state;
    expect(initiatePurchase(world, PRINCIPAL, NOON)).not.toBe(first);
    expect(world.micro_health.tokens.pending.size).toBe(2);
  });

  test('has expired at exactly 15:00.000, and its details are gone', () => {
    const { world, token } = pendingWorld();
    expect(refusalOf(() => verifyAt(world, token, NOON + LIFETIME))).toEqual({
      code: 'token_expired',
      messages: ['Token has expired'],
    });
    expect(world.micro_health.tokens.pending.size).toBe(0);
    expect(world.micro_health.subscribers.list).toEqual([]);
  });

  test('is still valid at exactly 15:00.000 where the boundary is inclusive, and not after', () => {
    const inclusive = { tokenBoundary: 'inclusive' };
    const [first, second] = [pendingWorld(inclusive), pendingWorld(inclusive)];
    expect(verifyAt(first.world, first.token, NOON + LIFETIME).id).toBe(1);
    expect(refusalOf(() => verifyAt(second.world, second.token, NOON + LIFETIME + 1)).code).toBe(
      'token_expired',
    );
  });

  test('completes one purchase only, and says so, also after the 15 minutes', () => {
    const { world, token } = pendingWorld();
    verifyAt(world, token, NOON);
    for (const later of [NOON, NOON + LIFETIME, NOON + 100 * LIFETIME]) {
      expect(refusalOf(() => verifyAt(world, token, later))).toEqual({
        code: 'token_used',
        messages: ['Token has already been used'],
      });
    }
    expect(world.micro_health.subscribers.list).toHaveLength(1);
  });

  test('that was never given is unknown', () => {
    const { world } = pendingWorld();
    expect(refusalOf(() => verifyAt(world, 'f'.repeat(40), NOON))).toEqual({
      code: 'token_unknown',
      messages: ['Invalid token'],
    });
  });

  test('of another family is unknown: pending, used or expired', () => {
    const { world, token } = pendingWorld();
    const motor = createTokenStore(new Tables(), 'motor');
    const readAsMotor = () => findPending(world, 'motor', motor, token);
    expect(refusalOf(readAsMotor).code).toBe('token_unknown');
    verifyAt(world, token, NOON);
    expect(refusalOf(readAsMotor).code).toBe('token_unknown');

    const expired = pendingWorld();
    dropExpired(expired.world, 'micro_health', expired.world.micro_health.tokens, NOON + LIFETIME);
    expect(refusalOf(() => findPending(expired.world, 'motor', motor, expired.token)).code).toBe(
      'token_unknown',
    );
  });

  test('of another merchant is unknown', () => {
    const { token } = pendingWorld();
    const other = createTestWorld({ merchantId: 2 });
    expect(refusalOf(() => verifyAt(other, token, NOON)).code).toBe('token_unknown');
  });
});

describe('expiry', () => {
  test('drops the oldest first, each at its own moment, and leaves the rest', () => {
    const world = createTestWorld();
    const [first, second, third] = [0, 1, 2].map((minute) =>
      initiatePurchase(world, PRINCIPAL, NOON + minute * 60_000),
    );
    const { tokens } = world.micro_health;
    expect(dropExpired(world, 'micro_health', tokens, NOON + LIFETIME + 60_000)).toEqual([
      { token: first, at: NOON + LIFETIME },
      { token: second, at: NOON + LIFETIME + 60_000 },
    ]);
    expect([...tokens.pending.keys()]).toEqual([third]);
  });

  test(`remembers the newest ${MAX_EXPIRED_TOKENS} tokens; what is older is unknown`, () => {
    const world = createTestWorld();
    const issued = Array.from({ length: MAX_EXPIRED_TOKENS + 1 }, () =>
      initiatePurchase(world, PRINCIPAL, NOON),
    );
    const codeOf = (token: string | undefined) =>
      refusalOf(() => verifyAt(world, token ?? '', NOON + LIFETIME)).code;

    expect(codeOf(issued[0])).toBe('token_unknown');
    expect(codeOf(issued[1])).toBe('token_expired');
    expect(codeOf(issued.at(-1))).toBe('token_expired');
    expect(world.expired_tokens.size).toBe(10_000);
  });
});
