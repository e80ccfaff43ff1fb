/* The fields of requests: how each is read, and the sentence that refuses it. */

import { z } from '@hono/zod-openapi';
import type { AssumptionId } from '../world/assumptions.ts';
import { IDENTITY_LENGTH, PHONE_LENGTH } from '../world/limits.ts';
import { must } from '../world/rules.ts';

declare module 'zod' {
  interface GlobalMeta {
    examples?: unknown[];
    /** The assumptions this part of the contract rests on. */
    'x-assumptions'?: readonly AssumptionId[];
    /** May be null or blank, which count as missing. */
    'x-blank'?: true;
    /** The assumptions behind what documents say of it besides: no value is taken or refused for them. */
    'x-documented'?: readonly AssumptionId[];
    /** What follows the name of a field in a hint, if its accepted value is not in the specification's words. */
    'x-accepted'?: (sent: unknown) => string | undefined;
    /** A spelling of a field besides the first. Documents of OpenAPI 3.0 name only the first. */
    'x-spelling'?: true;
  }
}

/** What documents say about a field besides its type. */
export type FieldMeta = z.GlobalMeta;

/** A keyword of a field's schema, looked for through optional and the like. */
export function metaIn<Key extends keyof FieldMeta>(
  schema: z.core.$ZodType,
  key: Key,
): FieldMeta[Key] | undefined {
  const own = z.globalRegistry.get(schema)?.[key];
  const { innerType } = schema._zod.def as { readonly innerType?: z.core.$ZodType };
  return own ?? (innerType && metaIn(innerType, key));
}

/** The fields whose values identify a person, and the other names under which clients send them. */
const otherNamesOfPersonal = new WeakMap<object, readonly string[]>();

/** Marks a field whose value identifies a person. Journals and logs hide it, under these other names too. */
export function personal<Field extends z.ZodType>(
  field: Field,
  ...otherNames: readonly string[]
): Field {
  otherNamesOfPersonal.set(field, otherNames);
  return field;
}

/** The names of the personal fields of a request. */
export const personalNames = (request: z.ZodObject | undefined): readonly string[] =>
  Object.entries(request?.shape ?? {}).flatMap(([name, field]) => {
    const otherNames = otherNamesOfPersonal.get(field);
    return otherNames ? [name, ...otherNames] : [];
  });

/*
 * The kinds of fields in requests, in the formats of the wire. Their errors end the sentence `The <field> field …`
 * (`validation-messages`). Each kind is built once. A field is a kind with its own description.
 */

/**
 * A kind of field. `note` says what its published schema does not say, and follows every description.
 */
export const field =
  <S extends z.ZodType>(kind: S, note?: string) =>
  (meta?: FieldMeta): S =>
    meta ? kind.meta(note === undefined ? meta : withNote(meta, note)) : kind;

const withNote = (meta: FieldMeta, note: string): FieldMeta => ({
  ...meta,
  ...(meta.description !== undefined && { description: `${meta.description} ${note}` }),
});

/** An optional field. Null and blank text count as missing (`text-and-numbers`). */
export const optional = <S extends z.ZodType>(kind: S): z.ZodOptional<S> =>
  kind.optional().meta({ 'x-blank': true });

const REQUIRED = 'is required.';
/** The error of a field: that it is required if it is missing, otherwise the demand. */
export const error = (demand: string) => (issue: { input?: unknown }) =>
  issue.input === undefined ? REQUIRED : demand;

/** The assumption about the loose types in the tables of the contract. */
export const LOOSE = { 'x-assumptions': ['text-and-numbers'] } as const satisfies FieldMeta;

