import type { HonoRequest } from 'hono';
import { createMiddleware } from 'hono/factory';
import { DomainError, refused } from '../world/errors.ts';
import type { Instant } from '../world/time.ts';
import { nowOf, type WorldCore } from '../world/world.ts';
import { ConnectionLost, type MerchantEnv } from './context.ts';
import { keyHint } from './hints.ts';
import { JSON_TYPE, MAX_BODY_BYTES, readText } from './request.ts';

/** Finds the World of the key. Refuses with 401 before anything else (`auth-failure`). */
export const authenticate = createMiddleware<MerchantEnv>((c, next) => {
  const { merchants } = c.env;
  const call = c.get('call');
  const authorization = c.req.header('authorization');
  const merchant = merchants.authenticate(authorization);
  if (!merchant) {
    call.hint = keyHint(authorization);
    call.requestId = merchants.nextAnonymousId();
    const { unauthenticated } = merchants.settings.messages;
    throw refused('unauthenticated', unauthenticated);
  }
  if (call.operation) merchants.onArrival?.(merchant, call.operation);
  const { world } = merchant;
  call.key = merchant.api_key;
  // Without a time the call gets no number.
  call.startedAt = nowOf(world);
  call.merchant = merchant;
  call.requestId = merchants.nextRequestId(merchant);
  c.set('world', world);
  return next();
});

/** Reads the text of a body once and notes what is wrong with it. Refuses nothing yet. */
export const readBody = createMiddleware<MerchantEnv>(async (c, next) => {
  const { method, raw } = c.req;
  if (method === 'GET' || method === 'HEAD') return next();
  const call = c.get('call');
  try {
    const text = await readText(raw, MAX_BODY_BYTES, c.env.connection.readBytes);
    call.body = { text, error: undefined };
  } catch (error) {
    if (!(error instanceof DomainError)) {
      // A client that goes away in the middle of a request has made none.
      call.recorded = true;
      throw ConnectionLost.whileReading(error);
    }
    call.body = { text: null, error };
  }
  cacheText(c.req, call.body.text ?? '');
  return next();
});

/** Puts text into Hono's cache of bodies, where the validator looks first. The cache holds promises. */
export function cacheText({ bodyCache }: Pick<HonoRequest, 'bodyCache'>, text: string): void {
  (bodyCache as Record<string, unknown>).text = Promise.resolve(text);
}

/**
 * Shows the validator a plain Content-Type, once a body counts as JSON. Its own check refuses types that RFC 9110
 * allows, such as `application/json;`.
 */
export function passAsJson(request: HonoRequest): void {
  const { headers } = request.raw;
  if (headers.get('content-type') === JSON_TYPE) return;
  const header = (name: string) =>
    name.toLowerCase() === 'content-type' ? JSON_TYPE : (headers.get(name) ?? undefined);
  Object.assign(request, { header });
}

/** Deletes the expired purchases of a World. */
export type ExpirePending = (world: WorldCore, now: Instant) => void;

/** Reads the clock once and deletes what has expired. Rules see only this time. */
export const now = (expirePending: ExpirePending) =>
  createMiddleware<MerchantEnv>((c, next) => {
    const world = c.get('world');
    const moment = nowOf(world);
    expirePending(world, moment);
    c.set('now', moment);
    return next();
  });
