/* The failures of `chaos`: what each does to a call, and which operations have it. */

import { roleOf } from '../../products/world.ts';
import type { FaultEffect, OperationId } from '../../types/public.ts';
import type { FaultStage } from '../../world/fault-kinds.ts';
import type { Fault } from '../../world/faults.ts';
import { TOKEN_MINUTES } from '../../world/limits.ts';
import type { Failure } from './public.ts';

/** What proxies such as nginx send in place of the response of a service. */
const GATEWAY_PAGE = `<html>
<head><title>502 Bad Gateway</title></head>
<body>
<center><h1>502 Bad Gateway</h1></center>
</body>
</html>
`;

/** The default delay of `slow`. */
export const DEFAULT_SLOW_MS = 2000;

const RETRY_AT_ONCE: FaultEffect = {
  ...{ kind: 'respond', status: 503 },
  headers: { 'Retry-After': '0' },
};
const RETRY_LATER: FaultEffect = {
  ...{ kind: 'respond', status: 429 },
  headers: { 'Retry-After': '1' },
};
const BAD_GATEWAY: FaultEffect = {
  ...{ kind: 'respond', status: 502 },
  headers: { 'Content-Type': 'text/html' },
  body: GATEWAY_PAGE,
};
const LATE_VERIFY: FaultEffect = { kind: 'advance', by: `PT${TOKEN_MINUTES + 1}M` };

/** The failures, in the order of the report: the fault of each, and what happens to the call, for the help. */
export const FAILURES: readonly (readonly [Failure, FaultStage, FaultEffect, string])[] = [
  ['503', 'before', RETRY_AT_ONCE, 'not done; 503 with Retry-After: 0'],
  ['refused', 'before', { kind: 'drop' }, 'not done; the connection ends without a response'],
  ['lost', 'after', { kind: 'drop' }, 'done; the connection ends without a response'],
  ['cut', 'after', { kind: 'truncate' }, 'done; the connection ends after half the response'],
  ['garbage', 'after', { kind: 'malformed' }, 'done; 200 with broken JSON'],
  ['gateway', 'after', BAD_GATEWAY, 'done; 502 with the HTML page of a gateway'],
  [
    'slow',
    'before',
    { kind: 'delay', ms: DEFAULT_SLOW_MS },
    'done two seconds late, even if the program gives up before',
  ],
  [
    'expired',
    'before',
    LATE_VERIFY,
    `${TOKEN_MINUTES + 1} minutes pass before a verify, so the token has expired`,
  ],
  ['429', 'before', RETRY_LATER, 'only if named: not done; 429 with Retry-After: 1'],
  ['hang', 'after', { kind: 'hang' }, 'only if named: done, and never answered'],
  [
    'killed',
    'after',
    { kind: 'hang' },
    'only if named: done; the program is killed before it has the response',
  ],
];

export const FAILURE_NAMES: readonly Failure[] = FAILURES.map(([failure]) => failure);

/** Whether a failure happens only if `only` names it. */
export const isOnlyIfNamed = (failure: Failure): boolean =>
  failure === '429' || failure === 'hang' || failure === 'killed';

/** Whether an operation has a failure: a token expires only before its verify. */
export const hasFailure = (operation: OperationId, failure: Failure): boolean =>
  failure !== 'expired' || roleOf(operation) === 'verify';

/** The fault that makes a call fail. */
export function faultOf(failure: Failure, slowMs: number): Fault {
  const [, stage, effect] = FAILURES.find(([name]) => name === failure) as (typeof FAILURES)[0];
  return { id: null, stage, effect: effect.kind === 'delay' ? { ...effect, ms: slowMs } : effect };
}
