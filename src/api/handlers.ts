/* The handlers of the merchant API: each runs an operation under the faults of its call. */

import type { Handler } from 'hono';
import { refused } from '../world/errors.ts';
import type { Instant } from '../world/time.ts';
import type { WorldCore } from '../world/world.ts';
import { type MerchantCall, type MerchantEnv, merchantCall } from './context.ts';
import { type Run, serveUnderFaults, transactCall } from './faults.ts';
import { operationHint, routeHint } from './hints.ts';
import { inputReader } from './input.ts';
import type { Operation } from './operation.ts';
import { createRespond, methodsOf } from './respond.ts';

/** Deletes the expired purchases of a World. */
type ExpirePending = (world: WorldCore, now: Instant) => void;

type CallHandler = Handler<MerchantEnv>;

/** Runs an operation under the faults of its call. Refuses other methods. */
export function runOperation(operation: Operation, expirePending: ExpirePending): CallHandler {
  const { rule, readOnly } = operation;
  const methods = methodsOf(operation);
  const readInput = inputReader(operation);
  const respond = createRespond(operation);
  const prepare = (call: MerchantCall): unknown => {
    expirePending(call.world, call.now);
    return readInput(call);
  };
  const run: Run = (call) => {
    const { method } = call.req;
    if (!methods.includes(method)) {
      call.hint = operationHint(operation);
      const message = `The ${method} method is not supported here; use ${methods.join(', ')}.`;
      throw refused('method_not_allowed', message);
    }
    // What expires because a fault lets time pass is stored with that time.
    if (call.passes !== undefined) {
      const data = transactCall(call, () => rule(call, prepare(call)));
      return respond(call, data);
    }
    const input = prepare(call);
    const data = readOnly ? rule(call, input) : transactCall(call, () => rule(call, input));
    return respond(call, data);
  };
  return (c) => serveUnderFaults(merchantCall(c), run);
}

/** Refuses calls whose path no operation has. */
export function refuseUnknownRoute(operations: readonly Operation[]): CallHandler {
  const run: Run = (call) => {
    call.hint = routeHint(call, operations);
    throw refused('route_unknown', 'The route was not found.');
  };
  return (c) => serveUnderFaults(merchantCall(c), run);
}
