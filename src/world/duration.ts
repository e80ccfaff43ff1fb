/* ISO 8601 durations: which texts are one, and the moment after one has passed. */

import { UTCDateMini } from '@date-fns/utc/date/mini';
import { add } from 'date-fns/add';
import { isClockInstant, momentText } from './clock.ts';
import { type Instant, MAX_INSTANT, SECOND_MS } from './time.ts';

/** Years to days are whole numbers. The last of hours, minutes and seconds may have a fraction. */
const DURATION =
  /^P(?=\d|T\d)(?:(?<years>\d+)Y)?(?:(?<months>\d+)M)?(?:(?<weeks>\d+)W)?(?:(?<days>\d+)D)?(?:T(?=\d)(?:(?<hours>\d+(?:[.,]\d+(?=H$))?)H)?(?:(?<minutes>\d+(?:[.,]\d+(?=M$))?)M)?(?:(?<seconds>\d+(?:[.,]\d+)?)S)?)?$/;

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
