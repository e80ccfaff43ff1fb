import type { HonoRequest } from 'hono';
import { createMiddleware } from 'hono/factory';
import { DomainError } from '../../world/errors.ts';
import { readText } from '../body.ts';
import { ConnectionLost } from '../connection-lost.ts';
import type { MerchantEnv, RequestBody } from '../context.ts';

/** Reads the text of a body once, and remembers what is wrong with it; refuses nothing yet. */
export const readBody = createMiddleware<MerchantEnv>(async (c, next) => {
  const { method } = c.req;
  if (method !== 'GET' && method !== 'HEAD') {
    const call = c.get('call');
    call.body = await bodyOf(c.req.raw).catch((cause: unknown) => {
      // Who goes away in the middle of a request has made none.
      call.recorded = true;
      throw new ConnectionLost(undefined, { cause });
    });
    cacheText(c.req, call.body.text ?? '');
  }
  return next();
});

async function bodyOf(request: Request): Promise<RequestBody> {
  try {
    return { text: await readText(request), error: undefined };
  } catch (error) {
    if (error instanceof DomainError) return { text: null, error };
    throw error;
  }
}

/** Puts text into Hono's cache of bodies, where its validator looks first. Hono keeps promises there. */
export function cacheText({ bodyCache }: Pick<HonoRequest, 'bodyCache'>, text: string): void {
  (bodyCache as Record<string, unknown>).text = Promise.resolve(text);
}
