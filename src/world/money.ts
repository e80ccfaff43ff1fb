/* Amounts of money, calculated exactly in kobo and written in naira. */

const MILLION = 1_000_000n;

/**
 * `amount × rate` in whole kobo, rounded half up.
 *
 * @param amount naira, with at most two decimals as in every request and price
 * @param rate a share, 0.05 for 5 %, taken to six decimals
 */
export function shareInKobo(amount: number, rate: number): number {
  const product = BigInt(Math.round(amount * 100)) * BigInt(Math.round(rate * 1_000_000));
  return Number((product + MILLION / 2n) / MILLION);
}

/** Kobo as naira, for a JSON number. */
export const naira = (kobo: number): number => kobo / 100;

/** Kobo as naira with two decimals, for a JSON string: `700.00`. */
export const nairaText = (kobo: number): string => (kobo / 100).toFixed(2);
