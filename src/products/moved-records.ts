/* Moves the built-in records back by whole years, so that they are not later than a clock that starts before them. */

import { type Instant, timestamp } from '../world/time.ts';
import { builtInFixtures, type Fixtures, futureMoments } from './fixtures.ts';
import { anyFamilies } from './world.ts';

/** Every fourth year has a 29 February again. */
const STEP_YEARS = 4;

/** No built-in record is later, as a test holds. Looking through them at each start would take as long as a World. */
export const AFTER_BUILT_IN_RECORDS = Date.UTC(2024, 0, 1);

/** How many years the built-in records have to move back, so that none is after this time. */
export function yearsBack(start: Instant): number {
  if (start >= AFTER_BUILT_IN_RECORDS) return 0;
  let years = 0;
  const { records } = builtInFixtures();
  while (futureMoments(movedBack(records, years), timestamp(start)).length > 0) years += STEP_YEARS;
  return years;
}

/** Fixtures whose built-in records are not after this time. */
export function movedBefore(fixtures: Fixtures, start: Instant): Fixtures {
  if (fixtures.builtInPolicies.size === 0) return fixtures;
  const years = yearsBack(start);
  if (years === 0) return fixtures;
  const records = anyFamilies.map(({ key, policyList }) => {
    const own = fixtures.records[key] as Record<string, object>;
    if (!fixtures.builtInPolicies.has(key)) return [key, own];
    return [key, { ...own, [policyList]: movedBack(own[policyList], years) }];
  });
  return { ...fixtures, records: Object.fromEntries(records) };
}

/** A year, a day or a moment. */
const DATE = /^(\d{4})(-\d\d-\d\d(?:[T ][\d:.Z]+)?)?$/;

/** A value whose dates are that many years earlier, at any depth. */
export function movedBack<Value>(value: Value, years: number): Value {
  if (years === 0) return value;
  if (typeof value === 'string') return movedText(value, years) as Value;
  if (typeof value !== 'object' || value === null) return value;
  if (Array.isArray(value)) return value.map((each) => movedBack(each, years)) as Value;
  const fields = Object.entries(value).map(([name, held]) => [name, movedBack(held, years)]);
  return Object.fromEntries(fields) as Value;
}

function movedText(text: string, years: number): string {
  const [, year, rest = ''] = DATE.exec(text) ?? [];
  return year === undefined ? text : `${Number(year) - years}${rest}`;
}
