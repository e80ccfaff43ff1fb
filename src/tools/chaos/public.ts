/* The types of a `chaos` report, as programs import them. */

import type { OperationId } from '../../wire.ts';
import { recognizeCopies } from '../../world/error-classes.ts';

/** What goes wrong with a call. `hang` and `killed` only happen if `only` names them. */
export type Failure =
  | '503'
  | 'refused'
  | 'lost'
  | 'cut'
  | 'garbage'
  | 'gateway'
  | 'slow'
  | 'expired'
  | 'hang'
  | 'killed';

/**
 * How a run ended.
 *
 * - `survived`: exit 0, and it bought what the undisturbed run bought.
 * - `noticed`: another exit, and it bought nothing more often than the undisturbed run.
 * - `bought twice`: it bought something more often than the undisturbed run.
 * - `false success`: exit 0, and it bought less than the undisturbed run.
 * - `hung`: it did not end within the time limit.
 */
export type Outcome = 'survived' | 'noticed' | 'bought twice' | 'false success' | 'hung';

/** How often one customer paid with an operation: a verify for a policy, or a renewal. */
export interface Bought {
  readonly operation: OperationId;
  /** The name of the policy's holder. Motor: the contact person, since its policies have no other name. */
  readonly customer: string;
  readonly count: number;
}

/** A number of policies or renewals that differs from the undisturbed run. */
export interface BoughtDifference {
  readonly operation: OperationId;
  readonly customer: string;
  readonly undisturbed: number;
  readonly bought: number;
}

/** What every run reports. */
export interface RunResult {
  /** The key of the merchant that the run had for itself. */
  readonly key: string;
  /** The exit code; of a function, 0 or, if it threw, 1. A program that a signal ended has 128 and its number. */
  readonly exit: number | null;
  /** What the function threw. */
  readonly error?: string;
  readonly bought: readonly Bought[];
  /** How long it took, in real milliseconds. */
  readonly duration_ms: number;
}

/** The run without any failure. */
export type UndisturbedRun = RunResult;

/** A run with one failure. */
export interface ChaosRun extends RunResult {
  readonly operation: OperationId;
  /** The number of the call among those of its operation, from 1. */
  readonly call: number;
  readonly failure: Failure;
  readonly outcome: Outcome;
  /** Whether the run made the call that the failure was for. */
  readonly met: boolean;
  /** Its calls as lines of text, those around the failure and those that bought. Empty if it survived. */
  readonly calls: readonly string[];
  /** How it differs from the undisturbed run in what it bought. */
  readonly differences: readonly BoughtDifference[];
}

/** How many calls of an operation were disturbed. */
export interface Coverage {
  readonly operation: OperationId;
  /** The calls of the undisturbed run. */
  readonly calls: number;
  /** How many of them met a failure in some run. */
  readonly disturbed: number;
}

/** Which failures a program survives. */
export interface ChaosReport {
  readonly undisturbed: UndisturbedRun;
  /** Every operation that the program called, in the order of its first call. */
  readonly operations: readonly Coverage[];
  /** In the order of the operations, then of the calls, then of the failures. */
  readonly runs: readonly ChaosRun[];
  /** The report for people: a table, and below it what went wrong. */
  toString(): string;
}

/** Where a run finds its sandbox. */
export interface ChaosPlace {
  /** The URL of a sandbox that this run has for itself. */
  readonly url: string;
  /** The key of a merchant without records. */
  readonly key: string;
  /** Sends a request to the sandbox with the key of this run. Relative URLs resolve against the sandbox. */
  readonly fetch: typeof globalThis.fetch;
}

/** The program or the options of `chaos` do not allow a run. */
export class ChaosError extends Error {
  override readonly name = 'ChaosError';
}

recognizeCopies(ChaosError, 'ChaosError');
