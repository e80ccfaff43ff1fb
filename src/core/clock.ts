import { type Instant, MAX_INSTANT, MIN_INSTANT } from './time.ts';

/**
 * A World's clock. It moves forward only: `latest` is the newest moment it has shown, so a system
 * clock that is set back makes it wait instead of going back.
 */
export type Clock =
  | { mode: 'running'; offset_ms: number; latest: Instant }
  | { mode: 'frozen'; at: Instant };

export type ClockMode = Clock['mode'];

/** What a fresh World's clock shows: real time unless `now` says otherwise. */
export interface ClockStart {
  readonly now: Instant | undefined;
  readonly mode: ClockMode;
}

/** The system's time. This file is the only one that reads it or starts a timer. */
export const systemNow = (): Instant => Date.now();

export function createClock(start: ClockStart): Clock {
  return clockAt(start.mode, start.now ?? systemNow());
}

/** A clock that shows `at` now, and goes on from there if it runs. */
export function clockAt(mode: ClockMode, at: Instant): Clock {
  return mode === 'frozen' ? { mode, at } : { mode, offset_ms: at - systemNow(), latest: at };
}

/** The moment a clock shows. */
export function readClock(clock: Clock): Instant {
  if (clock.mode === 'frozen') return clock.at;
  clock.latest = Math.min(Math.max(clock.latest, systemNow() + clock.offset_ms), MAX_INSTANT);
  return clock.latest;
}

export const isClockInstant = (at: Instant): boolean => at >= MIN_INSTANT && at <= MAX_INSTANT;

/** Resolves after that many real milliseconds, or as soon as `signal` aborts. */
export function wait(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const done = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', done);
      resolve();
    };
    const timer = setTimeout(done, ms);
    signal?.addEventListener('abort', done, { once: true });
  });
}
