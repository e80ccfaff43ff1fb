import { UTCDate } from '@date-fns/utc';
import { add } from 'date-fns/add';
import { parse as parseDuration } from 'tinyduration';
import * as z from 'zod/mini';
import { clockAt, isClockInstant, readClock } from '../core/clock.ts';
import { component } from '../core/schema.ts';
import { FIRST_INSTANT, type Instant, LAST_INSTANT } from '../core/time.ts';
import type { WorldCore } from '../core/world.ts';
import { settle } from '../products/world.ts';
import { ControlError } from './problems.ts';
import type { Advance, Advanced, ClockChange, ClockState } from './schemas.ts';

const written = (at: Instant): string => new Date(at).toISOString();

const Moment = component('Moment', () => z.iso.datetime({ offset: true }));
const Duration = component('Duration', () => z.iso.duration());

/** The moment a text names. Refuses what is none, and what no clock shows. */
export function momentOf(text: string, field: string): Instant {
  const at = z.safeParse(Moment(), text).success ? Date.parse(text) : Number.NaN;
  if (isClockInstant(at)) return at;
  throw new ControlError(
    422,
    `${field} must be a moment like 2026-01-31T10:00:00Z, from ${written(FIRST_INSTANT)} to ${written(LAST_INSTANT)}; got "${text}".`,
  );
}

/** The moment a duration later, in calendar units. Refuses what is no ISO 8601 duration. */
export function later(from: Instant, text: string, field: string): Instant {
  if (!z.safeParse(Duration(), text).success) {
    throw new ControlError(
      422,
      `${field} must be an ISO 8601 duration like PT15M, P1D or P1M, not negative; got "${text}".`,
    );
  }
  const at = add(new UTCDate(from), parseDuration(text.replace(',', '.'))).getTime();
  if (isClockInstant(at)) return at;
  throw new ControlError(422, `${field} leads past ${written(LAST_INSTANT)}, where clocks end.`);
}

export function showClock(world: WorldCore): ClockState {
  return { now: written(readClock(world.clock)), mode: world.clock.mode };
}

/** Freezes, sets running, or jumps forward; all or nothing. */
export function changeClock(world: WorldCore, change: ClockChange): ClockState {
  const now = readClock(world.clock);
  const to = change.now === undefined ? now : momentOf(change.now, 'now');
  refuseBack(now, to, 'now');
  world.clock = clockAt(change.mode ?? world.clock.mode, to);
  settle(world, to);
  return showClock(world);
}

/** Moves the clock forward and answers what lapsed on the way, in order. */
export function advanceClock(world: WorldCore, { by, to }: Advance): Advanced {
  if ((by === undefined) === (to === undefined)) {
    throw new ControlError(422, 'Say either by, a duration like PT15M, or to, a moment.');
  }
  const now = readClock(world.clock);
  const target = by === undefined ? momentOf(to as string, 'to') : later(now, by, 'by');
  refuseBack(now, target, 'to');
  settle(world, now);
  world.clock = clockAt(world.clock.mode, target);
  const effects = settle(world, target).map((effect) => ({ ...effect, at: written(effect.at) }));
  return { now: written(target), mode: world.clock.mode, effects };
}

function refuseBack(now: Instant, to: Instant, field: string): void {
  if (to >= now) return;
  throw new ControlError(
    409,
    `${field} lies before ${written(now)}, which the clock shows; clocks move forward only. POST /_sandbox/reset starts over.`,
  );
}
