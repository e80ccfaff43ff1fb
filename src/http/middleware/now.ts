import { createMiddleware } from 'hono/factory';
import { readClock, readTime } from '../../core/clock.ts';
import type { Instant } from '../../core/time.ts';
import type { WorldCore } from '../../core/world.ts';
import type { MerchantEnv } from '../context.ts';

/** Drops the purchases of a World whose time is over. */
export type ExpirePending = (world: WorldCore, now: Instant) => void;

/** Reads the clock, once: the one moment that rules see, with everything expired that has to be by then. */
export const now = (expirePending: ExpirePending) =>
  createMiddleware<MerchantEnv>((c, next) => {
    const world = c.get('world');
    const settledAt = readTime(world.time);
    const moment = readClock(world.clock, settledAt);
    c.get('call').settledAt = settledAt;
    expirePending(world, moment);
    c.set('now', moment);
    return next();
  });
