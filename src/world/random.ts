/* Random numbers: those of a World repeat with its seed, secrets never do. */

import { uniformInt } from 'pure-rand/distribution/uniformInt';
import { xoroshiro128plus, xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus';
import type { KeyedTable } from './tables.ts';

/** The random state of a World, as plain numbers that a snapshot can contain. */
export interface RandomState {
  state: readonly number[];
}

/** A random state that is a row. */
export const storedRandom = (values: KeyedTable<unknown>, name: string): RandomState => ({
  get state() {
    return values.get(name) as RandomState['state'];
  },
  set state(state) {
    values.put(name, state);
  },
});

/** Seeds are whole numbers from 0 to this. */
export const MAX_SEED = 0xffff_ffff;

/** Creates a random state from seed and merchant id, so that merchants get different numbers (`policy-no`). */
export function createRandomState(seed: number, merchantId: number): RandomState {
  const mixed = Math.imul(seed ^ Math.imul(merchantId, 0x85eb_ca6b), 0x9e37_79b1) ^ merchantId;
  const generator = xoroshiro128plus(mixed);
  for (let skipped = 0; skipped < 8; skipped++) generator.next();
  return { state: generator.getState() };
}

const DIGITS = new TextEncoder().encode('0123456789abcdef');

/** Returns random digits, decimal or lower-case hex; the first may be 0. */
export function nextDigits(random: RandomState, count: number, base: 10 | 16 = 10): string {
  const generator = xoroshiro128plusFromState(random.state);
  // Joined once at the end: appending digit by digit creates a text per digit.
  const codes: number[] = [];
  for (let drawn = 0; drawn < count; drawn++) {
    codes.push(DIGITS[uniformInt(generator, 0, base - 1)] as number);
  }
  random.state = generator.getState();
  return String.fromCharCode(...codes);
}

/** Returns lower-case hex digits that nobody can guess, and that no seed repeats. */
export const secretHex = (count: number): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(count)), (byte) =>
    (byte % 16).toString(16),
  ).join('');

/** Returns a random number from 0 (inclusive) to 1 (exclusive). */
export function nextFraction(random: RandomState): number {
  const generator = xoroshiro128plusFromState(random.state);
  const drawn = uniformInt(generator, 0, 0x7fff_fffe) / 0x7fff_ffff;
  random.state = generator.getState();
  return drawn;
}
