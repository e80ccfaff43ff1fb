/* What every call of the merchant API passes before its operation: the key and the body. */

import { createMiddleware } from 'hono/factory';
import type { OperationId } from '../types/public.ts';
import { DomainError, refused } from '../world/errors.ts';
import { pointOf } from '../world/history.ts';
import { findByKey, unknownKeyReason } from '../world/merchant-keys.ts';
import { nextAnonymousId, nextRequestId } from '../world/merchants.ts';
import { nowOf } from '../world/world.ts';
import { ConnectionLost, type MerchantEnv } from './context.ts';
import { encodingHint, keyHint } from './hints.ts';
import { AUTH_FAILURE } from './refusals.ts';
import { bearerKey, MAX_BODY_BYTES, parseBody, readText } from './request.ts';

/** Finds the World of the key. Refuses with 401 before anything else (`auth-failure`). */
export const authenticate = createMiddleware<MerchantEnv>((c, next) => {
  const { merchants } = c.env;
  const call = c.get('call');
  const authorization = c.req.header('authorization');
  const key = bearerKey(authorization);
  const merchant = findByKey(merchants, key);
  if (!merchant) {
    call.hint = key === undefined ? keyHint(authorization) : unknownKeyReason(merchants, key);
    call.requestId = nextAnonymousId(merchants);
    throw refused('unauthenticated', AUTH_FAILURE.in(merchants.settings).message);
  }
  if (call.operation) {
    call.wantedFault =
      c.env.connection.fault ??
      merchants.faultOf?.(merchant, call.operation.operationId as OperationId);
  }
  const { world } = merchant;
  call.key = merchant.api_key;
  // Without a time the call gets no number.
  call.startedAt = nowOf(world);
  call.now = call.startedAt;
  call.arrived = pointOf(world);
  call.merchant = merchant;
  call.requestId = nextRequestId(merchants, merchant);
  c.set('world', world);
  return next();
});

/** Reads and parses a body once, and notes what is wrong with it. Refuses nothing yet. */
export const readBody = createMiddleware<MerchantEnv>(async (c, next) => {
  const { method, raw } = c.req;
  if (method === 'GET' || method === 'HEAD') return next();
  const call = c.get('call');
  call.hint = encodingHint(c.req.header('content-encoding'));
  try {
    const text = await readText(raw, MAX_BODY_BYTES, c.env.connection.readBytes);
    call.body = parseBody(text);
  } catch (error) {
    if (!(error instanceof DomainError)) {
      // A client that goes away in the middle of a request has made none.
      call.recorded = true;
      throw ConnectionLost.whileReading(error);
    }
    call.body = { text: null, refusal: error };
  }
  // Other calls may have moved the clock in the meantime.
  call.now = nowOf(c.get('world'));
  return next();
});
