/* Moments, days and months of the calendar, always in UTC, in the formats of the wire. */

import { UTCDateMini } from '@date-fns/utc/date/mini';
import { addMonths as addCalendarMonths } from 'date-fns/addMonths';

/** A moment: milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const DAY_MS = 24 * 60 * MINUTE_MS;

/** The range of clocks: tokens contain ten digits of epoch seconds (`token-format`). */
export const MIN_INSTANT: Instant = 0;
export const MAX_INSTANT: Instant = 9_999_999_999_999;
/** The last moment in a record: timestamps have four-digit years. */
export const MAX_TIMESTAMP: Instant = Date.UTC(9999, 11, 31, 23, 59, 59);

/** Formats whole seconds, truncated, with six zeros: `2026-01-31T10:00:57.000000Z` (`timestamp-precision`). */
export const timestamp = (at: Instant): string =>
  `${new Date(at).toISOString().slice(0, 19)}.000000Z`;

/** Parses a timestamp of a record. */
export function instantOf(written: string): Instant {
  return Date.parse(`${written.slice(0, 19)}Z`);
}

/** Formats `Y-m-d H:i:s`, as in `active_date`. */
export const dateTime = (at: Instant): string =>
  new Date(at).toISOString().slice(0, 19).replace('T', ' ');

/** Formats `Y-m-d` in UTC. */
export const day = (at: Instant): string => new Date(at).toISOString().slice(0, 10);

/** The timestamp of midnight UTC on a `Y-m-d` day. */
export function midnight(date: string): string {
  return `${date}T00:00:00.000000Z`;
}

/** The moment of midnight UTC on a `Y-m-d` day. */
export function startOfDay(date: string): Instant {
  return Date.parse(`${date}T00:00:00Z`);
}

/** Whether a `Y-m-d` text is a real day of the calendar. */
export function isCalendarDay(date: string): boolean {
  // Date parses 30 February as 2 March.
  return new Date(startOfDay(date)).getUTCDate() === Number(date.slice(8));
}

/** Adds midnight UTC to a `Y-m-d` day. Any other text stays as it is. */
export const withTime = (written: string): string =>
  isCalendarDay(written) ? `${written}T00:00:00Z` : written;

/** Whether a text of `Y-m-d`, one character and `H:i:s` is a real moment of the calendar. */
export function isCalendarMoment(written: string): boolean {
  return (
    pairAt(written, 11) < 24 &&
    pairAt(written, 14) < 60 &&
    pairAt(written, 17) < 60 &&
    isCalendarDay(written.slice(0, 10))
  );
}

/** The number of the two digits at a place. */
const pairAt = (written: string, place: number): number => Number(written.slice(place, place + 2));

/** Adds calendar months. The day is clamped to the month's end, the time of day stays. NaN beyond the calendar. */
export function addMonths(at: Instant, months: number): Instant {
  return addCalendarMonths(new UTCDateMini(at), months).getTime();
}

/**
 * Adds calendar months. The days that the month lacks are counted on into the next one: 31 January plus a month is
 * 3 March.
 */
export function addMonthsOverflowing(at: Instant, months: number): Instant {
  return new Date(at).setUTCMonth(new Date(at).getUTCMonth() + months);
}

/** The number of calendar months between the months of two moments. */
export function monthsBetween(from: Instant, to: Instant): number {
  const [a, b] = [new Date(from), new Date(to)];
  return (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth();
}
