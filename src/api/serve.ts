/* Serves a call of the merchant API, from its arrival to its response. */

import type { Context } from 'hono';
import type { OperationId } from '../types/public.ts';
import { stopwatch } from '../world/clock.ts';
import { DomainError, refused } from '../world/errors.ts';
import { pointOf } from '../world/history.ts';
import { findByKey, unknownKeyReason } from '../world/merchant-keys.ts';
import { nextAnonymousId, nextRequestId } from '../world/merchants.ts';
import type { Instant } from '../world/time.ts';
import { nowOf, type WorldCore } from '../world/world.ts';
import {
  ConnectionLost,
  type MerchantCall,
  type MerchantEnv,
  type ReceivedCall,
} from './context.ts';
import { endConnectionAfter, type Run, serveUnderFaults, transactCall } from './faults.ts';
import { encodingHint, keyHint, operationHint, routeHint } from './hints.ts';
import { inputReader } from './input.ts';
import { record } from './journal.ts';
import type { Operation } from './operation.ts';
import { AUTH_FAILURE } from './refusals.ts';
import { bearerKey, MAX_BODY_BYTES, NO_BODY, parseBytes, readBytes } from './request.ts';
import { createRespond, methodsOf, renderError } from './respond.ts';

/** Serves the calls of a route. Rejects with `ConnectionLost` if the connection must end. */
type Serve = (c: Context<MerchantEnv>) => Promise<Response>;

/** Deletes the expired purchases of a World. */
type ExpirePending = (world: WorldCore, now: Instant) => void;

/** Serves the calls of an operation. Refuses other methods. */
export function serveOperation(operation: Operation, expirePending: ExpirePending): Serve {
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
  return (c) => serveCall(c, operation, run);
}

/** Refuses calls whose path no operation has. */
export function serveUnknownRoute(operations: readonly Operation[]): Serve {
  const run: Run = (call) => {
    call.hint = routeHint(call, operations);
    throw refused('route_unknown', 'The route was not found.');
  };
  return (c) => serveCall(c, undefined, run);
}

/** Serves a call step by step, and records it whatever becomes of it. */
async function serveCall(
  { req, env }: Context<MerchantEnv>,
  operation: Operation | undefined,
  run: Run,
): Promise<Response> {
  const call: ReceivedCall = {
    operation,
    req,
    env,
    since: stopwatch(),
    headers: env.connection.rawHeaders ?? req.raw.headers,
    merchant: undefined,
    world: undefined,
    key: null,
    requestId: '',
    startedAt: 0,
    arrived: undefined,
    now: 0,
    wantedFault: undefined,
    body: NO_BODY,
    fault: undefined,
    claim: undefined,
    passes: undefined,
    hint: undefined,
    assumptions: NONE,
    problems: NONE,
    changes: NONE,
    response: undefined,
    recorded: false,
  };
  try {
    let response: Response;
    try {
      authenticate(call);
      if (req.method !== 'GET' && req.method !== 'HEAD') {
        await readBody(call);
        // Other calls may have moved the clock in the meantime.
        call.now = nowOf(call.world);
      }
      response = await serveUnderFaults(call, run);
    } catch (error) {
      response = renderError(call, error);
    }
    if (call.merchant) endConnectionAfter(env.connection, call.merchant);
    return response;
  } finally {
    record(call);
  }
}

/** Shared, because most calls have none. */
const NONE: readonly never[] = [];

/** Finds the World of the key. Refuses with 401 before anything else (`auth-failure`). */
function authenticate(call: ReceivedCall): asserts call is MerchantCall {
  const { env, operation } = call;
  const { merchants } = env;
  const authorization = call.req.header('authorization');
  const key = bearerKey(authorization);
  const merchant = findByKey(merchants, key);
  if (!merchant) {
    call.hint = key === undefined ? keyHint(authorization) : unknownKeyReason(merchants, key);
    call.requestId = nextAnonymousId(merchants);
    throw refused('unauthenticated', AUTH_FAILURE.in(merchants.settings).message);
  }
  if (operation) {
    call.wantedFault =
      env.connection.fault ?? merchants.faultOf?.(merchant, operation.operationId as OperationId);
  }
  const { world } = merchant;
  call.key = key as string;
  // Without a time the call gets no number.
  call.startedAt = nowOf(world);
  call.now = call.startedAt;
  call.arrived = pointOf(world);
  call.merchant = merchant;
  call.world = world;
  call.requestId = nextRequestId(merchants, merchant);
}

/** Reads and parses the body once, and notes what is wrong with it. Refuses nothing yet. */
async function readBody(call: MerchantCall): Promise<void> {
  const { req, env } = call;
  const encoding = req.header('content-encoding');
  if (encoding !== undefined) call.hint = encodingHint(encoding);
  try {
    call.body = parseBytes(await readBytes(req.raw, MAX_BODY_BYTES, env.connection.readBytes));
  } catch (error) {
    if (!(error instanceof DomainError)) {
      // A client that goes away in the middle of a request has made none.
      call.recorded = true;
      throw ConnectionLost.whileReading(error);
    }
    call.body = { text: null, refusal: error };
  }
}
