/* What every call of the merchant API passes before its operation: the journal, the key, the body. */

import { createMiddleware } from 'hono/factory';
import type { OperationId } from '../types/public.ts';
import { stopwatch } from '../world/clock.ts';
import { DomainError, refused } from '../world/errors.ts';
import { pointOf } from '../world/history.ts';
import { findByKey, unknownKeyReason } from '../world/merchant-keys.ts';
import { nextRequestId } from '../world/merchants.ts';
import { nowOf } from '../world/world.ts';
import {
  ConnectionLost,
  type MerchantCall,
  type MerchantEnv,
  type ReceivedCall,
} from './context.ts';
import { endConnectionAfter } from './faults.ts';
import { encodingHint, keyHint } from './hints.ts';
import { record } from './journal.ts';
import type { Operation } from './operation.ts';
import { AUTH_FAILURE } from './refusals.ts';
import { bearerKey, MAX_BODY_BYTES, NO_BODY, parseBody, readText } from './request.ts';

/** Records every call as received, with the response that was sent. */
export const journal = (operation: Operation | undefined) =>
  createMiddleware<MerchantEnv>(async (c, next) => {
    const { req, env } = c;
    const { connection } = env;
    const call: ReceivedCall = {
      operation,
      req,
      env,
      since: stopwatch(),
      headers: connection.rawHeaders ?? req.raw.headers,
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
    c.set('call', call);
    try {
      await next();
      if (call.merchant) endConnectionAfter(connection, call.merchant);
    } finally {
      record(call);
    }
  });

/** Shared, because most calls have none. */
const NONE: readonly never[] = [];

/** Finds the World of the key. Refuses with 401 before anything else (`auth-failure`). */
export const authenticate = createMiddleware<MerchantEnv>((c, next) => {
  const call = c.get('call');
  const { env, operation } = call;
  const { merchants } = env;
  const authorization = call.req.header('authorization');
  const key = bearerKey(authorization);
  const merchant = findByKey(merchants, key);
  if (!merchant) {
    call.hint = key === undefined ? keyHint(authorization) : unknownKeyReason(merchants, key);
    call.requestId = nextRequestId(merchants);
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
  return next();
});

/** Reads and parses the body once, and notes what is wrong with it. Refuses nothing yet. */
export const readBody = createMiddleware<MerchantEnv>(async (c, next) => {
  const { req, env } = c;
  if (req.method === 'GET' || req.method === 'HEAD') return next();
  const call = c.get('call') as MerchantCall;
  let text: string | null = null;
  try {
    text = await readText(req.raw, MAX_BODY_BYTES, env.connection.readBytes);
    call.body = { text, json: parseBody(text) };
  } catch (error) {
    if (!(error instanceof DomainError)) {
      // A client that goes away in the middle of a request has made none.
      call.recorded = true;
      throw ConnectionLost.whileReading(error);
    }
    call.body = { text, refusal: error };
  }
  call.hint = encodingHint(req.header('content-encoding'));
  // Other calls may have moved the clock in the meantime.
  call.now = nowOf(call.world);
  return next();
});
