import { z } from '@hono/zod-openapi';
import { isCalendarDay, isCalendarMoment } from '../world/time.ts';
import { MAX_ID } from '../world/world.ts';
import { field } from './request-fields.ts';

declare module 'zod' {
  interface GlobalMeta {
    /**
     * The service makes the value up: two servers answer others, each the same wherever it means the same record. In
     * no document.
     */
    'x-issued'?: {
      /** What the value names: equal values of one name are one record's. */
      readonly as: string;
      /** The form of a text, and how to say it. */
      readonly form?: RegExp;
      readonly says?: string;
    };
    /** The provider sets it: a product's words, prices, commissions. In no document. */
    'x-provider'?: true;
    /** The elements of a list are found by this field. In no document. */
    'x-key'?: true;
  }
}

/*
 * The fields that responses and records carry, in the forms of the wire. Each kind is built once; a field is
 * that kind with what a document says of it.
 */

const written = (pattern: RegExp, isReal: (text: string) => boolean, what: string) =>
  z.string().regex(pattern, { abort: true }).refine(isReal, { error: what });

const MOMENT = 'a day and time the calendar has';
const TIMESTAMP = written(
  /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/,
  isCalendarMoment,
  MOMENT,
).meta({
  format: 'date-time',
  'x-assumptions': ['timestamp-precision'],
  'x-documented': ['timestamp-precision', 'time-zone'],
});
const DATE_TIME = written(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/, isCalendarMoment, MOMENT).meta({
  'x-documented': ['time-zone'],
  'x-unpublished': ['pattern'],
});
const DAY = written(/^\d{4}-\d{2}-\d{2}$/, isCalendarDay, 'a day the calendar has').meta({
  format: 'date',
});
// The contract says integer and no more: clients need not know where the sandbox's own numbers begin and end.
const ID = z
  .int()
  .min(1)
  .refine((id) => id <= MAX_ID, { error: `at most ${MAX_ID}` })
  .meta({ description: 'Its id.', 'x-unpublished': ['minimum'] });
const MONEY_TEXT = z
  .string()
  .regex(/^\d+\.\d{2}$/)
  .meta({ 'x-documented': ['currency'] });

/** `2026-01-31T10:00:57.000000Z` */
export const timestamp = field(TIMESTAMP);

/** When the service wrote a record. */
export const writtenFields = {
  created_at: timestamp({ description: 'When it was created.' }),
  updated_at: timestamp({ description: 'When it was changed last.' }),
};

/** `Y-m-d H:i:s` */
export const dateTime = field(DATE_TIME);

/** `Y-m-d` */
export const day = field(DAY);

/** An id that stands in the catalogue. */
export const id = field(ID);

/** The id that the service gives to a record of that kind. */
export const issuedId = (as: string, meta: z.GlobalMeta = {}) =>
  ID.meta({ ...meta, 'x-issued': { as } });

/** The id of the product that was bought. */
export const boughtProductId = field(
  ID.meta({ description: 'The product.', 'x-assumptions': ['catalogue'] }),
);

/** Naira as text with two decimals. */
export const moneyText = field(MONEY_TEXT);
