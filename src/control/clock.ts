import { UTCDateMini } from '@date-fns/utc/date/mini';
import { add } from 'date-fns/add';
import { parse as parseDuration } from 'tinyduration';
import * as z from 'zod/mini';
import { clockAt, isClockInstant, readClock } from '../core/clock.ts';
import { shortly } from '../core/form.ts';
import { component } from '../core/schema.ts';
import { FIRST_INSTANT, type Instant, LAST_INSTANT, SECOND_MS } from '../core/time.ts';
import type { WorldCore } from '../core/world.ts';
import { settle } from '../products/world.ts';
import { ControlError } from './problems.ts';
import type { Advance, Advanced, ClockChange, ClockState } from './schemas/clock.ts';

const written = (at: Instant): string => new Date(at).toISOString();

const Moment = component('Moment', () => z.iso.datetime({ offset: true }));

/** The moment a text names. Refuses what is none, and what no clock shows. */
export function momentOf(text: string, field: string): Instant {
  const at = z.safeParse(Moment(), text).success ? Date.parse(text) : Number.NaN;
  if (isClockInstant(at)) return at;
  throw new ControlError(
    422,
    `${field} must be a moment like 2026-01-31T10:00:00Z, from ${written(FIRST_INSTANT)} to ${written(LAST_INSTANT)}; got ${shortly(text)}.`,
  );
}

/** Years to days in whole numbers; hours, minutes and seconds, the last of them with a fraction if need be. */
const DURATION =
  /^P(?=\d|T\d)(?:\d+Y)?(?:\d+M)?(?:\d+W)?(?:\d+D)?(?:T(?=\d)(?:(?:\d+H)?(?:\d+M)?\d+(?:[.,]\d+)?S|(?:\d+H)?\d+(?:[.,]\d+)?M|\d+(?:[.,]\d+)?H))?$/;

/** The moment a duration later, in calendar units. Refuses what is no ISO 8601 duration. */
function later(from: Instant, text: string, field: string): Instant {
  if (!DURATION.test(text)) {
    throw new ControlError(
      422,
      `${field} must be an ISO 8601 duration like PT15M, P1D or P1M, not negative; got ${shortly(text)}.`,
    );
  }
  const { hours = 0, minutes = 0, seconds = 0, ...days } = parseDuration(text);
  // Rounded, because 1.001 seconds are 1000.9999… milliseconds to a computer.
  const at =
    add(new UTCDateMini(from), days).getTime() +
    Math.round((hours * 3600 + minutes * 60 + seconds) * SECOND_MS);
  if (isClockInstant(at)) return at;
  throw new ControlError(422, `${field} leads past ${written(LAST_INSTANT)}, where clocks end.`);
}

/** The length of a duration in real time. */
export function durationMs(text: string, field: string, longest: number): number {
  const length = later(0, text, field);
  if (length <= longest) return length;
  throw new ControlError(
    422,
    `${field} must be at most ${longest / SECOND_MS} seconds; got ${shortly(text)}.`,
  );
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
