/* Readings: what the answers to a probe say. */

import { type Answer, type ProbeCall, valueAt } from './call.ts';

/** What the answers say: what the contract says, another value, what a server decides, or nothing. */
export type ProbeReading = 'as published' | Difference | Decision | { readonly unknown: string };

/** Another value than expected. */
interface Difference {
  readonly value: unknown;
  readonly expected: unknown;
  /** The answer that shows it. */
  readonly at?: Answer;
  /** Sells twice, or hides a policy: told first. */
  readonly isSerious?: boolean;
}

/** The value of an assumption, as a profile sets it, in each answer that shows it. Answers may show a part of it. */
export interface Decision {
  readonly decided: readonly SeenValue[];
}

/** A value, and the answer that shows it. */
export type SeenValue = readonly [value: unknown, at: Answer];

export const AS_PUBLISHED = 'as published';

/** A sentence of ours, unlike a value of a server. */
export class Words {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

export const words = (text: string): Words => new Words(text);

/** That a value is another than expected. */
export const differs = (expected: unknown, value: unknown, at?: Answer): Difference => ({
  value,
  expected,
  ...(at && { at }),
});

/** That something else was seen than expected, in our words. */
export const otherwise = (expected: string, seen: string, at: Answer): ProbeReading =>
  differs(words(expected), words(seen), at);

/** The value of an assumption, as a profile sets it. */
export const decided = (value: unknown, at: Answer): ProbeReading => agreed([[value, at]]);

export const unknown = (why: string): ProbeReading => ({ unknown: why });

/** That something is so, or else what is there instead. */
export const holds = (is: boolean, expected: string, seen: unknown, at: Answer): ProbeReading =>
  is ? AS_PUBLISHED : differs(words(expected), seen, at);

/** That a call was accepted, and what it answered. */
export const accepted = (
  answer: Answer,
  read: (answer: Answer) => ProbeReading = () => AS_PUBLISHED,
): ProbeReading => (answer.ok ? read(answer) : otherwise('accepted', answer.shown, answer));

/** That calls were refused, for a reason and not by a failure of the server. */
export const refused = (...answers: readonly Answer[]): ProbeReading =>
  everywhere(answers, 'refused', ({ ok, status }) => {
    if (ok) return 'accepted';
    return status >= 500 ? `failed with ${status}` : undefined;
  });

/** That no answer of those that were asked for says anything. */
export const NOT_SHOWN = unknown('no answer shows it');

/** A missing field is told by its schema. */
const MISSING = unknown('the field is missing');

/** That a value is the expected one. */
export function same(expected: unknown, seen: unknown, at?: Answer): ProbeReading {
  if (isSame(expected, seen)) return AS_PUBLISHED;
  return seen === undefined ? MISSING : differs(expected, seen, at);
}

/** That a field of a record has this value, told with the name of the field. */
export function hasField(
  record: unknown,
  field: string,
  expected: unknown,
  at: Answer,
): ProbeReading {
  const seen = valueAt(record, field);
  // A missing field and another type are told by the schema.
  if (seen === undefined) return MISSING;
  return isAlike(expected, seen)
    ? AS_PUBLISHED
    : differs({ [field]: expected }, { [field]: seen }, at);
}

/** Whether two values are the same but for a number that is written as a text. */
const isAlike = (a: unknown, b: unknown): boolean => {
  const isWritten = typeof a !== 'object' && typeof b !== 'object';
  return isSame(a, b) || (isWritten && String(a) === String(b));
};

/** That an answer shows this value at a path. */
export const shows = (answer: Answer, path: string, expected: unknown): ProbeReading =>
  same(expected, answer.get(path), answer);

/** That a text has a form. */
export function formed(form: RegExp, says: string, seen: unknown, at: Answer): ProbeReading {
  if (seen === undefined) return MISSING;
  return holds(typeof seen === 'string' && form.test(seen), says, seen, at);
}

/** The first reading that differs; unknown only if nothing is known. */
export function all(...readings: readonly ProbeReading[]): ProbeReading {
  const told = readings.find((reading) => reading !== AS_PUBLISHED && !('unknown' in reading));
  if (told) return told;
  if (readings.includes(AS_PUBLISHED)) return AS_PUBLISHED;
  return readings[0] ?? NOT_SHOWN;
}

/** What each answer to a call that was accepted says. */
export const eachOf = (
  answers: readonly Answer[],
  read: (answer: Answer) => ProbeReading,
): ProbeReading => all(...answers.filter(({ ok }) => ok).map(read));

/** That each of these answers reads so; the operations that do not are told together. */
export function everywhere(
  answers: readonly Answer[],
  expected: string,
  seenIn: (answer: Answer) => string | undefined,
): ProbeReading {
  if (answers.length === 0) return NOT_SHOWN;
  const odd = answers.filter((answer) => seenIn(answer) !== undefined);
  const [first] = odd;
  if (!first) return AS_PUBLISHED;
  return otherwise(expected, `${seenIn(first)}${whereOf(odd, answers)}`, first);
}

const MAX_NAMES = 3;

/** Which operations these answers are of, unless it is the example alone. */
function whereOf(odd: readonly Answer[], answers: readonly Answer[]): string {
  const names = [...new Set(odd.map(({ call }) => call.operation.operationId))];
  if (names.length === 1) return '';
  if (odd.length === answers.length) return ' (every operation)';
  const others = names.length > MAX_NAMES ? ` and ${names.length - MAX_NAMES} others` : '';
  return ` (${names.slice(0, MAX_NAMES).join(', ')}${others})`;
}

/** What several answers decide. */
export const agreed = (seen: readonly SeenValue[]): ProbeReading =>
  seen.length === 0 ? NOT_SHOWN : { decided: seen };

/** The message of a refusal, as a profile sets it. */
export function messageOf({ status, message, shown }: Answer): unknown {
  if (status >= 500) return words(shown);
  return message === undefined ? words('no message') : { message };
}

/** A difference that sells twice or hides a policy. */
export const serious = (reading: ProbeReading): ProbeReading =>
  typeof reading === 'object' && 'value' in reading ? { ...reading, isSerious: true } : reading;

/** The answer to a call among others. */
export const answerTo = (
  answers: readonly Answer[],
  call: ProbeCall | undefined,
): Answer | undefined => answers.find((answer) => answer.call === call);

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
