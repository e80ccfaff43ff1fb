import { z } from '@hono/zod-openapi';
import { ELEVEN_DIGITS, error, field, LOOSE, patterned } from './request-fields.ts';

/* The numbers that requests may carry: as JSON numbers, or as a text of their digits (`text-and-numbers`). */

/** The highest amount or value a request may name (`text-and-numbers`). */
export const MAX_AMOUNT = 1_000_000_000_000;

/** A number, or a text of its digits that is read as one. */
const numeric = (
  demand: string,
  number: z.ZodType<number, number>,
  digits: z.ZodType<string, string>,
) => z.union([number, digits], { error: error(demand) }).transform(Number);

/** Whether an amount is whole kobo. */
export const isInKobo = (amount: number): boolean => Math.round(amount * 100) / 100 === amount;

const IN_KOBO = 'must have at most two decimal places.';

/** Naira within bounds, as a number or as decimal digits; `published` is what a document says of the digits. */
const money = (demand: string, limit: (number: z.ZodNumber) => z.ZodNumber, published: string) => {
  const bounded = limit(z.number({ error: error(demand) }).lte(MAX_AMOUNT, { error: demand }));
  const isWithin = (digits: string) => bounded.safeParse(Number(digits)).success;
  return numeric(
    demand,
    bounded.refine(isInKobo, { error: IN_KOBO }).meta({ multipleOf: 0.01 }),
    patterned(/^\d+(\.\d+)?$/, demand)
      .refine(isWithin, { error: demand, abort: true })
      .refine((digits) => /^\d+(\.\d{1,2}0*)?$/.test(digits), { error: IN_KOBO })
      .meta({ pattern: published }),
  ).meta({ ...LOOSE, 'x-documented': ['currency'] });
};

const AMOUNT_DEMAND = `must be a number above 0 and at most ${MAX_AMOUNT}.`;

/** Naira above 0, as a number or as decimal digits. */
export const amount = field(
  money(
    AMOUNT_DEMAND,
    (number) => number.gt(0, { error: AMOUNT_DEMAND }),
    String.raw`^0*(1000000000000(\.0+)?|[1-9]\d{0,11}(\.\d{1,2}0*)?|0\.(0[1-9]|[1-9]\d?)0*)$`,
  ),
);

const COST_DEMAND = `must be a number from 0 to ${MAX_AMOUNT}.`;

/** Naira, 0 allowed, as a number or as decimal digits. */
export const cost = field(
  money(
    COST_DEMAND,
    (number) => number.gte(0, { error: COST_DEMAND }),
    String.raw`^0*(1000000000000(\.0+)?|[1-9]\d{0,11}(\.\d{1,2}0*)?|0(\.\d{1,2}0*)?)$`,
  ),
);

const COUNT_DEMAND = 'must be a whole number, 1 or more.';

const NUMBER_FROM_1 = z
  .number({ error: error(COUNT_DEMAND) })
  .int({ error: COUNT_DEMAND })
  .gte(1, { error: COUNT_DEMAND });
// Fifteen digits are whole in a double; no rule has room for as much.
const DIGITS_FROM_1 = patterned(/^0*[1-9]\d{0,14}$/, COUNT_DEMAND);

const COUNT = numeric(COUNT_DEMAND, NUMBER_FROM_1, DIGITS_FROM_1);

/** A whole number from 1, as a number or as digits. */
export const count = field(COUNT.meta(LOOSE));

/** A whole number from 1, as a number or as digits; answered in the form it was sent in. */
export const countAsSent = field(
  z.union([NUMBER_FROM_1, DIGITS_FROM_1], { error: error(COUNT_DEMAND) }).meta(LOOSE),
);

/** The id of a product, as a number or as digits (`product-id-type`). */
export const productId = field(
  COUNT.meta({ 'x-assumptions': ['product-id-type'], 'x-documented': ['catalogue'] }),
);

const ELEVEN = z
  .union(
    [
      z
        .int({ error: error(ELEVEN_DIGITS) })
        .gte(10_000_000_000, { error: ELEVEN_DIGITS })
        .lte(99_999_999_999, { error: ELEVEN_DIGITS }),
      patterned(/^\d{11}$/, ELEVEN_DIGITS),
    ],
    { error: error(ELEVEN_DIGITS) },
  )
  .transform(String);

/** An identity number: 11 digits, as a number or as a text; read as a text. */
export const identityNumber = field(ELEVEN);

/** A phone number of a call whose contract says numeric: 11 digits, as a number or as a text; answered as a text. */
export const phoneOrNumber = field(ELEVEN.meta(LOOSE));
