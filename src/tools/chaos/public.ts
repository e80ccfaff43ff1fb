/* The types of a `chaos` report, as programs import them. */

import type { OperationId } from '../../types/wire.ts';
import { recognizeCopies } from '../../world/error-classes.ts';

/** What goes wrong with a call. `429`, `hang` and `killed` only happen if `only` names them. */
export type Failure =
  | '503'
  | 'refused'
  | 'lost'
  | 'cut'
  | 'garbage'
  | 'gateway'
  | 'slow'
  | 'expired'
  | '429'
  | 'hang'
  | 'killed';

/**
 * What a World says about a failure.
 *
 * - `survived`: its test passed, and it holds what it holds undisturbed.
 * - `noticed`: its test failed, and nothing was bought more often.
 * - `bought twice`: something was bought more often.
 * - `false success`: its test passed, and something was not bought.
 * - `hung`: it did not end within the time limit.
 * - `did not come`: the run did not reach the World or the call, for example because the test was skipped.
 *
 * Without a test kit, the program's exit code says whether its tests passed.
 */
export type Outcome =
  | 'survived'
  | 'noticed'
  | 'did not come'
  | 'hung'
  | 'false success'
  | 'bought twice';

/** Policies, or renewals of policies, that are alike. */
export interface Bought {
  readonly operation: OperationId;
  readonly product: number;
  /** How it is paid, and for how many: `monthly, 2 users`. */
  readonly plan: string;
  /** In naira; null for a product without prices. */
  readonly premium: number | null;
  readonly holder: string;
  /** What is insured besides the holder, such as a vehicle. */
  readonly insured?: string;
  /** Which renewal of its policy it is, from 1; only for renewals. */
  readonly renewal?: number;
  /** How many there are like this. */
  readonly count: number;
}

/** Something that a World holds more or less often than undisturbed. */
export interface BoughtDifference extends Omit<Bought, 'count'> {
  readonly undisturbed: number;
  readonly bought: number;
}

/** A World of the undisturbed run. */
export interface UndisturbedWorld {
  /** The name of its merchant: that of the test, with the test kits. */
  readonly merchant: string;
  readonly key: string;
  readonly calls: number;
  readonly bought: readonly Bought[];
}

/** The run without any failure. */
export interface UndisturbedRun {
  readonly exit: number | null;
  /** How long it took, in real milliseconds. */
  readonly duration_ms: number;
  readonly worlds: readonly UndisturbedWorld[];
}

/** What a failure of one call did to a World. */
export interface ChaosRun {
  /** The name of the merchant: that of the test, with the test kits. */
  readonly merchant: string;
  readonly operation: OperationId;
  /** The number of the call among those of its operation in this World, from 1. */
  readonly call: number;
  readonly failure: Failure;
  readonly outcome: Outcome;
  /** Whether its test passed: as a test kit says, else by the exit code. */
  readonly passed: boolean;
  /** The exit code of the program, or 128 and the number of the signal that ended it. A function that threw has 1. */
  readonly exit: number | null;
  /** What the function threw. */
  readonly error?: string;
  /** How many attempts of the test came before this one, because its runner repeats failed tests. */
  readonly earlierAttempts?: number;
  readonly bought: readonly Bought[];
  /** How this differs from the undisturbed run. */
  readonly differences: readonly BoughtDifference[];
  /** The calls of the World as lines of text: those around the failure, and those that bought. Empty if it survived. */
  readonly calls: readonly string[];
  /** The key of the merchant; empty if the World did not come. */
  readonly key: string;
  readonly duration_ms: number;
}

/** How many calls of an operation were disturbed. */
export interface Coverage {
  readonly operation: OperationId;
  /** The calls of the undisturbed run, in all Worlds. */
  readonly calls: number;
  /** How many of them met a failure in some run. */
  readonly disturbed: number;
}

/** Which failures a program survives. */
export interface ChaosReport {
  readonly undisturbed: UndisturbedRun;
  /** Every operation that the program called, in the order of its first call. */
  readonly operations: readonly Coverage[];
  /** One for each World, call and failure. */
  readonly runs: readonly ChaosRun[];
  /** False if the runs were stopped before the last. */
  readonly complete: boolean;
  /** The report for people: what differs, and below it a table. */
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
