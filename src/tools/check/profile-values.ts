/* Values as a profile has them: which parts of a value are expected, and how parts make a whole or exclude each other. */

import { anyFamilies } from '../../products/world.ts';
import { isPlainObject } from '../../world/problem-texts.ts';
import { valueAt } from '../violations.ts';
import { isSame } from './values.ts';

/** A part of a value with the keys that lead to it. */
export type ValuePart = readonly [path: readonly string[], value: unknown];

const FAMILIES: readonly string[] = anyFamilies.map(({ key }) => key);

export const partsOf = (value: unknown, path: readonly string[] = []): readonly ValuePart[] =>
  isPlainObject(value)
    ? Object.entries(value).flatMap(([key, part]) => partsOf(part, [...path, key]))
    : [[path, value]];

/** What is expected of a part: of a family what is expected of all of them, unless it has its own. */
export const expectedOf = ([path]: ValuePart, expected: unknown): unknown =>
  valueAt(expected, path) ??
  (FAMILIES.includes(path[0] ?? '') ? valueAt(expected, path.slice(1)) : undefined);

/** Whether a part is another than expected. */
export const isOdd = (part: ValuePart, expected: unknown): boolean =>
  !isSame(expectedOf(part, expected), part[1]);

/** Whether two parts cannot be in one value. */
export function isContrary([path, value]: ValuePart, [otherPath, other]: ValuePart): boolean {
  const length = Math.min(path.length, otherPath.length);
  const isSamePlace = isSame(path.slice(0, length), otherPath.slice(0, length));
  return isSamePlace && !(path.length === otherPath.length && isSame(value, other));
}

/** The value that is made of these parts. */
export function wholeOf(parts: readonly ValuePart[]): unknown {
  const value = parts.find(([path]) => path.length === 0);
  if (value) return value[1];
  const keys = [...new Set(parts.map(([[key = '']]) => key))];
  const inside = (key: string) =>
    parts.flatMap(([[first, ...rest], part]): ValuePart[] => (first === key ? [[rest, part]] : []));
  return Object.fromEntries(keys.map((key) => [key, wholeOf(inside(key))]));
}

/** A value with what all families have in common in one place. */
export const withoutRepeats = (value: unknown): unknown =>
  wholeOf(
    partsOf(value).flatMap(([path, part]): ValuePart[] => {
      const [family = '', ...rest] = path;
      const isCommon = FAMILIES.every((each) => isSame(valueAt(value, [each, ...rest]), part));
      if (!FAMILIES.includes(family) || !isCommon) return [[path, part]];
      return family === FAMILIES[0] ? [[rest, part]] : [];
    }),
  );
