import {
  addMonths,
  dateTime,
  type Instant,
  instantOf,
  SECOND_MS,
  timestamp,
} from '../core/time.ts';
import { type Claim, type Json, meets } from './probe.ts';

/** A timestamp some months later; what is no timestamp stays what it is. */
export function monthsLater(written: Json, months: number): Json {
  const from = typeof written === 'string' ? instantOf(written) : Number.NaN;
  return Number.isNaN(from) ? written : timestamp(addMonths(from, months));
}

/** `Y-m-d` some months later. */
export const dayMonthsLater = (written: string, months: number): string =>
  monthsLater(`${written}T00:00:00.000000Z`, months).slice(0, 10);

/** A timestamp in the form of `active_date`. */
export function asDateTime(written: Json): Json {
  const at = typeof written === 'string' ? instantOf(written) : Number.NaN;
  return Number.isNaN(at) ? written : dateTime(at);
}

export const midnightOf = (written: string): string => `${written}T00:00:00.000000Z`;

/** That a timestamp is of now, by the server's own clock; nothing where that clock is not known. */
export function ofNow(
  path: string,
  between: readonly [Instant, Instant] | undefined,
  ...decisions: Claim['decisions']
): Claim[] {
  if (!between) return [];
  const [from, to] = between.map((at) => Math.floor(at / SECOND_MS) * SECOND_MS) as [
    number,
    number,
  ];
  return [
    meets(
      path,
      from === to ? timestamp(from) : `${timestamp(from)} to ${timestamp(to)}`,
      (seen) => {
        const at = typeof seen === 'string' ? instantOf(seen) : Number.NaN;
        return at >= from && at <= to;
      },
      ...decisions,
    ),
  ];
}
