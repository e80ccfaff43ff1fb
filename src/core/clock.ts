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

/**
 * The time that all Worlds of a sandbox share: the system's, but never less than it was before. It can be
 * held: all of a change then happens at one moment, and happens at that moment again when it is replayed.
 */
export interface Time {
  latest: Instant;
  held: boolean;
}

export const createTime = (): Time => ({ latest: 0, held: false });

export function readTime(time: Time): Instant {
  if (!time.held) time.latest = Math.max(time.latest, systemNow());
  return time.latest;
}

/** Does something at one moment: the present one unless another is named. */
export function atOneMoment<T>(time: Time, work: () => T, moment = readTime(time)): T {
  const { held } = time;
  time.latest = moment;
  time.held = true;
  try {
    return work();
  } finally {
    time.held = held;
  }
}

export function createClock(start: ClockStart, time: Instant): Clock {
  return clockAt(start.mode, start.now ?? time, time);
}

/** A clock that shows `at` at a moment of the sandbox's time, and goes on from there if it runs. */
export function clockAt(mode: ClockMode, at: Instant, time: Instant): Clock {
  return mode === 'frozen' ? { mode, at } : { mode, offset_ms: at - time, latest: at };
}

/** What a clock shows at a moment of the sandbox's time. */
export function readClock(clock: Clock, time: Instant): Instant {
  if (clock.mode === 'frozen') return clock.at;
  clock.latest = Math.min(Math.max(clock.latest, time + clock.offset_ms), MAX_INSTANT);
  return clock.latest;
}

export const isClockInstant = (at: Instant): boolean => at >= MIN_INSTANT && at <= MAX_INSTANT;

/** How long a piece of work goes on before others have their turn. */
const TURN_MS = 8;
// Taken here, so that a test's own timers leave it alone.
const { setImmediate: immediate, setTimeout: timeout } = globalThis;
/** Resolves when others had their turn. */
export const nextTurn = (): Promise<void> =>
  new Promise((resolve) => void (immediate ? immediate(resolve) : timeout(resolve, 0)));

/** Long work calls it between two pieces, and waits for it: others have their turn when it was long enough. */
export function createTurns(): () => Promise<void> | undefined {
  let since = performance.now();
  return () => {
    if (performance.now() - since < TURN_MS) return undefined;
    return nextTurn().then(() => {
      since = performance.now();
    });
  };
}

/** Does long work in turns with whatever else there is to do. */
export async function inTurns<T>(work: Iterator<unknown, T>): Promise<T> {
  for (const turn = createTurns(); ; ) {
    const { done, value } = work.next();
    if (done) return value;
    const others = turn();
    if (others) await others;
  }
}

/** Does it at once. */
export function atOnce<T>(work: Iterator<unknown, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** A reading of real time in milliseconds, to the microsecond, that nothing but another one can be held against. */
export const stopwatch = (): number => performance.now();

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
