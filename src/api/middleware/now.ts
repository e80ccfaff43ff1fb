import { createMiddleware } from 'hono/factory';
import type { Instant } from '../../world/time.ts';
import { nowOf, type WorldCore } from '../../world/world.ts';
import type { MerchantEnv } from '../context.ts';

/** Drops the purchases of a World whose time is over. */
export type ExpirePending = (world: WorldCore, now: Instant) => void;

/** Reads the clock, once: the one moment that rules see, with everything expired that has to be by then. */
export const now = (expirePending: ExpirePending) =>
  createMiddleware<MerchantEnv>((c, next) => {
    const world = c.get('world');
    const moment = nowOf(world);
    expirePending(world, moment);
    c.set('now', moment);
    return next();
  });
