import { expect, test } from 'vitest';
import { nearest } from '../../src/world/problem-texts.ts';

const WORDS = ['getMotorQuote', 'verifyMotorPolicy', 'port', 'url'];

test.each([
  ['prot', 'port'],
  ['ulr', 'url'],
  ['PORT', 'port'],
  ['verifymotor', 'verifyMotorPolicy'],
  ['getmotorqoute', 'getMotorQuote'],
])('"%s" is near "%s", in any case', (written, meant) => {
  expect(nearest(written, WORDS)).toBe(meant);
});

test.each(['', 'x', 'listen', 'policy'])('"%s" is near nothing', (written) => {
  expect(nearest(written, WORDS)).toBeUndefined();
});
