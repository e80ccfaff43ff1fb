import * as z from 'zod/mini';
import { describe, type Meta } from '../core/schema.ts';
import { isCalendarDay } from '../core/time.ts';

/*
 * The fields that requests may carry, in the forms of the wire. Their errors are the end of the sentence
 * `The <field> field …` (`validation-messages`).
 */

const REQUIRED = 'is required.';
const error = (demand: string) => (issue: { input?: unknown }) =>
  issue.input === undefined ? REQUIRED : demand;

/** The highest amount or value a request may name (`text-and-numbers`). */
export const HIGHEST_AMOUNT = 1_000_000_000_000;

// Tab and line breaks may stand in an address; no other control character may stand anywhere.
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what this refuses
const UNFIT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\p{Surrogate}/u;

const isFit = (text: string) => !UNFIT.test(text);
const FIT = 'must not contain control characters or lone surrogates.';

/** Any text that is not only white space; answered as it was sent. */
export const text = (meta: Meta = {}) =>
  describe(
    z
      .string({ error: error('must be a text.') })
      .check(z.minLength(1, { error: REQUIRED }), z.refine(isFit, { error: FIT })),
    meta,
  );

/**
 * What is looked up: a token, the number of a policy. Whatever characters it has, it is one that nobody
 * has rather than a malformed one (`token-unknown`, `http-status`).
 */
export const soughtText = (meta: Meta = {}) =>
  describe(
    z.string({ error: error('must be a text.') }).check(z.minLength(1, { error: REQUIRED })),
    meta,
  );

/** A text or a number, answered as a text (`motor-make-model`). */
export const textOrNumber = (meta: Meta = {}) =>
  describe(
    z.pipe(
      z.union([text(), z.number()], { error: error('must be a text or a number.') }),
      z.transform(String),
    ),
    { 'x-assumptions': ['motor-make-model'], ...meta },
  );

const patterned = (pattern: RegExp, demand: string, meta: Meta) =>
  describe(z.string({ error: error(demand) }).check(z.regex(pattern, { error: demand })), meta);

/** 11 digits as a text; a number has lost its leading zero (`phone-digits`, `text-and-numbers`). */
export const phone = (meta: Meta = {}) =>
  patterned(/^\d{11}$/, 'must be 11 digits.', { 'x-assumptions': ['phone-digits'], ...meta });

export const email = (meta: Meta = {}) =>
  describe(
    z.email({ error: error('must be an e-mail address.') }).check(z.refine(isFit, { error: FIT })),
    meta,
  );

const DATE_DEMAND = 'must be a calendar day in the form YYYY-MM-DD.';

/** A real calendar day, `Y-m-d`. */
export const date = (meta: Meta = {}) =>
  describe(
    z
      .string({ error: error(DATE_DEMAND) })
      .check(
        z.regex(/^\d{4}-\d{2}-\d{2}$/, { error: DATE_DEMAND, abort: true }),
        z.refine(isCalendarDay, { error: DATE_DEMAND }),
      ),
    { format: 'date', 'x-assumptions': ['text-and-numbers'], ...meta },
  );

/** A year of four digits, as a text. */
export const year = (meta: Meta = {}) =>
  patterned(/^\d{4}$/, 'must be a year in the form YYYY, as a text.', meta);

/** female or male, in any case; answered as it was sent. */
export const gender = (meta: Meta = {}) =>
  patterned(/^(?:[Ff][Ee][Mm][Aa][Ll][Ee]|[Mm][Aa][Ll][Ee])$/, 'must be female or male.', {
    'x-assumptions': ['text-and-numbers'],
    ...meta,
  });

