import type { AssumptionId } from '../core/assumptions.ts';
import type { SchemaMismatch } from './contract.ts';
import type { Observation } from './probe.ts';

/** A place where a response says something else; what was seen is still the value itself. */
export interface Finding extends SchemaMismatch {
  /** The one value that is right, where it is known. */
  readonly value?: unknown;
  /** Another answer says so, which may be the wrong one. */
  readonly disputed?: boolean | undefined;
}

/** A place that says the one value it has to say. */
export type Held = Pick<Finding, 'path' | 'value'>;

/** A place of a response that was held against something. */
export interface Outcome extends Finding {
  readonly holds: boolean;
}

/** What a response tells, in order: places it was held against, and what it was seen to do. */
export type Outcomes = Iterable<Outcome | Observation>;

export const outcome = (
  holds: boolean,
  path: string,
  expected: string,
  seen: unknown,
  ...assumptions: readonly AssumptionId[]
): Outcome => ({ holds, path, expected, seen, assumptions });

export const is = (
  path: string,
  value: unknown,
  seen: unknown,
  ...assumptions: AssumptionId[]
): Outcome => outcome(seen === value, path, JSON.stringify(value), seen, ...assumptions);

/** What a status and the body under it say, where they say two things. */
export function contradiction(status: number, refused: boolean): string | undefined {
  if (refused && status < 400) return `HTTP ${status} with the body of a failure`;
  return !refused && status >= 400 ? `HTTP ${status} with the body of a success` : undefined;
}

/** Holds the status against the one expected; 200 over a failure is told as what it is. */
export const statusIs = (expected: number, status: number, refused: boolean): Outcome =>
  outcome(
    status === expected,
    'status',
    String(expected),
    contradiction(status, refused) ?? status,
    'http-status',
  );
