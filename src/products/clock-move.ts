/* Moves the clock of a World, and tells what that ended: pending purchases that expire, covers that end. */

import type { Family } from '../types/public.ts';
import { type ClockMode, momentText, readClock } from '../world/clock.ts';
import { valueAt } from '../world/json.ts';
import { DAY_MS, day, type Instant, instantOf, startOfDay } from '../world/time.ts';
import { zoneOf } from '../world/time-zone.ts';
import type { EndedByMove, WorldHappening } from '../world/world-events.ts';
import { anyFamilies, expirePending, stateOf, type World } from './world.ts';

/** The highest number of effects of a move. */
export const MAX_EFFECTS = 100;

/** What a move of a clock ended, in order of time, and what happened: a move, another mode, both or nothing. */
interface ClockMove {
  readonly ended: EndedByMove;
  readonly happened: readonly WorldHappening[];
}

/** Moves the clock forward, and sets its mode. */
export function moveClock(
  world: World,
  to: Instant,
  time: Instant,
  mode: ClockMode = world.clock.mode,
): ClockMove {
  const { clock } = world;
  const now = readClock(clock, time);
  expirePending(world, now);
  const all = [...expirePending(world, to), ...endedCovers(world, now, to)];
  world.clock = { mode, at: to, since: time };
  const effects = all
    .sort((a, b) => a.at - b.at)
    .slice(0, MAX_EFFECTS)
    .map((effect) => ({ ...effect, at: momentText(effect.at) }));
  const ended = { effects, more: all.length - effects.length };
  const happened: WorldHappening[] = [];
  const shownTo = momentText(to);
  if (to !== now) {
    const from = momentText(now);
    happened.push({ kind: 'clock', from, to: shownTo, mode: clock.mode, ...ended });
  }
  if (mode !== clock.mode) {
    happened.push({ kind: 'clock', from: shownTo, to: shownTo, mode, effects: [], more: 0 });
  }
  return { ended, happened };
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
  // Most covers end days earlier or later. Their texts show it, in every time zone.
  const [first, last] = [day(from - DAY_MS), day(to + 2 * DAY_MS)];
  for (const family of anyFamilies) {
    const { policies } = stateOf(world, family);
    for (const policy of policies.list) {
      const end = valueAt(policy, family.policyPaths.coverEnd) as string | null;
      if (end === null || end < first || end > last) continue;
      const isDay = end.length === first.length;
      const at = isDay ? zoneOf(world.settings).instantOf(startOfDay(end)) : instantOf(end);
      if (at <= from || at > to) continue;
      const policy_number = policies.keyOf(policy);
      ended.push({ kind: 'cover_ended', family: family.key as Family, policy_number, at });
    }
  }
  return ended;
}
