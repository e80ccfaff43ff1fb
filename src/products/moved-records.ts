/* Moves the built-in records back by whole years, so that they are not later than a clock that starts before them. */

import { type Instant, timestamp } from '../world/time.ts';
import { type Fixtures, fileOf, isGiven } from './fixtures.ts';
import { anyFamilies, type PoliciesByFamily } from './world.ts';

/** Every fourth year has a 29 February again. */
const STEP_YEARS = 4;

/** The last moment in the built-in records, as a test holds. */
export const LAST_BUILT_IN_MOMENT = '2023-12-29T16:53:43.000000Z';

/** How many years the built-in records have to move back, so that none is after this time. */
export function yearsBack(start: Instant): number {
  let years = 0;
  while (movedBack(LAST_BUILT_IN_MOMENT, years) > timestamp(start)) years += STEP_YEARS;
  return years;
}

/** The policies of fixtures. The built-in ones are not after this time. */
export function policiesAt(fixtures: Fixtures, start: Instant): PoliciesByFamily {
  const years = yearsBack(start);
  const moving = anyFamilies.filter(
    (family) => !isGiven(fixtures, fileOf(family), family.policyList),
  );
  if (years === 0 || moving.length === 0) return fixtures.policies;
  const moved = moving.map(({ key }) => [key, movedBack(fixtures.policies[key], years)]);
  return { ...fixtures.policies, ...Object.fromEntries(moved) };
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
