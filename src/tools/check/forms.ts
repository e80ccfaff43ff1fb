/* Tells the form of a value (its type, and how a text is written) from what it means. */

import { isObject } from '../../scenarios/json.ts';
import { writtenMoment } from '../../scenarios/received.ts';
import { instantOf, MINUTE_MS } from '../../world/time.ts';

const TIMESTAMP = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d:\d\d)(\.\d+)?(Z|[+-]\d\d:?\d\d)?$/;
const DATE_AND_TIME = /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/;
const DAY = /^\d{4}-\d\d-\d\d$/;
const DECIMAL = /^-?\d+(\.\d+)?$/;

/** The form of a value; texts that may say anything have one form. */
export function formOf(value: unknown): string {
  if (value === undefined) return 'nothing';
  if (value === null) return 'null';
  if (Array.isArray(value)) return 'a list';
  if (typeof value !== 'string') return isObject(value) ? 'an object' : `a ${typeof value}`;
  const [, , , fraction = '', zone = ''] = TIMESTAMP.exec(value) ?? [];
  if (TIMESTAMP.test(value))
    return `a timestamp ${fraction.length}${zone === 'Z' ? 'Z' : zone && '+'}`;
  if (DATE_AND_TIME.test(value)) return 'a date and time';
  if (DAY.test(value)) return 'a day';
  if (!DECIMAL.test(value)) return 'a text';
  const decimals = value.split('.')[1]?.length ?? 0;
  return decimals === 0 ? 'digits' : `digits with ${decimals} decimals`;
}

/** Whether a text is a moment or a day, however it is written. */
export const isMoment = (form: string): boolean => /^a (timestamp|date|day)/.test(form);

export const isNumeric = (form: string): boolean =>
  form.startsWith('digits') || form === 'a number';

/** Whether two values differ in form: one is no plain text, or their types differ. */
export function differsInForm(a: unknown, b: unknown): boolean {
  const [one, other] = [formOf(a), formOf(b)];
  if (typeof a === 'string' && typeof b === 'string') {
    if (isMoment(one)) return one !== other;
    // Of texts without decimals, digits are not a form: a phone number may gain a plus.
    return hasDecimals(one) && isNumeric(other) && one !== other;
  }
  return one !== other;
}

/** Whether the form of a text is that of a number with decimals. */
export const hasDecimals = (form: string): boolean => form.startsWith('digits with');

/** How the form of a timestamp tells its zone: `Z`, `+` for an offset, or nothing. */
export const zoneOfForm = (form: string): string => form.replace(/^a timestamp \d+/, '');

/** Whether two values of different form say the same. */
export function sameMeaning(a: unknown, b: unknown, slackMs: number): boolean {
  const [one, other] = [formOf(a), formOf(b)];
  if (isMoment(one) && isMoment(other)) {
    // A day is written as its midnight, in UTC or in the zone of the server.
    const times = [a, b].map((each) => String(each).slice(0, 19));
    if (times[0] === times[1] && times[0]?.endsWith('T00:00:00')) return true;
    const precision = [one, other].includes('a day') ? 'day' : 'second';
    const [first, second] = [momentOf(a, precision), momentOf(b, precision)];
    return Math.abs(first - second) <= slackMs;
  }
  if (isNumeric(one) && isNumeric(other)) return Number(a) === Number(b);
  if (typeof a === 'boolean' && typeof b === 'number') return Number(a) === b;
  if (typeof a === 'number' && typeof b === 'boolean') return a === Number(b);
  if (typeof a === 'boolean' && typeof b === 'string')
    return b === String(a) || b === `${Number(a)}`;
  // Nothing is known of what else they say.
  return true;
}

/** The instant of a text in any form, in whole days or seconds. Without a zone it is in UTC. */
function momentOf(value: unknown, precision: 'day' | 'second'): number {
  const text = String(value);
  if (precision === 'day') return instantOf(`${text.slice(0, 10)}T00:00:00Z`);
  return writtenMoment(text);
}

/** Minutes from one text to a later one. */
export const minutesBetween = (from: unknown, to: unknown): number =>
  (momentOf(to, 'second') - momentOf(from, 'second')) / MINUTE_MS;

/** The number of values in a JSON value: how much of an answer cannot be compared without it. */
export function leavesOf(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 1;
  return Math.max(
    1,
    Object.values(value).reduce<number>((sum, each) => sum + leavesOf(each), 0),
  );
}

/** Whether a value is a list of texts, or has such lists by field, as the problems of a list's elements do. */
export function areProblems(value: unknown): boolean {
  if (!Array.isArray(value)) return isObject(value) && Object.values(value).every(areProblems);
  const isInside = (each: unknown) => isObject(each) && Object.values(each).every(areProblems);
  return value.length > 0 && value.every((each) => typeof each === 'string' || isInside(each));
}

/** The fields of a body and of what is in them, as one line: `{ message, errors: { FIELD: [ text ] } }`. */
export function shapeOf(value: unknown, depth = 2): string {
  if (Array.isArray(value)) {
    return value.length === 0 ? '[]' : `[ ${depth === 0 ? '…' : shapeOf(value[0], depth - 1)} ]`;
  }
  if (!isObject(value)) return typeof value === 'string' ? 'text' : formOf(value).replace('a ', '');
  const entries = Object.entries(value);
  if (entries.length === 0) return '{}';
  if (depth === 0) return '{ … }';
  // Problems by field: the fields are those of a request.
  if (depth >= 1 && entries.every(([, each]) => areProblems(each))) {
    return entries.length === 1 && entries[0]?.[0] === 'error'
      ? '{ error: [ text ] }'
      : '{ FIELD: [ text ] }';
  }
  const fields = entries.map(([name, each]) =>
    typeof each === 'object' && each !== null ? `${name}: ${shapeOf(each, depth - 1)}` : name,
  );
  return `{ ${fields.join(', ')} }`;
}
