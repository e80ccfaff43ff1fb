import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { naira, nairaText, shareInKobo } from '../../src/world/money.ts';

describe('a share of an amount', () => {
  test.each([
    [700, 0.05, 3500],
    [0.1, 0.05, 1],
    [0.09, 0.05, 0],
    [0.3, 0.05, 2],
    [1.1, 0.05, 6],
    [33.33, 0.1, 333],
    [33.35, 0.1, 334],
    [1000000, 0.075, 7_500_000],
  ])('of %d at %d is %d kobo, half a kobo rounded up', (amount, rate, kobo) => {
    expect(shareInKobo(amount, rate)).toBe(kobo);
  });

  test('is exact up to the highest amount', () => {
    expect(shareInKobo(999_999_999_999.99, 1)).toBe(99_999_999_999_999);
    expect(shareInKobo(1_000_000_000_000, 0.05)).toBe(5_000_000_000_000);
  });

  test('equals integer arithmetic: kobo × ten-thousandths, half up', () => {
    const kobo = fc.integer({ min: 0, max: 1_000_000_000 });
    const rate = fc.integer({ min: 0, max: 10_000 });
    fc.assert(
      fc.property(kobo, rate, (amount, share) => {
        const expected = (BigInt(amount) * BigInt(share) + 5_000n) / 10_000n;
        expect(shareInKobo(amount / 100, share / 10_000)).toBe(Number(expected));
      }),
    );
  });
});

describe('money on the wire', () => {
  test('has two decimals as a text', () => {
    expect([0, 5, 50, 70_000, 99_999_999_999_999].map(nairaText)).toEqual([
      '0.00',
      '0.05',
      '0.50',
      '700.00',
      '999999999999.99',
    ]);
  });

  test('is naira as a number', () => {
    expect([70_000, 1, 99].map(naira)).toEqual([700, 0.01, 0.99]);
  });
});
