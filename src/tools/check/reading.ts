/* Readings: what answers say about a statement. */

import type { Operation } from '../../api/operation.ts';
import type { ErrorCode } from '../../world/errors.ts';
import type { Fields } from './values.ts';

/** What a report says of a call. */
export interface AskedCall {
  readonly operation: Operation;
  /** What is special about it: `without a key`. */
  readonly what: string;
  readonly method?: string;
  /** A path that no operation has. */
  readonly path?: string;
  /** The fields that matter, for the report. */
  readonly changed?: readonly string[];
  /** What the contract refuses this call for. */
  readonly refusal?: ErrorCode;
}

/** Where something was seen: an answer, or a call that got none. */
export interface Place {
  readonly call: AskedCall;
  /** The fields that were sent. */
  readonly sent: Fields;
  /** A value on one line, as JSON, without keys. */
  show(value: unknown, max?: number): string;
}

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
  readonly at: Place;
  /** Sells twice, or hides a policy: told first. */
  readonly isSerious?: boolean;
}

/** The value of an assumption, as a profile sets it, in each answer that shows it. Answers may show a part of it. */
interface Decision {
  readonly decided: readonly SeenValue[];
}

/** A value, and the answer that shows it. */
export type SeenValue = readonly [value: unknown, at: Place];

export const unknown = (why: string): ProbeReading => ({ unknown: why });

const isDifference = (reading: ProbeReading): reading is Difference =>
  typeof reading === 'object' && 'seen' in reading;

/** A difference that sells twice or hides a policy. */
export const serious = (reading: ProbeReading): ProbeReading =>
  isDifference(reading) ? { ...reading, isSerious: true } : reading;

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
  const names = new Set(differences.map(({ at }) => at.call.operation.operationId));
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
