/* The failures of `chaos`: what each does to a call, and which of them were asked for. */

import { operationIds } from '../../control/fields.ts';
import { LONGEST_LIFETIME, tokenLifetimes } from '../../products/lifetimes.ts';
import { anyFamilies, isVerify } from '../../products/world.ts';
import type { FaultEffect, OperationId } from '../../public.ts';
import type { FaultStage } from '../../world/faults.ts';
import { nearest, truncate } from '../../world/problem-texts.ts';
import { minutesDuration, minutesText } from '../../world/time.ts';
import { ChaosError, type Failure } from './public.ts';

/** What a failure does to the first call of an operation. */
interface FailureRule {
  readonly failure: Failure;
  /** What the service does, or what happens before, for the help. */
  readonly description: string;
  /** The fault of the call, or the time that passes before it. */
  readonly does:
    | { readonly stage: FaultStage; effect(slowMs: number): FaultEffect }
    | { passes(operation: string): string };
}

/** The failures, in the order of the report. */
export const FAILURES: readonly FailureRule[] = [
  {
    failure: '503',
    description: 'responds 503 with Retry-After: 0, and does nothing',
    does: {
      stage: 'before',
      effect: () => ({ kind: 'respond', status: 503, headers: { 'Retry-After': '0' } }),
    },
  },
  {
    failure: 'lost',
    description: 'does its work, and the connection breaks before the response',
    does: { stage: 'after', effect: () => ({ kind: 'drop' }) },
  },
  {
    failure: 'cut',
    description: 'does its work, and the connection breaks within the response',
    does: { stage: 'after', effect: () => ({ kind: 'truncate' }) },
  },
  {
    failure: 'garbage',
    description: 'does its work, and responds 200 with broken JSON',
    does: { stage: 'after', effect: () => ({ kind: 'malformed' }) },
  },
  {
    failure: 'error',
    description: 'does its work, and responds 500',
    does: { stage: 'after', effect: () => ({ kind: 'respond', status: 500 }) },
  },
  {
    failure: 'slow',
    description: 'starts its work two seconds late',
    does: { stage: 'before', effect: (ms) => ({ kind: 'delay', ms }) },
  },
  {
    failure: 'expired',
    description: `${tokenLifetimes((minutes) => minutesText(minutes + 1))} pass before a verify, so the token has expired`,
    does: { passes: (operation) => minutesDuration(lifetimeOf(operation) + 1) },
  },
];

/** The lifetime in minutes of the tokens that an operation takes. */
const lifetimeOf = (operation: string): number =>
  anyFamilies.find(({ operations }) => operations.some((each) => each.operationId === operation))
    ?.tokenRules.lifetimeMinutes ?? LONGEST_LIFETIME;

/** The default delay of `slow`. */
export const DEFAULT_SLOW_MS = 2000;

export const ruleOf = (failure: Failure): FailureRule =>
  FAILURES.find((rule) => rule.failure === failure) as FailureRule;

/** The failures of an operation. A token expires only before its verify. */
export const failuresOf = (operation: string): readonly Failure[] =>
  FAILURES.filter(({ does }) => !('passes' in does) || isVerify(operation)).map(
    ({ failure }) => failure,
  );

const FAILURE_NAMES = FAILURES.map(({ failure }) => failure);

/** A part of the runs: those of an operation, of a failure, or of both. */
export interface Selected {
  readonly operation: OperationId | undefined;
  readonly failure: Failure | undefined;
}

/**
 * Reads `verifyMotorPolicy:lost`, `verifyMotorPolicy` or `lost`. Throws `ChaosError` with the nearest name that is known.
 *
 * @param source the option that has the text
 */
export function parseSelected(text: string, source: string): Selected {
  const [first = '', second] = text.split(':', 2);
  const operation = operationIds.find((each) => each === first) as OperationId | undefined;
  const failure = FAILURE_NAMES.find((each) => each === (second ?? first));
  const refuse = (what: string, word: string, known: readonly string[]): never => {
    const meant = nearest(word, known);
    const hint = meant === undefined ? `; known: ${known.join(', ')}` : `; did you mean ${meant}?`;
    throw new ChaosError(`${source}: unknown ${what} ${truncate(word)}${hint}`);
  };
  if (second !== undefined) {
    if (!operation) return refuse('operation', first, operationIds);
    if (!failure) return refuse('failure', second, FAILURE_NAMES);
    if (failuresOf(operation).includes(failure)) return { operation, failure };
    throw new ChaosError(`${source}: ${failure} is for verify calls, and ${operation} is none.`);
  }
  if (operation) return { operation, failure: undefined };
  if (failure) return { operation: undefined, failure };
  return refuse('operation or failure', first, [...FAILURE_NAMES, ...operationIds]);
}
