import { UTCDateMini } from '@date-fns/utc/date/mini';
import { addMonths as addCalendarMonths } from 'date-fns/addMonths';

/** A moment: milliseconds since 1970-01-01T00:00:00Z. */
export type Instant = number;

export const SECOND_MS = 1000;
export const MINUTE_MS = 60 * SECOND_MS;
export const DAY_MS = 24 * 60 * MINUTE_MS;

/** The moments a clock may show: tokens hold ten digits of epoch seconds (`token-format`). */
export const MIN_INSTANT: Instant = 0;
export const MAX_INSTANT: Instant = 9_999_999_999_999;
/** The last moment a record may name: timestamps have a year of four digits. */
export const MAX_TIMESTAMP: Instant = Date.UTC(9999, 11, 31, 23, 59, 59);

/** How many seconds' texts are remembered before all are forgotten. */
const MAX_SECONDS_KEPT = 100;

/**
 * Writes a moment by its second. A purchase writes the same few seconds up to ten times, and purchases
 * come many a second: one text for all of them need not be made, kept and collected again and again.
 */
function bySecond(write: (iso: string) => string): (at: Instant) => string {
  const texts = new Map<number, string>();
  return (at) => {
    const second = Math.floor(at / SECOND_MS);
    let text = texts.get(second);
    if (text === undefined) {
      if (texts.size === MAX_SECONDS_KEPT) texts.clear();
      text = write(new Date(at).toISOString());
      texts.set(second, text);
    }
    return text;
  };
}

/** Whole seconds, truncated, with six zeros: `2026-01-31T10:00:57.000000Z` (`timestamp-precision`). */
export const timestamp = bySecond((iso) => `${iso.slice(0, 19)}.000000Z`);

/** The moment a timestamp of a record names. */
export function instantOf(written: string): Instant {
  return Date.parse(`${written.slice(0, 19)}Z`);
}

/** `Y-m-d H:i:s`, the form of `active_date`. */
export const dateTime = bySecond((iso) => iso.slice(0, 19).replace('T', ' '));

/** `Y-m-d` in UTC. */
export const day = bySecond((iso) => iso.slice(0, 10));

/** The timestamp of midnight UTC on a `Y-m-d` day. */
export function midnight(date: string): string {
  return `${date}T00:00:00.000000Z`;
}

/** The moment of midnight UTC on a `Y-m-d` day. */
export function startOfDay(date: string): Instant {
  return Date.parse(`${date}T00:00:00Z`);
}

/** Whether a `Y-m-d` text names a day the calendar has. */
export function isCalendarDay(date: string): boolean {
  // 30 February is read as 2 March.
  return new Date(startOfDay(date)).getUTCDate() === Number(date.slice(8));
}

/** Whether `Y-m-d` and, from the eleventh character on, `H:i:s` are a moment the calendar has. */
export function isCalendarMoment(written: string): boolean {
  return (
    pairAt(written, 11) < 24 &&
    pairAt(written, 14) < 60 &&
    pairAt(written, 17) < 60 &&
    isCalendarDay(written.slice(0, 10))
  );
}

/** The number of two digits that begins there. */
const pairAt = (written: string, place: number): number => Number(written.slice(place, place + 2));

/** Calendar months later, the day clamped to the month's end, the time of day kept. NaN beyond the calendar. */
export function addMonths(at: Instant, months: number): Instant {
  return addCalendarMonths(new UTCDateMini(at), months).getTime();
}

/** Calendar months from the month of one moment to the month of another. */
export function monthsBetween(from: Instant, to: Instant): number {
  const [a, b] = [new Date(from), new Date(to)];
  return (b.getUTCFullYear() - a.getUTCFullYear()) * 12 + b.getUTCMonth() - a.getUTCMonth();
}
