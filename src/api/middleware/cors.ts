import { cors as honoCors } from 'hono/cors';
import { createMiddleware } from 'hono/factory';
import type { MerchantEnv } from '../context.ts';

const allowed = {
  allowMethods: ['GET', 'HEAD', 'POST'],
  allowHeaders: ['Authorization', 'Content-Type', 'Sandbox-Fault'],
};
const allowAny = honoCors({ ...allowed, origin: '*' });
const allowOne = honoCors({ ...allowed, origin: (_, c) => c.env.merchants.cors });

/**
 * Answers what a browser asks before a page of another origin may call (CORS). That is no call: it carries no
 * key, and journal, log and faults know nothing of it. Any other OPTIONS is a call like another.
 *
 * What lets the page read the answer of the call itself is put on with its other headers, by `respond`.
 */
export const cors = createMiddleware<MerchantEnv>((c, next) => {
  const origin = c.env.merchants.cors;
  const isPreflight =
    c.req.header('origin') !== undefined &&
    c.req.header('access-control-request-method') !== undefined;
  if (origin === undefined || !isPreflight) return next();
  return origin === '*' ? allowAny(c, next) : allowOne(c, next);
});
