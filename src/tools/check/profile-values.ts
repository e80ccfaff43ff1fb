/* Values as a profile has them: which parts of a value are expected, and how parts make a whole or exclude each other. */

import { anyFamilies } from '../../products/world.ts';
import { isPlainObject } from '../../world/problem-texts.ts';
import { isSame } from './reading.ts';

/** A part of a value with the keys that lead to it. */
export type ValuePart = readonly [path: readonly string[], value: unknown];

const FAMILIES: readonly string[] = anyFamilies.map(({ key }) => key);

const partsOf = (value: unknown, path: readonly string[] = []): readonly ValuePart[] =>
  isPlainObject(value)
    ? Object.entries(value).flatMap(([key, part]) => partsOf(part, [...path, key]))
    : [[path, value]];

const partAt = (value: unknown, path: readonly string[]): unknown =>
  path.reduce((inside, key) => (isPlainObject(inside) ? inside[key] : undefined), value);

/** What is expected of a part: of a family what is expected of all of them, unless it has its own. */
const expectedAt = (expected: unknown, [key = '', ...rest]: readonly string[]): unknown =>
  partAt(expected, key === '' ? [] : [key, ...rest]) ??
  (FAMILIES.includes(key) ? partAt(expected, rest) : undefined);

/** The value that is made of these parts. */
export function wholeOf(parts: readonly ValuePart[]): unknown {
  const value = parts.find(([path]) => path.length === 0);
  if (value) return value[1];
  const keys = [...new Set(parts.map(([[key = '']]) => key))];
  const inside = (key: string) =>
    parts.flatMap(([[first, ...rest], part]): ValuePart[] => (first === key ? [[rest, part]] : []));
  return Object.fromEntries(keys.map((key) => [key, wholeOf(inside(key))]));
}

/** The value of which each of these is a part. */
export const merged = (values: readonly unknown[]): unknown =>
  wholeOf(values.flatMap((value) => partsOf(value)));

/** Whether two values cannot be parts of one. */
export const isContrary = (a: unknown, b: unknown): boolean =>
  isPlainObject(a) && isPlainObject(b)
    ? Object.keys(a).some((key) => Object.hasOwn(b, key) && isContrary(a[key], b[key]))
    : !isSame(a, b);

/** The parts of a value that are not as expected. */
export const deviationsIn = (expected: unknown, value: unknown): readonly ValuePart[] =>
  partsOf(value).filter(([path, part]) => !isSame(expectedAt(expected, path), part));

/** The part of the expected value that a value is about. */
export const expectedFor = (expected: unknown, value: unknown): unknown =>
  isPlainObject(value) && isPlainObject(expected)
    ? wholeOf(partsOf(value).map(([path]): ValuePart => [path, expectedAt(expected, path)]))
    : expected;

/** A value with what all families have in common in one place. */
export const withoutRepeats = (value: unknown): unknown =>
  wholeOf(
    partsOf(value).flatMap(([path, part]): ValuePart[] => {
      const [family = '', ...rest] = path;
      const isCommon = FAMILIES.every((each) => isSame(partAt(value, [each, ...rest]), part));
      if (!FAMILIES.includes(family) || !isCommon) return [[path, part]];
      return family === FAMILIES[0] ? [[rest, part]] : [];
    }),
  );
