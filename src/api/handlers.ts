/* The handlers of the merchant API: each runs an operation under the faults of its call. */

import type { Handler } from 'hono';
import { refused } from '../world/errors.ts';
import type { Instant } from '../world/time.ts';
import type { WorldCore } from '../world/world.ts';
import type { MerchantCall, MerchantEnv } from './context.ts';
import { type Run, serveUnderFaults, transactCall } from './faults.ts';
import { operationHint, routeHint } from './hints.ts';
import { inputReader } from './input.ts';
import type { Operation } from './operation.ts';
import { createRespond, methodsOf } from './respond.ts';

/** Deletes the expired purchases of a World. */
type ExpirePending = (world: WorldCore, now: Instant) => void;

/** Serves a call that has passed `authenticate`, under its faults. */
const handlerOf =
  (run: Run): Handler<MerchantEnv> =>
  (c) =>
    serveUnderFaults(c.get('call') as MerchantCall, run);

/** Runs an operation. */
export function runOperation(operation: Operation, expirePending: ExpirePending) {
  const { rule, readOnly } = operation;
  const readInput = inputReader(operation);
  const respond = createRespond(operation);
  return handlerOf((call) => {
    expirePending(call.world, call.now);
    const work = () => rule(call, readInput(call));
    // Time that a fault lets pass is a change, too.
    const isChange = !readOnly || call.passes !== undefined;
    return respond(call, isChange ? transactCall(call, work) : work());
  });
}

/** Refuses calls to the path of an operation with another method. */
export function refuseMethod(operation: Operation) {
  const methods = methodsOf(operation).join(', ');
  return handlerOf((call) => {
    call.hint = operationHint(operation);
    const { method } = call.req;
    throw refused(
      'method_not_allowed',
      `The ${method} method is not supported here; use ${methods}.`,
    );
  });
}

/** Refuses calls whose path no operation has. */
export function refuseUnknownRoute(operations: readonly Operation[]) {
  return handlerOf((call) => {
    call.hint = routeHint(call, operations);
    throw refused('route_unknown', 'The route was not found.');
  });
}
