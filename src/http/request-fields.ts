import { z } from '@hono/zod-openapi';
import type { AssumptionId } from '../core/assumptions.ts';
import { isCalendarDay } from '../core/time.ts';

declare module 'zod' {
  interface GlobalMeta {
    examples?: unknown[];
    /** The assumptions this part of the contract rests on. */
    'x-assumptions'?: readonly AssumptionId[];
    /** Accepted, and left out of the documents. */
    'x-unpublished'?: true;
  }
}

/** What a document says of a field besides its type. */
export type FieldMeta = z.GlobalMeta;

/*
 * The fields that requests may carry, in the forms of the wire. Their errors are the end of the sentence
 * `The <field> field …` (`validation-messages`). Each kind is built once; a field is that kind with what a
 * document says of it.
 */

/** A kind of field, said more of. */
export const field =
  <S extends z.ZodType>(kind: S) =>
  (meta?: FieldMeta): S =>
    meta ? kind.meta(meta) : kind;

const REQUIRED = 'is required.';
const error = (demand: string) => (issue: { input?: unknown }) =>
  issue.input === undefined ? REQUIRED : demand;

/** What rests on the loose types of the contract's tables. */
const LOOSE = { 'x-assumptions': ['text-and-numbers'] } as const satisfies FieldMeta;

/** The highest amount or value a request may name (`text-and-numbers`). */
export const MAX_AMOUNT = 1_000_000_000_000;

// Tab and line breaks may stand in an address; no other control character may stand anywhere.
// biome-ignore lint/suspicious/noControlCharactersInRegex: it is what this refuses
const UNFIT = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]|\p{Surrogate}/u;

const isFit = (text: string) => !UNFIT.test(text);
const FIT = 'must not contain control characters or lone surrogates.';

const LOOKUP_TEXT = z.string({ error: error('must be a text.') }).min(1, { error: REQUIRED });

/**
 * What is looked up: a token, the number of a policy. Whatever characters it has, it is one that nobody
 * has rather than a malformed one (`token-unknown`, `http-status`).
 */
export const lookupText = field(LOOKUP_TEXT);

const TEXT = LOOKUP_TEXT.refine(isFit, { error: FIT });

/** Any text that is not only white space; answered as it was sent. */
export const text = field(TEXT);

/** A text or a number, answered as a text. */
export const textOrNumber = field(
  z.union([TEXT, z.number()], { error: error('must be a text or a number.') }).transform(String),
);

const patterned = (pattern: RegExp, demand: string) =>
  z.string({ error: error(demand) }).regex(pattern, { error: demand });

const ELEVEN_DIGITS = 'must be 11 digits.';

/** 11 digits as a text; a number has lost its leading zero (`phone-digits`, `text-and-numbers`). */
export const phone = field(
  patterned(/^\d{11}$/, ELEVEN_DIGITS).meta({ 'x-assumptions': ['phone-digits'] }),
);

export const email = field(
  z.email({ error: error('must be an e-mail address.') }).refine(isFit, { error: FIT }),
);

const DATE_DEMAND = 'must be a calendar day in the form YYYY-MM-DD.';

/** A real calendar day, `Y-m-d`. */
export const date = field(
  z
    .string({ error: error(DATE_DEMAND) })
    .regex(/^\d{4}-\d{2}-\d{2}$/, { error: DATE_DEMAND, abort: true })
    .refine(isCalendarDay, { error: DATE_DEMAND })
    .meta({ format: 'date', ...LOOSE }),
);

/** A year of four digits, as a text. */
export const year = field(patterned(/^\d{4}$/, 'must be a year in the form YYYY, as a text.'));

/** female or male, in any case; answered as it was sent. */
export const gender = field(
  patterned(/^(?:[Ff][Ee][Mm][Aa][Ll][Ee]|[Mm][Aa][Ll][Ee])$/, 'must be female or male.').meta(
    LOOSE,
  ),
);

const isWebUrl = (text: string) => {
  if (!/^https?:\/\//i.test(text) || /\s/.test(text) || !URL.canParse(text)) return false;
  return isFit(text);
};

const URL_DEMAND = 'must be an absolute http or https URL.';

/** An absolute http(s) URL. */
export const url = field(
  z
    .string({ error: error(URL_DEMAND) })
    .refine(isWebUrl, { error: URL_DEMAND })
    .meta({ format: 'uri', ...LOOSE }),
);

/** A number, or a text of its digits that is read as one; `limit` puts the bounds on either. */
const numeric = (demand: string, digits: RegExp, limit: (number: z.ZodNumber) => z.ZodNumber) =>
  z
    .union(
      [
        limit(z.number({ error: error(demand) })),
        z.string({ error: error(demand) }).regex(digits, { error: demand }),
      ],
      { error: error(demand) },
    )
    .transform(Number)
    .pipe(limit(z.number({ error: demand })));

const DECIMAL = /^\d+(\.\d+)?$/;
const WHOLE = /^\d+$/;

const AMOUNT_DEMAND = `must be a number above 0 and at most ${MAX_AMOUNT}.`;

/** Naira above 0, as a number or as decimal digits. */
export const amount = field(
  numeric(AMOUNT_DEMAND, DECIMAL, (number) =>
    number.gt(0, { error: AMOUNT_DEMAND }).lte(MAX_AMOUNT, { error: AMOUNT_DEMAND }),
  ).meta(LOOSE),
);

const COST_DEMAND = `must be a number from 0 to ${MAX_AMOUNT}.`;

/** Naira, 0 allowed, as a number or as decimal digits. */
export const cost = field(
  numeric(COST_DEMAND, DECIMAL, (number) =>
    number.gte(0, { error: COST_DEMAND }).lte(MAX_AMOUNT, { error: COST_DEMAND }),
  ).meta(LOOSE),
);

const COUNT_DEMAND = 'must be a whole number, 1 or more.';
const wholeFrom1 = (number: z.ZodNumber) =>
  number.gte(1, { error: COUNT_DEMAND }).int({ error: COUNT_DEMAND });

const COUNT = numeric(COUNT_DEMAND, WHOLE, wholeFrom1);

/** A whole number from 1, as a number or as digits. */
export const count = field(COUNT.meta(LOOSE));

/** A whole number from 1, as a number or as digits; answered in the form it was sent in. */
export const countAsSent = field(
  z
    .union(
      [
        wholeFrom1(z.number({ error: error(COUNT_DEMAND) })),
        z
          .string({ error: error(COUNT_DEMAND) })
          .regex(/^0*[1-9]\d*$/, { error: COUNT_DEMAND })
          .refine((digits) => Number.isSafeInteger(Number(digits)), { error: COUNT_DEMAND }),
      ],
      { error: error(COUNT_DEMAND) },
    )
    .meta(LOOSE),
);

/** The id of a product, as a number or as digits (`product-id-type`). */
export const productId = field(COUNT.meta({ 'x-assumptions': ['product-id-type'] }));

/** An identity number: 11 digits, as a number or as a text; read as a text. */
export const identityNumber = field(
  z
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
    .transform(String),
);

/** One of a few words, some of them synonyms of another. */
export const word = <const Words extends Readonly<Record<string, string>>>(
  canonical: Words,
  meta: FieldMeta = {},
) => {
  const words = Object.keys(canonical) as [keyof Words & string, ...(keyof Words & string)[]];
  const demand = `must be one of ${words.join(', ')}.`;
  return z
    .enum(words, { error: error(demand) })
    .transform((sent) => canonical[sent as keyof Words] as Words[keyof Words])
    .meta(meta);
};
