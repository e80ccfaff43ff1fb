/* Amounts of money, calculated exactly in kobo and written in naira. */

const SCALE = 1_000_000n;

/**
 * `amount × rate` in whole kobo, rounded half up, both taken to six decimals.
 *
 * @param amount naira
 * @param rate a share, 0.05 for 5 %
 */
export function shareInKobo(amount: number, rate: number): number {
  const product = scaled(amount) * scaled(rate) * 100n;
  const unit = SCALE * SCALE;
  return Number((product + unit / 2n) / unit);
}

/** Kobo as naira, for a JSON number. */
export const naira = (kobo: number): number => kobo / 100;

/** Kobo as naira with two decimals, for a JSON string: `700.00`. */
export const nairaText = (kobo: number): string => (kobo / 100).toFixed(2);

/** A naira amount as naira text with two decimals, half a kobo rounded up. */
export const amountText = (amount: number): string => nairaText(shareInKobo(amount, 1));

const scaled = (value: number): bigint => BigInt(value.toFixed(6).replace('.', ''));
