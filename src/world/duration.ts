/* Durations: ISO 8601 texts, the moment after one has passed, and how people say them. */

import { UTCDateMini } from '@date-fns/utc/date/mini';
import { add } from 'date-fns/add';
import { isClockInstant, momentText } from './clock.ts';
import { DAY_MS, type Instant, MAX_INSTANT, MINUTE_MS, SECOND_MS } from './time.ts';

/** Years to days are whole numbers. The last of hours, minutes and seconds may have a fraction. */
const DURATION =
  /^P(?=\d|T\d)(?:(?<years>\d+)Y)?(?:(?<months>\d+)M)?(?:(?<weeks>\d+)W)?(?:(?<days>\d+)D)?(?:T(?=\d)(?:(?<hours>\d+(?:[.,]\d+(?=H$))?)H)?(?:(?<minutes>\d+(?:[.,]\d+(?=M$))?)M)?(?:(?<seconds>\d+(?:[.,]\d+)?)S)?)?$/;

/** What a duration must be, in words. */
export const DURATION_FORM = 'an ISO 8601 duration like PT15M, P1D or P1M and not negative';

export const isDuration = (text: string): boolean => DURATION.test(text);

/**
 * Adds a duration in calendar units. Undefined if that is outside the range of clocks.
 *
 * @param sign -1 subtracts it
 */
export function addDuration(
  from: Instant,
  duration: string,
  sign: 1 | -1 = 1,
): Instant | undefined {
  const parts = DURATION.exec(duration)?.groups ?? {};
  const part = (name: string): number => Number((parts[name] ?? '0').replace(',', '.'));
  const calendar = {
    years: sign * part('years'),
    months: sign * part('months'),
    weeks: sign * part('weeks'),
    days: sign * part('days'),
  };
  // Rounded: in floating point, 1.001 seconds are 1000.9999… milliseconds.
  const seconds = part('hours') * 3600 + part('minutes') * 60 + part('seconds');
  const time = sign * Math.round(seconds * SECOND_MS);
  const at = add(new UTCDateMini(from), calendar).getTime() + time;
  return isClockInstant(at) ? at : undefined;
}

/** What is wrong with a duration that is too long. */
export const PAST_END = `goes past ${momentText(MAX_INSTANT)}, where clocks end`;

const UNITS = { day: DAY_MS, h: 60 * MINUTE_MS, min: MINUTE_MS, s: SECOND_MS };

/** `15 min`, `1 day 2 h`, `28 days`: the two largest units. */
export function durationWords(ms: number): string {
  let left = Math.abs(ms);
  const parts: string[] = [];
  for (const [unit, length] of Object.entries(UNITS)) {
    const count = Math.floor(left / length);
    left -= count * length;
    if (count > 0) parts.push(`${count} ${unit}${unit === 'day' && count > 1 ? 's' : ''}`);
  }
  return parts.slice(0, 2).join(' ') || `${left} ms`;
}
