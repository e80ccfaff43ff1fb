/* Readings: what answers say about a statement. */

import { type Instant, instantOf } from '../../world/time.ts';
import { Answer, type Fields, type ProbeCall, valueAt } from './call.ts';

/** What answers say: what the contract says, something else, what a server decides, or nothing. */
export type ProbeReading =
  | typeof AS_PUBLISHED
  | Difference
  | Decision
  | { readonly unknown: string };

export const AS_PUBLISHED = 'as published';

interface Difference {
  readonly expected: string;
  readonly seen: string;
  /** The answer that shows it, or the call that was not answered. */
  readonly at: Answer | ProbeCall;
  /** Sells twice, or hides a policy: told first. */
  readonly isSerious?: boolean;
}

/** The value of an assumption, as a profile sets it, in each answer that shows it. Answers may show a part of it. */
interface Decision {
  readonly decided: readonly SeenValue[];
}

/** A value, and the answer that shows it. */
export type SeenValue = readonly [value: unknown, at: Answer];

const isDifference = (reading: ProbeReading): reading is Difference =>
  typeof reading === 'object' && 'seen' in reading;

export const unknown = (why: string): ProbeReading => ({ unknown: why });

/** A missing field is told by its schema. */
const MISSING = unknown('the field is missing');

/** The value of an assumption, as a profile sets it. */
export const decided = (value: unknown, at: Answer): ProbeReading => ({ decided: [[value, at]] });

/** That something else was seen than expected, in our words. */
export const otherwise = (expected: string, seen: string, at: Difference['at']): ProbeReading => ({
  expected,
  seen,
  at,
});

/** That a value is another than expected. */
export const differs = (expected: unknown, seen: unknown, at: Answer): ProbeReading =>
  otherwise(at.show(expected), at.show(seen), at);

/** That something is so, or else what is there instead. */
export const holds = (is: boolean, expected: string, seen: string, at: Answer): ProbeReading =>
  is ? AS_PUBLISHED : otherwise(expected, seen, at);

/** A difference that sells twice or hides a policy. */
export const serious = (reading: ProbeReading): ProbeReading =>
  isDifference(reading) ? { ...reading, isSerious: true } : reading;

/** That a call was accepted, and what it answered. */
export const accepted = (
  answer: Answer,
  read: (answer: Answer) => ProbeReading = () => AS_PUBLISHED,
): ProbeReading => (answer.ok ? read(answer) : otherwise('accepted', answer.shown, answer));

/** That a call was refused, for a reason and not by a failure of the server. */
export function refused(answer: Answer): ProbeReading {
  if (answer.ok) return otherwise('refused', 'accepted', answer);
  return holds(answer.status < 500, 'refused', `failed with ${answer.status}`, answer);
}

/** The message of a refusal, as a profile sets it. */
export function messageOf(answer: Answer): ProbeReading {
  const { ok, status, message, shown } = answer;
  if (ok) return unknown('the call was accepted');
  if (status >= 500) return otherwise('a refusal', shown, answer);
  return message === undefined
    ? otherwise('a message', 'no message', answer)
    : decided({ message }, answer);
}

/** That a value is the expected one. */
export function same(expected: unknown, seen: unknown, at: Answer): ProbeReading {
  if (isSame(expected, seen)) return AS_PUBLISHED;
  return seen === undefined ? MISSING : differs(expected, seen, at);
}

/** That a text of an answer has a form. */
export function formed(answer: Answer, path: string, form: RegExp, says: string): ProbeReading {
  const seen = answer.get(path);
  if (seen === undefined) return MISSING;
  return holds(typeof seen === 'string' && form.test(seen), says, answer.show(seen), answer);
}

/** That a record has these values at these paths. All that differ are told; other types are told by the schema. */
export function have(record: unknown, expected: Fields, at: Answer): ProbeReading {
  const shown = Object.entries(expected)
    .map(([path, due]) => ({ path, due, seen: valueAt(record, path) }))
    .filter(({ due, seen }) => due !== undefined && seen !== undefined);
  if (shown.length === 0) return MISSING;
  const odd = shown.filter(({ due, seen }) => !isAlike(due, seen));
  if (odd.length === 0) return AS_PUBLISHED;
  return differs(
    Object.fromEntries(odd.map(({ path, due }) => [path, due])),
    Object.fromEntries(odd.map(({ path, seen }) => [path, seen])),
    at,
  );
}

/** That the data of an answer has these values. */
export const shows = (answer: Answer, expected: Fields): ProbeReading =>
  have(answer.get('data'), expected, answer);

/** What several readings say: the difference that matters most, or all that is decided; unknown only if nothing is known. */
export function all(...readings: readonly ProbeReading[]): ProbeReading {
  const differences = readings.filter(isDifference);
  const [first] = differences;
  if (first) return differences.find(({ isSerious }) => isSerious) ?? first;
  const values = readings.flatMap((each) =>
    typeof each === 'object' && 'decided' in each ? each.decided : [],
  );
  if (values.length > 0) return { decided: values };
  if (readings.includes(AS_PUBLISHED)) return AS_PUBLISHED;
  return readings[0] ?? unknown('no answer shows it');
}

/** What the cases of a probe say. A difference names the operations of all cases that differ. */
export function allCases(readings: readonly ProbeReading[]): ProbeReading {
  const reading = all(...readings);
  if (!isDifference(reading)) return reading;
  const differences = readings.filter(isDifference);
  const names = new Set(differences.map(({ at }) => operationIn(at)));
  if (names.size === 1) return reading;
  const known = readings.filter((each) => typeof each === 'string' || !('unknown' in each));
  const isEvery = differences.length === known.length && names.size > MAX_NAMES;
  const others = names.size > MAX_NAMES ? ` and ${names.size - MAX_NAMES} others` : '';
  const where = isEvery
    ? 'every operation'
    : `${[...names].slice(0, MAX_NAMES).join(', ')}${others}`;
  return { ...reading, seen: `${reading.seen} (${where})` };
}

const MAX_NAMES = 3;

/** The operation of an answer, or of a call that was not answered. */
export const operationIn = (at: Difference['at']): string =>
  (at instanceof Answer ? at.call : at).operation.operationId;

/** The moment of a timestamp, a date with a time or a day of an answer; NaN if it is none. */
export const momentOf = (written: unknown): Instant =>
  typeof written === 'string' && /^\d{4}-\d{2}-\d{2}/.test(written)
    ? instantOf(written.length === 10 ? `${written}T00:00:00` : written.replace(' ', 'T'))
    : Number.NaN;

/** Whether two values are the same but for the form of a number or of a moment. */
const isAlike = (a: unknown, b: unknown): boolean =>
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
