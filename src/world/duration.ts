/* ISO 8601 durations: which texts are one, and the moment after one has passed. */

import { UTCDateMini } from '@date-fns/utc/date/mini';
import { add } from 'date-fns/add';
import { parse as parseDuration } from 'tinyduration';
import { isClockInstant, momentText } from './clock.ts';
import { type Instant, MAX_INSTANT, SECOND_MS } from './time.ts';

/** Years to days are whole numbers. The last of hours, minutes and seconds may have a fraction. */
const DURATION =
  /^P(?=\d|T\d)(?:\d+Y)?(?:\d+M)?(?:\d+W)?(?:\d+D)?(?:T(?=\d)(?:(?:\d+H)?(?:\d+M)?\d+(?:[.,]\d+)?S|(?:\d+H)?\d+(?:[.,]\d+)?M|\d+(?:[.,]\d+)?H))?$/;

/** What a duration must be, in words. */
export const DURATION_FORM = 'an ISO 8601 duration like PT15M, P1D or P1M and not negative';

export const isDuration = (text: string): boolean => DURATION.test(text);

/** Adds a duration in calendar units. Undefined if that is after the end of clocks. */
export const addDuration = (from: Instant, duration: string): Instant | undefined =>
  shifted(from, duration, 1);

/** The moment a duration earlier. Undefined if that is before the start of clocks. */
export const timeBefore = (at: Instant, duration: string): Instant | undefined =>
  shifted(at, duration, -1);

function shifted(from: Instant, duration: string, sign: 1 | -1): Instant | undefined {
  const parts = parseDuration(duration);
  const { years = 0, months = 0, weeks = 0, days = 0 } = parts;
  const { hours = 0, minutes = 0, seconds = 0 } = parts;
  const calendar = {
    years: sign * years,
    months: sign * months,
    weeks: sign * weeks,
    days: sign * days,
  };
  // Rounded: in floating point, 1.001 seconds are 1000.9999… milliseconds.
  const time = sign * Math.round((hours * 3600 + minutes * 60 + seconds) * SECOND_MS);
  const at = add(new UTCDateMini(from), calendar).getTime() + time;
  return isClockInstant(at) ? at : undefined;
}

/** What is wrong with a duration that is too long. */
export const PAST_END = `goes past ${momentText(MAX_INSTANT)}, where clocks end`;
