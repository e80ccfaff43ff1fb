/* Which calls of a program are disturbed, and with which failures. */

import { operationIds } from '../../control/fields.ts';
import type { OperationId } from '../../public.ts';
import { nearest, truncate } from '../../world/problem-texts.ts';
import { changingOperations, FAILURE_NAMES, hasFailure, isOnlyIfNamed } from './failures.ts';
import { ChaosError, type Failure } from './public.ts';

/** Which calls are disturbed: every call that changes something and the first of the others, or what these say. */
export const CALL_CHOICES = ['first', 'all'] as const;
export type CallChoice = (typeof CALL_CHOICES)[number];

/** A failure of a call. */
export interface Disturbance {
  readonly operation: OperationId;
  /** The number of the call among those of its operation, from 1. */
  readonly call: number;
  readonly failure: Failure;
}

/** `verifyMotorPolicy#2:lost` */
export const nameOf = ({ operation, call, failure }: Disturbance): string =>
  `${operation}#${call}:${failure}`;

/** A part of the runs: those of an operation or one of its calls, of a failure, or of both. */
export interface Selected {
  readonly operation: OperationId | undefined;
  readonly call: number | undefined;
  readonly failure: Failure | undefined;
}

/**
 * Reads `verifyMotorPolicy#2:lost`, `verifyMotorPolicy:lost`, `verifyMotorPolicy#2`, `verifyMotorPolicy` or `lost`.
 * Throws `ChaosError` with the nearest name that is known.
 *
 * @param source the option that has the text
 */
export function parseSelected(text: string, source: string): Selected {
  const [target = '', second] = text.split(':', 2);
  const [name = '', number] = target.split('#', 2);
  const operation = operationIds.find((each) => each === name) as OperationId | undefined;
  const failure = FAILURE_NAMES.find((each) => each === (second ?? target));
  const refuse = (what: string, word: string, known: readonly string[]): never => {
    const meant = nearest(word, known);
    const hint = meant === undefined ? `; known: ${known.join(', ')}` : `; did you mean ${meant}?`;
    throw new ChaosError(`${source}: unknown ${what} ${truncate(word)}${hint}`);
  };
  if (!operation && (number !== undefined || second !== undefined)) {
    return refuse('operation', name, operationIds);
  }
  if (!operation && !failure) {
    return refuse('operation or failure', target, [...FAILURE_NAMES, ...operationIds]);
  }
  if (second !== undefined && !failure) return refuse('failure', second, FAILURE_NAMES);
  if (number !== undefined && !/^[1-9]\d{0,8}$/.test(number)) {
    throw new ChaosError(
      `${source}: the number of a call is a whole number from 1; got ${truncate(text)}.`,
    );
  }
  if (operation && failure && !hasFailure(operation, failure)) {
    throw new ChaosError(`${source}: ${failure} is for verify calls, and ${operation} is none.`);
  }
  return { operation, call: number === undefined ? undefined : Number(number), failure };
}

/** How many calls of each operation the undisturbed run made, in the order of their first calls. */
export type CallCounts = ReadonlyMap<OperationId, number>;

/**
 * The runs to do. Throws `ChaosError` for a selected call that the program does not make.
 *
 * @param only all if empty
 */
export function disturbancesOf(
  counts: CallCounts,
  only: readonly Selected[],
  choice: CallChoice | undefined,
): Disturbance[] {
  for (const selected of only) requireCalled(counts, selected);
  const wanted = [...counts].flatMap(([operation, count]) =>
    numbersTo(count).flatMap((call) =>
      FAILURE_NAMES.filter(
        (failure) =>
          hasFailure(operation, failure) &&
          isWanted({ operation, call, failure }, only, isChosen(operation, call, choice)),
      ).map((failure): Disturbance => ({ operation, call, failure })),
    ),
  );
  if (wanted.length > 0) return wanted;
  throw new ChaosError('The failure expired is for verify calls, and the program makes none.');
}

const numbersTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at + 1);

function isChosen(operation: OperationId, call: number, choice: CallChoice | undefined): boolean {
  if (choice === 'all') return true;
  return call === 1 || (choice === undefined && changingOperations.has(operation));
}

function isWanted(
  { operation, call, failure }: Disturbance,
  only: readonly Selected[],
  isChosenCall: boolean,
): boolean {
  if (only.length === 0) return isChosenCall && !isOnlyIfNamed(failure);
  return only.some(
    (each) =>
      (each.operation ?? operation) === operation &&
      (each.call === undefined ? isChosenCall : each.call === call) &&
      (each.failure === undefined ? !isOnlyIfNamed(failure) : each.failure === failure),
  );
}

function requireCalled(counts: CallCounts, { operation, call }: Selected): void {
  if (operation === undefined) return;
  const count = counts.get(operation);
  if (count === undefined) {
    throw new ChaosError(
      `The program does not call ${operation}. It calls ${[...counts.keys()].join(', ')}.`,
    );
  }
  if (call === undefined || call <= count) return;
  const calls = count === 1 ? '1 call' : `${count} calls`;
  throw new ChaosError(
    `There is no call ${operation}#${call}: the program makes ${calls} of this operation.`,
  );
}