/* Control characters and lone surrogates. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: this refuses them
const UNFIT = /[\x00-\x1f\x7f-\x9f]|\p{Surrogate}/u;
// biome-ignore lint/suspicious/noControlCharactersInRegex: this refuses them
const UNFIT_IN_ADDRESS = /[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f]|\p{Surrogate}/u;

const FIT = 'must not contain control characters or lone surrogates.';

const ANY_TEXT = z.string({ error: error('must be a text.') }).min(1, { error: REQUIRED });

/**
 * A token or policy number to look up. Any characters are allowed: a malformed one is unknown, not invalid
 * (`token-unknown`, `http-status`).
 */
export const lookupText = field(ANY_TEXT.meta(LOOSE), 'Must not be blank.');

/** A text without the characters that `unfit` matches. */
const fitText = (unfit: RegExp) =>
  ANY_TEXT.refine((sent) => !unfit.test(sent), must('characters', FIT)).meta({
    'x-assumptions': ['encoding', 'text-and-numbers'],
  });

const TEXT = fitText(UNFIT);

const TEXT_NOTE = 'Must not be blank or contain control characters.';

/** Any text that is not only white space. Returned as it was sent. */
export const text = field(TEXT, TEXT_NOTE);

/** An optional text. Blank text counts as missing (`text-and-numbers`). */
export const optionalText = (meta: FieldMeta) =>
  optional(field(TEXT, 'Must not contain control characters.')(meta));

/** A text that may have line breaks and tabs (`encoding`). */
export const address = field(
  fitText(UNFIT_IN_ADDRESS),
  'Must not be blank or contain control characters other than line breaks and tabs.',
);

/** A text or a number, returned as a text. */
export const textOrNumber = field(
  z.union([TEXT, z.number()], { error: error('must be a text or a number.') }).transform(String),
  TEXT_NOTE,
);

/** A text with a pattern, which documents show. */
export const patterned = (pattern: RegExp, demand: string) =>
  z.string({ error: error(demand) }).regex(pattern, { error: demand });

/** A text of this many digits. */
const digitText = (digits: number) =>
  patterned(new RegExp(`^\\d{${digits}}$`), `must be ${digits} digits.`);

/** Digits as a text, because a number has lost its leading zero (`phone-digits`, `text-and-numbers`). */
export const phone = field(digitText(PHONE_LENGTH).meta({ 'x-assumptions': ['phone-digits'] }));

const EMAIL_DEMAND = 'must be an e-mail address.';

