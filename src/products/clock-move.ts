/* Moves the clock of a World, and tells what that ended: pending purchases that expire, covers that end. */

import type { Family } from '../types/public.ts';
import { clockAt, momentText, readClock } from '../world/clock.ts';
import type { Instant } from '../world/time.ts';
import type { EndedByMove } from '../world/world-events.ts';
import { anyFamilies, expirePending, stateOf, type World } from './world.ts';

/** The highest number of effects of a move. */
export const MAX_EFFECTS = 100;

/** Moves the clock forward, which keeps its mode. Returns what ended, in order of time. */
export function moveClock(world: World, to: Instant, time: Instant): EndedByMove {
  const { clock } = world;
  const now = readClock(clock, time);
  expirePending(world, now);
  world.clock = clockAt(clock.mode, to, time);
  const ended = [...expirePending(world, to), ...endedCovers(world, now, to)];
  const effects = ended
    .sort((a, b) => a.at - b.at)
    .slice(0, MAX_EFFECTS)
    .map((effect) => ({ ...effect, at: momentText(effect.at) }));
  return { effects, more: ended.length - effects.length };
}

/** A policy whose cover ended. */
interface EndedCover {
  readonly kind: 'cover_ended';
  readonly family: Family;
  readonly policy_number: string;
  readonly at: Instant;
}

/** The covers that end after `from` and no later than `to`. A cover has ended at its end. */
export function endedCovers(world: World, from: Instant, to: Instant): EndedCover[] {
  const ended: EndedCover[] = [];
  for (const family of anyFamilies) {
    const policies = family.policiesOf(stateOf(world, family));
    for (const policy of policies.list) {
      const at = family.coverEndOf(policy, world.settings);
      if (at === null || at <= from || at > to) continue;
      const policy_number = policies.keyOf(policy);
      ended.push({ kind: 'cover_ended', family: family.key as Family, policy_number, at });
    }
  }
  return ended;
}
