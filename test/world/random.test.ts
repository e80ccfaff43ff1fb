import { describe, expect, test } from 'vitest';
import { createTime, createWorldTime } from '../../src/world/clock.ts';
import {
  createRandomState,
  MAX_SEED,
  nextDigits,
  nextFraction,
  type RandomState,
} from '../../src/world/random.ts';
import { PUBLISHED } from '../../src/world/settings.ts';
import { createWorldCore, startValues } from '../../src/world/world.ts';

const draw = (random: RandomState) => Array.from({ length: 5 }, () => nextDigits(random, 10));

describe('a random state', () => {
  test('gives the same numbers for the same seed and merchant', () => {
    expect(draw(createRandomState(7, 1))).toEqual(draw(createRandomState(7, 1)));
  });

  test('gives other numbers for another seed or another merchant', () => {
    const seeds = [0, 1, 2, 7, 1000, MAX_SEED];
    const merchants = Array.from({ length: 500 }, (_, position) => position + 1);
    const first = seeds.flatMap((seed) =>
      merchants.map((merchant) => nextDigits(createRandomState(seed, merchant), 10)),
    );
    expect(new Set(first).size).toBe(first.length);
  });

  test('continues from a copy of its state', () => {
    const random = createRandomState(7, 1);
    draw(random);
    const copy = structuredClone(random);
    expect(draw(copy)).toEqual(draw(random));
  });

  test('of faults is separate from that of policy numbers', () => {
    const create = () =>
      createWorldCore(
        { settings: PUBLISHED, time: createWorldTime(createTime()) },
        startValues({ merchantId: 1, clock: { now: 0, mode: 'frozen' }, seed: 1, since: 0 }),
      );
    const [quiet, disturbed] = [create(), create()];
    expect(draw(quiet.fault_random)).not.toEqual(draw(disturbed.random));
    expect(draw(create().random)).toEqual(draw(quiet.random));
  });
});

test('a fraction is from 0 up to 1, exclusive, and about one half on average', () => {
  const random = createRandomState(1, 1);
  const drawn = Array.from({ length: 10_000 }, () => nextFraction(random));
  expect(Math.min(...drawn)).toBeGreaterThanOrEqual(0);
  expect(Math.max(...drawn)).toBeLessThan(1);
  expect(drawn.reduce((sum, each) => sum + each, 0) / drawn.length).toBeCloseTo(0.5, 1);
});