const isWebUrl = (text: string) => {
  if (!/^https?:\/\//i.test(text) || /\s/.test(text) || !URL.canParse(text)) return false;
  return isFit(text);
};

/** An absolute http(s) URL. */
export const url = (meta: Meta = {}) =>
  describe(
    z
      .string({ error: error('must be an absolute http or https URL.') })
      .check(z.refine(isWebUrl, { error: 'must be an absolute http or https URL.' })),
    { format: 'uri', 'x-assumptions': ['text-and-numbers'], ...meta },
  );

const numeric = (demand: string, digits: RegExp, ...bounds: z.core.$ZodCheck<number>[]) =>
  z.pipe(
    z.pipe(
      z.union(
        [
          z.number({ error: error(demand) }).check(...bounds),
          z.string({ error: error(demand) }).check(z.regex(digits, { error: demand })),
        ],
        { error: error(demand) },
      ),
      z.transform(Number),
    ),
    z.number({ error: demand }).check(...bounds),
  );

const DECIMAL = /^\d+(\.\d+)?$/;
const WHOLE = /^\d+$/;

const AMOUNT_DEMAND = `must be a number above 0 and at most ${HIGHEST_AMOUNT}.`;
/** Naira above 0, as a number or as decimal digits. */
export const amount = (meta: Meta = {}) =>
  describe(
    numeric(
      AMOUNT_DEMAND,
      DECIMAL,
      z.gt(0, { error: AMOUNT_DEMAND }),
      z.lte(HIGHEST_AMOUNT, { error: AMOUNT_DEMAND }),
    ),
    { 'x-assumptions': ['text-and-numbers'], ...meta },
  );

const COST_DEMAND = `must be a number from 0 to ${HIGHEST_AMOUNT}.`;
/** Naira, 0 allowed, as a number or as decimal digits. */
export const cost = (meta: Meta = {}) =>
  describe(
    numeric(
      COST_DEMAND,
      DECIMAL,
      z.gte(0, { error: COST_DEMAND }),
      z.lte(HIGHEST_AMOUNT, { error: COST_DEMAND }),
    ),
    { 'x-assumptions': ['text-and-numbers'], ...meta },
  );

const COUNT_DEMAND = 'must be a whole number, 1 or more.';
// A check of its own would say the same, but the document could not tell that the number is an integer.
const isWhole = () => z.int({ error: COUNT_DEMAND });
/** A whole number from 1, as a number or as digits. */
export const count = (meta: Meta = {}) =>
  describe(numeric(COUNT_DEMAND, WHOLE, z.gte(1, { error: COUNT_DEMAND }), isWhole()), {
    'x-assumptions': ['text-and-numbers'],
    ...meta,
  });

/** A whole number from 1, as a number or as digits; answered in the form it was sent in. */
export const countAsSent = (meta: Meta = {}) =>
  describe(
    z.union(
      [
        z
          .number({ error: error(COUNT_DEMAND) })
          .check(z.gte(1, { error: COUNT_DEMAND }), isWhole()),
        z.string({ error: error(COUNT_DEMAND) }).check(
          z.regex(/^0*[1-9]\d*$/, { error: COUNT_DEMAND }),
          z.refine((digits) => Number.isSafeInteger(Number(digits)), { error: COUNT_DEMAND }),
        ),
      ],
      { error: error(COUNT_DEMAND) },
    ),
    { 'x-assumptions': ['text-and-numbers'], ...meta },
  );

/** The id of a product, as a number or as digits (`product-id-type`). */
export const productId = (meta: Meta = {}) =>
  count({ 'x-assumptions': ['product-id-type'], ...meta });

const NIN_DEMAND = 'must be 11 digits.';
/** A national identity number: 11 digits, number or text (`nin-number`). */
export const nin = (meta: Meta = {}) =>
  describe(
    z.pipe(
      z.union(
        [
          z
            .int({ error: error(NIN_DEMAND) })
            .check(
              z.gte(10_000_000_000, { error: NIN_DEMAND }),
              z.lte(99_999_999_999, { error: NIN_DEMAND }),
            ),
          z.string({ error: error(NIN_DEMAND) }).check(z.regex(/^\d{11}$/, { error: NIN_DEMAND })),
        ],
        { error: error(NIN_DEMAND) },
      ),
      z.transform(String),
    ),
    { 'x-assumptions': ['nin-number'], ...meta },
  );

/** One of a few words, some of them synonyms of another. */
export const word = <const Words extends Readonly<Record<string, string>>>(
  canonical: Words,
  meta: Meta = {},
) => {
  const words = Object.keys(canonical) as [keyof Words & string, ...(keyof Words & string)[]];
  const demand = `must be one of ${words.join(', ')}.`;
  return describe(
    z.pipe(
      z.enum(words, { error: error(demand) }),
      z.transform((sent) => canonical[sent] as Words[keyof Words]),
    ),
    meta,
  );
};
