/* Values of answers: where they are in a body, and when two are the same. */

import { valueAt as valueIn } from '../../world/json.ts';
import { type Instant, instantOf } from '../../world/time.ts';

export type Fields = Readonly<Record<string, unknown>>;

/** The value at a path of keys and positions, joined by dots. */
export const valueAt = (value: unknown, path: string): unknown => valueIn(value, path.split('.'));

/** The moment of a timestamp, a date with a time or a day of an answer; NaN if it is none. */
export const momentOf = (written: unknown): Instant =>
  typeof written === 'string' && /^\d{4}-\d{2}-\d{2}/.test(written)
    ? instantOf(written.length === 10 ? `${written}T00:00:00` : written.replace(' ', 'T'))
    : Number.NaN;

/** Whether two values are the same but for the form of a number or of a moment. */
export const isAlike = (a: unknown, b: unknown): boolean =>
  isSame(a, b) ||
  ([a, b].every((each) => typeof each !== 'object') && String(a) === String(b)) ||
  decimalOf(a) === decimalOf(b) ||
  momentOf(a) === momentOf(b);

/** A number, or a text with decimals; other digits are a text. NaN if it is none. */
const decimalOf = (value: unknown): number =>
  typeof value === 'number' || /^\d+\.\d+$/.test(String(value)) ? Number(value) : Number.NaN;

/** Deep equality of JSON values; the order of keys does not count. */
export function isSame(a: unknown, b: unknown): boolean {
  if (a === b) return true;
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false;
  if (Array.isArray(a) !== Array.isArray(b)) return false;
  const fields = Object.entries(a);
  return (
    fields.length === Object.keys(b).length &&
    fields.every(([key, value]) => Object.hasOwn(b, key) && isSame(value, Reflect.get(b, key)))
  );
}
