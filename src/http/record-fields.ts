import * as z from 'zod/mini';
import { describe, type Meta } from '../core/schema.ts';
import { isCalendarDay, isCalendarMoment } from '../core/time.ts';

/* The fields that records answer, in the forms of the wire. */

const written = (form: RegExp, isReal: (text: string) => boolean, what: string) =>
  z.string().check(z.regex(form, { abort: true }), z.refine(isReal, { error: what }));

const MOMENT = 'a day and time the calendar has';

/** `2026-01-31T10:00:57.000000Z` */
export const timestamp = (meta: Meta = {}) =>
  describe(written(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{6}Z$/, isCalendarMoment, MOMENT), {
    format: 'date-time',
    'x-assumptions': ['timestamp-precision'],
    ...meta,
  });

/** `Y-m-d H:i:s` */
export const dateTime = (meta: Meta = {}) =>
  describe(written(/^\d{4}-\d{2}-\d{2} \d{2}:\d{2}:\d{2}$/, isCalendarMoment, MOMENT), meta);

/** `Y-m-d` */
export const day = (meta: Meta = {}) =>
  describe(written(/^\d{4}-\d{2}-\d{2}$/, isCalendarDay, 'a day the calendar has'), {
    format: 'date',
    ...meta,
  });

/** An id the service gave. */
export const id = (meta: Meta = {}) => describe(z.int().check(z.gte(1)), meta);

/** Naira as text with two decimals. */
export const moneyText = (meta: Meta = {}) =>
  describe(z.string().check(z.regex(/^\d+\.\d{2}$/)), meta);
