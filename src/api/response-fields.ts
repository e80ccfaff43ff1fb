/*
 * The kinds of fields in responses and records, in the formats of the wire. Each kind is built once. A field is a
 * kind with its own description.
 */

import { z } from '@hono/zod-openapi';
import { onFirstUse } from '../world/on-first-use.ts';
import { must } from '../world/rules.ts';
import { isCalendarDay, isCalendarMoment } from '../world/time.ts';
import { field } from './request-fields.ts';

const written = (pattern: RegExp, isReal: (text: string) => boolean, what: string) =>
  z.string().regex(pattern, { abort: true }).refine(isReal, { error: what });

/** A whole number. The contract says no more, so documents publish no minimum. */
export function wholeFrom(least: number) {
  return z.int().refine((value) => value >= least, must('range', `at least ${least}`));
}

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
/** Documents say it in words. */
const DATE_TIME_FORM = /^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/;
const DATE_TIME = z
  .string()
  .refine((text) => DATE_TIME_FORM.test(text), { error: 'a text YYYY-MM-DD HH:MM:SS', abort: true })
  .refine(isCalendarMoment, { error: MOMENT })
  .meta({ 'x-documented': ['time-zone'] });
const DAY = written(/^\d{4}-\d{2}-\d{2}$/, isCalendarDay, 'a day the calendar has').meta({
  format: 'date',
});
const ID = wholeFrom(1).meta({ description: 'Id of this record.' });
const MONEY_TEXT = z
  .string()
  .regex(/^\d+\.\d{2}$/)
  .meta({ 'x-documented': ['currency'] });

/** `2026-01-31T10:00:57.000000Z` */
export const timestamp = field(TIMESTAMP);

/** When the service created and changed a record. */
export const writtenFields = onFirstUse(() => ({
  created_at: timestamp({ description: 'When the record was created.' }),
  updated_at: timestamp({ description: 'When the record was last changed.' }),
}));

/** `Y-m-d H:i:s` */
export const dateTime = field(DATE_TIME);

/** `Y-m-d` */
export const day = field(DAY);

/** The id of a record. */
export const id = field(ID);

/** The id of the bought product. */
export const boughtProductId = field(
  ID.meta({ description: 'Id of the product.', 'x-assumptions': ['catalogue'] }),
);

/** Naira as text with two decimals. */
export const moneyText = field(MONEY_TEXT);
