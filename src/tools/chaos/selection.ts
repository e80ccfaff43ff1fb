/* Which calls of a World are disturbed, and with which failures. */

import { isReadOnly } from '../../api/operation.ts';
import { EXAMPLE, operationIds } from '../../control/fields.ts';
import { roleOf } from '../../products/world.ts';
import type { OperationId } from '../../types/public.ts';
import { didYouMean, truncate } from '../../world/problem-texts.ts';
import { FAILURE_NAMES, hasFailure, isOnlyIfNamed } from './failures.ts';
import { ChaosError, type Failure } from './public.ts';

/** Which calls are disturbed: every call that changes something and the first of the others, or what these say. */
export const CALL_CHOICES = ['first', 'all'] as const;
export type CallChoice = (typeof CALL_CHOICES)[number];

/** A call of a World: the number counts the calls of its operation, from 1. */
export interface NumberedCall {
  readonly operation: OperationId;
  readonly call: number;
}

/** A failure of a call. */
export interface Disturbance extends NumberedCall {
  readonly failure: Failure;
}

/** `verifyMotorPolicy#2:lost` */
export const nameOf = ({ operation, call, failure }: Disturbance): string =>
  `${operation}#${call}:${failure}`;

/** A part of the disturbances: those of an operation or one of its calls, of a failure, or of both. */
export interface Selected {
  readonly operation?: OperationId | undefined;
  readonly call?: number | undefined;
  readonly failure?: Failure | undefined;
}

/** Which calls are wanted. */
export interface CallSelection {
  /** All if empty. */
  readonly only: readonly Selected[];
  readonly calls?: CallChoice | undefined;
}

/** An operation with a number and a failure, either of them alone, or a failure. */
const FORM = /^(?:(?<name>[^#:]+)(?:#(?<number>[^#:]+))?)(?::(?<second>[^#:]+))?$/;

/**
 * Reads `verifyMotorPolicy#2:lost`, `verifyMotorPolicy:lost`, `verifyMotorPolicy#2`, `verifyMotorPolicy` or `lost`.
 * Throws `ChaosError` with the nearest name that is known.
 *
 * @param source the option that has the text
 */
export function parseSelected(text: string, source: string): Selected {
  const { name = '', number, second } = FORM.exec(text)?.groups ?? {};
  if (name === '') {
    throw new ChaosError(
      `${source}: expected operation#number:failure or a part of it, such as ${EXAMPLE.verify}#2:lost; got ${truncate(text)}.`,
    );
  }
  const operation = operationIds.find((id) => id === name) as OperationId | undefined;
  const failure = FAILURE_NAMES.find((id) => id === (second ?? name));
  const refuse = (what: string, word: string, known: readonly string[]): never => {
    const hint = didYouMean(word, known, `; known: ${known.join(', ')}`);
    throw new ChaosError(`${source}: unknown ${what} ${truncate(word)}${hint}`);
  };
  if (!operation && (number !== undefined || second !== undefined)) {
    return refuse('operation', name, operationIds);
  }
  if (!operation && !failure) {
    return refuse('operation or failure', name, [...FAILURE_NAMES, ...operationIds]);
  }
  if (second !== undefined && !failure) return refuse('failure', second, FAILURE_NAMES);
  if (number !== undefined && !/^[1-9]\d{0,8}$/.test(number)) {
    throw new ChaosError(
      `${source}: the number of a call is a whole number from 1; got ${truncate(text)}.`,
    );
  }
  if (operation && failure && !hasFailure(operation, failure)) {
    throw new ChaosError(`${source}: ${failure} applies to verify calls only, not ${operation}.`);
  }
  return { operation, call: number === undefined ? undefined : Number(number), failure };
}

/** Whether a call has a failure in some run. */
export function isWanted(
  { operation, call, failure }: Disturbance,
  { only, calls }: CallSelection,
): boolean {
  if (!hasFailure(operation, failure)) return false;
  const isChosen =
    calls === 'all' || call === 1 || (calls === undefined && !isReadOnly(roleIn(operation)));
  if (only.length === 0) return isChosen && !isOnlyIfNamed(failure);
  return only.some(
    (part) =>
      (part.operation ?? operation) === operation &&
      (part.call === undefined ? isChosen : part.call === call) &&
      (part.failure === undefined ? !isOnlyIfNamed(failure) : part.failure === failure),
  );
}

const roleIn = (operation: OperationId) => roleOf(operation) ?? 'lookup';

/**
 * Throws `ChaosError` for a selected call that no World makes.
 *
 * @param counts the most calls of each operation in one World
 */
export function requireCalled(
  counts: ReadonlyMap<OperationId, number>,
  only: readonly Selected[],
): void {
  for (const { operation, call } of only) {
    if (operation === undefined) continue;
    const count = counts.get(operation);
    if (count === undefined) {
      throw new ChaosError(
        `The program does not call ${operation}. It calls ${[...counts.keys()].join(', ')}.`,
      );
    }
    if (call !== undefined && call > count) {
      const calls = count === 1 ? '1 call' : `at most ${count} calls`;
      throw new ChaosError(
        `There is no call ${operation}#${call}: a merchant makes ${calls} of this operation.`,
      );
    }
  }
}
