/* The failures of `chaos`: what each does to a call, and which operations have it. */

import { isVerify } from '../../products/world.ts';
import type { FaultEffect, OperationId } from '../../types/public.ts';
import type { FaultStage } from '../../world/fault-kinds.ts';
import type { Fault } from '../../world/faults.ts';
import { TOKEN_MINUTES } from '../../world/limits.ts';
import type { Failure } from './public.ts';

/** A failure as a fault of a call. */
interface FailureRule {
  readonly failure: Failure;
  /** What happens to the call, for the help. */
  readonly description: string;
  readonly stage: FaultStage;
  effect(operation: OperationId, slowMs: number): FaultEffect;
  /** Only happens if `only` names it. */
  readonly onlyIfNamed?: boolean;
}

/** What proxies such as nginx send in place of the response of a service. */
const GATEWAY_PAGE = `<html>
<head><title>502 Bad Gateway</title></head>
<body>
<center><h1>502 Bad Gateway</h1></center>
</body>
</html>
`;

/** The failures, in the order of the report. */
export const FAILURES: readonly FailureRule[] = [
  {
    failure: '503',
    description: 'not done; 503 with Retry-After: 0',
    stage: 'before',
    effect: () => ({ kind: 'respond', status: 503, headers: { 'Retry-After': '0' } }),
  },
  {
    failure: 'refused',
    description: 'not done; the connection ends without a response',
    stage: 'before',
    effect: () => ({ kind: 'drop' }),
  },
  {
    failure: 'lost',
    description: 'done; the connection ends without a response',
    stage: 'after',
    effect: () => ({ kind: 'drop' }),
  },
  {
    failure: 'cut',
    description: 'done; the connection ends after half the response',
    stage: 'after',
    effect: () => ({ kind: 'truncate' }),
  },
  {
    failure: 'garbage',
    description: 'done; 200 with broken JSON',
    stage: 'after',
    effect: () => ({ kind: 'malformed' }),
  },
  {
    failure: 'gateway',
    description: 'done; 502 with the HTML page of a gateway',
    stage: 'after',
    effect: () => ({
      kind: 'respond',
      status: 502,
      headers: { 'Content-Type': 'text/html' },
      body: GATEWAY_PAGE,
    }),
  },
  {
    failure: 'slow',
    description: 'done two seconds late, even if the program gives up before',
    stage: 'before',
    effect: (_operation, ms) => ({ kind: 'delay', ms }),
  },
  {
    failure: 'expired',
    description: `${TOKEN_MINUTES + 1} minutes pass before a verify, so the token has expired`,
    stage: 'before',
    effect: () => ({ kind: 'advance', by: `PT${TOKEN_MINUTES + 1}M` }),
  },
  {
    failure: '429',
    description: 'only if named: not done; 429 with Retry-After: 1',
    stage: 'before',
    effect: () => ({ kind: 'respond', status: 429, headers: { 'Retry-After': '1' } }),
    onlyIfNamed: true,
  },
  {
    failure: 'hang',
    description: 'only if named: done, and never answered',
    stage: 'after',
    effect: () => ({ kind: 'hang' }),
    onlyIfNamed: true,
  },
  {
    failure: 'killed',
    description: 'only if named: done; the program is killed before it has the response',
    stage: 'after',
    effect: () => ({ kind: 'hang' }),
    onlyIfNamed: true,
  },
];

/** The default delay of `slow`. */
export const DEFAULT_SLOW_MS = 2000;

export const FAILURE_NAMES: readonly Failure[] = FAILURES.map(({ failure }) => failure);

const ruleOf = (failure: Failure): FailureRule =>
  FAILURES.find((rule) => rule.failure === failure) as FailureRule;

/** Whether a failure happens only if `only` names it. */
export const isOnlyIfNamed = (failure: Failure): boolean => ruleOf(failure).onlyIfNamed ?? false;

/** Whether an operation has a failure: a token expires only before its verify. */
export const hasFailure = (operation: OperationId, failure: Failure): boolean =>
  failure !== 'expired' || isVerify(operation);

/** The fault that makes a call of an operation fail. */
export function faultOf(operation: OperationId, failure: Failure, slowMs: number): Fault {
  const { stage, effect } = ruleOf(failure);
  return { id: null, stage, effect: effect(operation, slowMs) };
}
