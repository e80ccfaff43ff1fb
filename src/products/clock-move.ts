/* Moves the clock of a World, and tells what that ended: pending purchases that expire, covers that end. */

import { clockAt, momentText, readClock } from '../world/clock.ts';
import type { Instant } from '../world/time.ts';
import type { EndedByMove } from '../world/world-events.ts';
import { endedCovers } from './ended-covers.ts';
import { expirePending, type World } from './world.ts';

/** The highest number of effects of a move. */
export const MAX_EFFECTS = 100;

/** Moves the clock forward, which keeps its mode. Returns what ended, in order of time. */
export function moveClock(world: World, to: Instant, time: Instant): EndedByMove {
  const { clock } = world;
  const now = readClock(clock, time);
  expirePending(world, now);
  world.clock = clockAt(clock.mode, to, time);
  const covers = endedCovers(world, now, to, MAX_EFFECTS);
  const expired = expirePending(world, to);
  const effects = [...expired, ...covers.first]
    .sort((a, b) => a.at - b.at)
    .slice(0, MAX_EFFECTS)
    .map((effect) => ({ ...effect, at: momentText(effect.at) }));
  return { effects, more: expired.length + covers.count - effects.length };
}