const EMAIL =
  /^(?!\.)(?!.*\.\.)[\w'+.-]*[\w+-]@([A-Za-z0-9]([A-Za-z0-9-]*[A-Za-z0-9])?\.)+[A-Za-z]{2,}$/;

/** One ASCII address whose domain has a dot and ends in two letters or more (`email`). */
export const email = field(
  z.email({ error: error(EMAIL_DEMAND), pattern: EMAIL }).meta({ 'x-assumptions': ['email'] }),
  'Must be ASCII, with a domain such as example.com.',
);

const DATE_DEMAND = 'must be a calendar day in the form YYYY-MM-DD.';
const MIN_DATE = '1900-01-01';

/** A real calendar day, `Y-m-d`, not before 1900 (`date-limits`). */
export const date = field(
  z.iso
    .date({ error: error(DATE_DEMAND), abort: true })
    .refine(
      (sent) => sent >= MIN_DATE,
      must('range', `must be a day from ${MIN_DATE} to 9999-12-31.`),
    )
    .meta({
      'x-assumptions': ['text-and-numbers', 'date-limits'],
      'x-documented': ['date-limits'],
    }),
  `Must be ${MIN_DATE} or later.`,
);

const YEAR_DEMAND = 'must be a year in the form YYYY, from 1900 on.';

/** A year of four digits from 1900 on, as a text or a number. Returned as a text (`motor-year-make`). */
export const year = field(
  z
    .union(
      [
        patterned(/^\d{4}$/, YEAR_DEMAND).refine(
          (sent) => sent >= '1900',
          must('range', YEAR_DEMAND),
        ),
        z
          .int({ error: error(YEAR_DEMAND) })
          .gte(1900, { error: YEAR_DEMAND })
          .lte(9999, { error: YEAR_DEMAND }),
      ],
      { error: error(YEAR_DEMAND) },
    )
    .transform(String),
);

/** Says that a word was read as another one. */
const readAs = (sent: string, word: string): string =>
  `${JSON.stringify(sent)} was read as ${word}, the specification's word`;

/** Says that a number came as text. For fields that the specification's tables call a number or an integer. */
export const numberAsText = (sent: unknown): string | undefined =>
  typeof sent === 'string' ? 'was sent as text; the specification has a number' : undefined;

/** Says that a field has another name in the specification. */
export const otherName =
  (name: string) =>
  (sent: unknown): string | undefined =>
    sent === undefined ? undefined : `was read as ${name}, the specification's name`;

const GENDER_DEMAND = 'must be female or male.';

/** female or male, in any case. Returned as it was sent. */
export const gender = field(
  z
    .string({ error: error(GENDER_DEMAND) })
    .refine((sent) => /^(?:fe)?male$/i.test(sent), must('value', GENDER_DEMAND))
    .meta({
      minLength: 1,
      ...LOOSE,
      'x-accepted': (sent) =>
        typeof sent === 'string' && sent !== sent.toLowerCase()
          ? readAs(sent, sent.toLowerCase())
          : undefined,
    }),
);

// RFC 3986, part by part. The platform checks the numbers of a host and a port.
const IN_HOST = String.raw`[\w.~!$&'()*+,;=-]|%[\dA-Fa-f]{2}`;
const IN_PATH = `${IN_HOST}|[:@]`;
const IN_QUERY = `${IN_PATH}|[/?]`;
const WEB_URL = new RegExp(
  String.raw`^[Hh][Tt][Tt][Pp][Ss]?://((${IN_HOST}|:)*@)?(\[[\dA-Fa-f:.]+\]|(${IN_HOST})+)(:\d*)?` +
    String.raw`(/(${IN_PATH})*)*(\?(${IN_QUERY})*)?(#(${IN_QUERY})*)?$`,
);

const URL_DEMAND = 'must be an absolute http or https URL.';

/** An absolute http(s) URL. */
export const url = field(
  z
    .string({ error: error(URL_DEMAND) })
    .refine((sent) => WEB_URL.test(sent), { ...must('format', URL_DEMAND), abort: true })
    .check(z.url({ error: URL_DEMAND }))
    .meta(LOOSE),
  'Must be an absolute http or https URL.',
);

/** Says that a word is a synonym, or is written in another case. */
export const synonymOf =
  (canonical: Readonly<Record<string, string>>) =>
  (sent: unknown): string | undefined => {
    if (typeof sent !== 'string') return undefined;
    const word = Object.hasOwn(canonical, sent.toLowerCase()) && canonical[sent.toLowerCase()];
    return word && word !== sent ? readAs(sent, word) : undefined;
  };

/** One of a few words, some of which are synonyms. */
export const word = <const Words extends Readonly<Record<string, string>>>(
  canonical: Words,
  meta: FieldMeta = {},
) => {
  const words = Object.keys(canonical) as [keyof Words & string, ...(keyof Words & string)[]];
  const demand = `must be one of ${words.join(', ')}.`;
  return z
    .enum(words, { error: error(demand) })
    .transform((sent) => canonical[sent as keyof Words] as Words[keyof Words])
    .meta({ ...meta, 'x-accepted': synonymOf(canonical) });
};

/* Numbers in requests: as JSON numbers, or as texts of their digits (`text-and-numbers`). */

/** The highest amount or value in a request (`text-and-numbers`). */
export const MAX_AMOUNT = 1_000_000_000_000;

/** A number, or a text of its digits, which is converted. */
const numeric = (
  demand: string,
  number: z.ZodType<number, number>,
  digits: z.ZodType<string, string>,
) => z.union([number, digits], { error: error(demand) }).transform(Number);

/** Whether an amount has no fractions of a kobo. */
export const isInKobo = (amount: number): boolean => Math.round(amount * 100) / 100 === amount;

const IN_KOBO = 'must have at most two decimal places.';

/** Naira within bounds, as a number or as decimal digits. */
const money = (demand: string, limit: (number: z.ZodNumber) => z.ZodNumber) => {
  const bounded = limit(z.number({ error: error(demand) }).lte(MAX_AMOUNT, { error: demand }));
  const isWithin = (digits: string) => bounded.safeParse(Number(digits)).success;
  return numeric(
    demand,
    bounded.refine(isInKobo, must('decimals', IN_KOBO)),
    patterned(/^\d+(\.\d+)?$/, demand)
      .refine(isWithin, { ...must('range', demand), abort: true })
      .refine((digits) => /^\d+(\.\d{1,2}0*)?$/.test(digits), must('decimals', IN_KOBO)),
  ).meta({ ...LOOSE, 'x-documented': ['currency'] });
};

const AMOUNT_DEMAND = `must be a number above 0 and at most ${MAX_AMOUNT}.`;

/** Naira above 0, as a number or as decimal digits. */
export const amount = field(
  money(AMOUNT_DEMAND, (number) => number.gt(0, { error: AMOUNT_DEMAND })),
  'At most two decimal places.',
);

const COST_DEMAND = `must be a number from 0 to ${MAX_AMOUNT}.`;

/** Naira, 0 allowed, as a number or as decimal digits. */
export const cost = field(
  money(COST_DEMAND, (number) => number.gte(0, { error: COST_DEMAND })),
  'At most two decimal places.',
);

const COUNT_DEMAND = 'must be a whole number, 1 or more.';

const NUMBER_FROM_1 = z
  .number({ error: error(COUNT_DEMAND) })
  .int({ error: COUNT_DEMAND })
  .gte(1, { error: COUNT_DEMAND });
// Fifteen digits are exact in a double, and more than any rule allows.
const DIGITS_FROM_1 = patterned(/^\d+$/, COUNT_DEMAND).refine(
  (digits) => /^0*[1-9]\d{0,14}$/.test(digits),
  must('range', COUNT_DEMAND),
);

const COUNT = numeric(COUNT_DEMAND, NUMBER_FROM_1, DIGITS_FROM_1);

/** A whole number from 1, as a number or as digits. */
export const count = field(COUNT.meta(LOOSE));

/** A whole number from 1, as a number or as digits. Returned in the form it was sent in. */
export const countAsSent = field(
  z.union([NUMBER_FROM_1, DIGITS_FROM_1], { error: error(COUNT_DEMAND) }).meta(LOOSE),
);

/** The id of a product, as a number or as digits (`product-id-type`). */
export const productId = field(
  COUNT.meta({ 'x-assumptions': ['product-id-type'], 'x-documented': ['catalogue'] }),
);

/** This many digits, as a number or a text. Read as a text. */
function digitsOrNumber(digits: number) {
  const demand = `must be ${digits} digits.`;
  const number = z
    .int({ error: error(demand) })
    .gte(10 ** (digits - 1), { error: demand })
    .lte(10 ** digits - 1, { error: demand });
  return z.union([number, digitText(digits)], { error: error(demand) }).transform(String);
}

export const identityNumber = field(digitsOrNumber(IDENTITY_LENGTH));

const DIGITS_DEMAND = 'must be digits only.';

/** Digits of any number, as a number or a text. Read as a text. */
export const anyDigits = field(
  z
    .union(
      [
        z.int({ error: error(DIGITS_DEMAND) }).gte(0, { error: DIGITS_DEMAND }),
        patterned(/^\d+$/, DIGITS_DEMAND),
      ],
      {
        error: error(DIGITS_DEMAND),
      },
    )
    .transform(String),
);

/** A phone number that the contract calls numeric. */
export const phoneOrNumber = field(digitsOrNumber(PHONE_LENGTH).meta(LOOSE));
