/*
 * What a server decides: held against the published values or those of a profile, and written as a profile. A value has
 * parts, such as a status for each family.
 */

import { withoutContradictions } from '../../control/contradictions.ts';
import { profileOptions } from '../../control/profile.ts';
import { anyFamilies } from '../../products/world.ts';
import type { AssumptionId } from '../../world/assumptions.ts';
import { valueAt } from '../../world/json.ts';
import { isPlainObject } from '../../world/problem-texts.ts';
import { PUBLISHED, type Setting, type Settings } from '../../world/settings.ts';
import type { Place, SeenValue } from './reading.ts';
import type { ProbeResult } from './report.ts';
import { isSame } from './values.ts';

/** A part of a value with the keys that lead to it. */
type ValuePart = readonly [path: readonly string[], value: unknown];

const FAMILIES: readonly string[] = anyFamilies.map(({ key }) => key);

const partsOf = (value: unknown, path: readonly string[] = []): readonly ValuePart[] =>
  isPlainObject(value)
    ? Object.entries(value).flatMap(([key, part]) => partsOf(part, [...path, key]))
    : [[path, value]];

/** What is expected of a part: of a family what is expected of all of them, unless it has its own. */
const expectedOf = ([path]: ValuePart, expected: unknown): unknown =>
  valueAt(expected, path) ??
  (FAMILIES.includes(path[0] ?? '') ? valueAt(expected, path.slice(1)) : undefined);

/** Whether a part is another than expected. */
const isOdd = (part: ValuePart, expected: unknown): boolean =>
  !isSame(expectedOf(part, expected), part[1]);

/** Whether two parts cannot be in one value. */
function isContrary([path, value]: ValuePart, [otherPath, other]: ValuePart): boolean {
  const length = Math.min(path.length, otherPath.length);
  const isSamePlace = isSame(path.slice(0, length), otherPath.slice(0, length));
  return isSamePlace && !(path.length === otherPath.length && isSame(value, other));
}

/** The value that is made of these parts. */
function wholeOf(parts: readonly ValuePart[]): unknown {
  const value = parts.find(([path]) => path.length === 0);
  if (value) return value[1];
  const keys = [...new Set(parts.map(([[key = '']]) => key))];
  const inside = (key: string) =>
    parts.flatMap(([[first, ...rest], part]): ValuePart[] => (first === key ? [[rest, part]] : []));
  return Object.fromEntries(keys.map((key) => [key, wholeOf(inside(key))]));
}

/** A value with what all families have in common in one place. */
const withoutRepeats = (value: unknown): unknown =>
  wholeOf(
    partsOf(value).flatMap(([path, part]): ValuePart[] => {
      const [family = '', ...rest] = path;
      const isCommon = FAMILIES.every((each) => isSame(valueAt(value, [each, ...rest]), part));
      if (!FAMILIES.includes(family) || !isCommon) return [[path, part]];
      return family === FAMILIES[0] ? [[rest, part]] : [];
    }),
  );

/** A value that was read, and an answer that shows it. */
interface DecisionResult
  extends Pick<ProbeResult, 'outcome' | 'expected' | 'seen' | 'setting' | 'deviation'> {
  readonly at: Place;
}

/** What a server decides about an assumption, held against the published value or that of a profile. */
export function decisionIn(
  seen: readonly SeenValue[],
  about: string,
  settings: Settings,
): DecisionResult {
  const option = optionOf(about);
  const due = option?.in(settings);
  const parts = seen.flatMap(([value, at]) => partsOf(value).map((part) => ({ part, at })));
  const whole = wholeOf(parts.map(({ part }) => part));
  const odd = parts.filter(({ part }) => isOdd(part, due));
  const { part, at } = (odd[0] ?? parts[0]) as (typeof parts)[number];
  const setting = withoutRepeats(whole);
  if (odd.length === 0) return { at, outcome: 'ok', setting };
  const show = (each: readonly ValuePart[]) => at.show(withoutRepeats(wholeOf(each)));
  // A published value without parts, such as `required`, is expected as a whole.
  const showDue = (each: readonly ValuePart[]) =>
    isPlainObject(due) ? show(each.map((one) => [one[0], expectedOf(one, due)])) : at.show(due);
  const difference = { at, outcome: 'differs' } as const;
  const contrary = parts.find((other) => isContrary(part, other.part));
  if (contrary) {
    const elsewhere = `${show([part])} here, ${show([contrary.part])} elsewhere`;
    return { ...difference, expected: showDue([part]), seen: elsewhere };
  }
  // Only the parts that differ are shown, such as one message of fifteen.
  const others = odd.map((each) => each.part);
  const told = { expected: showDue(others), seen: show(others) };
  const isSettable = option?.schema().safeParse(whole).success === true;
  return {
    ...{ ...difference, ...told },
    ...(isSettable && { setting, deviation: withoutRepeats(wholeOf(others)) }),
  };
}

const optionOf = (about: string): Setting | undefined =>
  Object.hasOwn(profileOptions, about) ? profileOptions[about as AssumptionId] : undefined;

/** The values that were read and are not as published, as a profile has them. */
export function decisionsOf(results: readonly ProbeResult[]): Readonly<Record<string, unknown>> {
  const parts = results.flatMap(({ about, setting }) =>
    setting === undefined
      ? []
      : partsOf(setting)
          .filter((part) => isOdd(part, optionOf(about)?.in(PUBLISHED)))
          .map(([path, part]): ValuePart => [[about, ...path], part]),
  );
  const decisions = Object.entries(wholeOf(parts) as object);
  return withoutContradictions(
    Object.fromEntries(decisions.map(([about, value]) => [about, withoutRepeats(value)])),
  );
}
