import { expect, test } from 'vitest';
import { grouped } from '../../src/world/grouped.ts';

test.each([
  [0, '0'],
  [999, '999'],
  [1000, '1,000'],
  [16_777_216, '16,777,216'],
])('%d reads as %s', (count, text) => {
  expect(grouped(count)).toBe(text);
});
