/* Time: clocks, waits and turns. Only this file reads the system's time or starts timers. */

import { recognizeCopies } from './error-classes.ts';
import { onAbort, onProcessEnd } from './platform.ts';
import { truncate } from './problem-texts.ts';
import { type Instant, MAX_INSTANT, MIN_INSTANT } from './time.ts';

/**
 * A World's clock. It shows `at` at the moment `since` of the World's time and, if it runs, goes on from there. It
 * never goes back, because the World's time does not.
 */
export interface Clock {
  readonly mode: 'running' | 'frozen';
  readonly at: Instant;
  readonly since: Instant;
}

export type ClockMode = Clock['mode'];

/** The start of a clock: `now`, or the sandbox's time if undefined. */
export interface ClockStart {
  readonly now: Instant | undefined;
  readonly mode: ClockMode;
}

/** The system's time. Only this file reads it or starts timers. */
export const systemNow = (): Instant => Date.now();

/** Returns the time: a Date, or milliseconds since 1970-01-01T00:00:00Z. */
export type TimeSource = () => number | Date;

/** The time of a sandbox, which follows the system or another source. It may go back. */
export interface Time {
  readonly source: TimeSource | undefined;
  /** The last reading. */
  latest: Instant;
}

/** @param source defaults to the system's time */
export const createTime = (source?: TimeSource): Time => ({ source, latest: 0 });

/** Throws `TimeSourceError` if the source returns no time. */
export function readTime(time: Time): Instant {
  time.latest = time.source ? readSource(time.source) : Date.now();
  return time.latest;
}

/**
 * The time of one World. It follows the sandbox's time but never goes back. When that jumps ahead and back, only the
 * Worlds that were read meanwhile wait until it has caught up.
 */
export interface WorldTime {
  readonly sandbox: Time;
  /** The latest reading. */
  latest: Instant;
}

export const createWorldTime = (sandbox: Time, latest: Instant = 0): WorldTime => ({
  sandbox,
  latest,
});

/** Throws `TimeSourceError` if the source returns no time. */
export function readWorldTime(time: WorldTime): Instant {
  time.latest = Math.max(time.latest, readTime(time.sandbox));
  return time.latest;
}

/** The `clock` function of a sandbox returned no time. Nothing was changed. */
export class TimeSourceError extends TypeError {
  override readonly name = 'TimeSourceError';

  constructor(did: string, options?: ErrorOptions) {
    super(
      `The clock function of this sandbox must return a Date or milliseconds since 1970, up to the year 2286; it ${did}.`,
      options,
    );
  }
}

recognizeCopies(TimeSourceError, 'TimeSourceError');

/** Returns whole milliseconds, rounded down. */
function readSource(source: TimeSource): Instant {
  let answer: unknown;
  try {
    answer = source();
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : truncate(cause);
    throw new TimeSourceError(`threw "${why}"`, { cause });
  }
  const at = isDate(answer) ? answer.getTime() : answer;
  if (typeof at === 'number' && isClockInstant(at)) return Math.floor(at);
  throw new TimeSourceError(`returned ${describeAnswer(answer)}`);
}

/** Also recognizes a Date of another realm or of fake timers. */
const isDate = (value: unknown): value is Date =>
  Object.prototype.toString.call(value) === '[object Date]';

function describeAnswer(answer: unknown): string {
  if (answer instanceof Promise) return 'a Promise';
  return isDate(answer) && Number.isNaN(answer.getTime()) ? 'an invalid Date' : truncate(answer);
}

export const createClock = ({ mode, now }: ClockStart, time: Instant): Clock => ({
  mode,
  at: now ?? time,
  since: time,
});

/** Returns the time of a clock at the moment `time` of its World's time. */
export const readClock = ({ mode, at, since }: Clock, time: Instant): Instant =>
  mode === 'frozen' ? at : Math.min(at + Math.max(time - since, 0), MAX_INSTANT);

/** Formats a moment of a clock: `2026-01-31T10:00:57.123Z`. */
export const momentText = (at: Instant): string => new Date(at).toISOString();

export const isClockInstant = (at: Instant): boolean => at >= MIN_INSTANT && at <= MAX_INSTANT;

/** How long a piece of long work may hold the event loop. */
const TURN_MS = 8;
// Saved here, so that fake timers don't affect them. From Node itself, in case a test runner has replaced the globals.
const {
  setImmediate: immediate,
  setTimeout: timeout,
  clearTimeout: cancelTimeout,
} = globalThis.process?.getBuiltinModule?.('timers') ?? globalThis;
const sinceStart = performance.now.bind(performance);
const { timeOrigin } = performance;

const afterThisTurn = (callback: () => void): void =>
  void (immediate ? immediate(callback) : timeout(callback, 0));

/** Resolves in the next turn of the event loop. */
export const nextTurn = (): Promise<void> => new Promise(afterThisTurn);

/** Runs long work piece by piece, and lets other work have a turn every few milliseconds. */
export async function runCooperatively<T>(work: Iterator<unknown, T>): Promise<T> {
  let began = sinceStart();
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    if (sinceStart() - began < TURN_MS) continue;
    await nextTurn();
    began = sinceStart();
  }
}

/** Runs the whole work at once. */
export function atOnce<T>(work: Iterator<unknown, T>): T {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
  }
}

/** Monotonic milliseconds, with microseconds; only differences mean anything. */
export const stopwatch = sinceStart;

/** The system's time at a reading of the stopwatch. */
export const systemTimeAt = (reading: number): Instant => Math.round(timeOrigin + reading);

/** The longest time that a timer takes: 24 days. */
const LONGEST_MS = 2 ** 31 - 1;

/** Keeps the process alive until the returned function is called. Independent of fake timers. */
export function holdProcess(): () => void {
  const timer = timeout(() => {}, LONGEST_MS);
  return () => cancelTimeout(timer);
}

interface Timers {
  readonly setTimeout: typeof timeout;
  readonly clearTimeout: typeof cancelTimeout;
}

const ownTimers: Timers = { setTimeout: timeout, clearTimeout: cancelTimeout };

/**
 * Resolves after `ms` milliseconds, or when a signal aborts. Fake timers control it: for delays that a test asked for.
 */
export const wait = (ms: number, ...signals: readonly (AbortSignal | undefined)[]): Promise<void> =>
  waitBy(globalThis, ms, signals);

/** What waits to be done in this process, in any order. */
const pending = new Set<{ readonly due: number; readonly act: () => void }>();
let stopWatching = () => {};

/**
 * Acts after `ms` milliseconds, or at once when a signal aborts. It keeps no process alive: when the process ends before,
 * what is left to do is done at that moment. Fake timers control the wait. `act` may be called before, too.
 */
export async function actAfter(
  ms: number,
  act: () => void,
  ...signals: readonly (AbortSignal | undefined)[]
): Promise<void> {
  const action = { due: sinceStart() + ms, act };
  if (pending.size === 0) stopWatching = onProcessEnd(actNow);
  pending.add(action);
  const ignore = onAbort(signals, act);
  await waitBy(globalThis, ms, signals, false);
  ignore();
  pending.delete(action);
  if (pending.size === 0) stopWatching();
  act();
}

function actNow(): void {
  for (const { act } of [...pending].sort((one, other) => one.due - other.due)) act();
}

/** Like `wait`, but independent of fake timers: for things that must end, such as a time limit or a closing server. */
export const sleepUnmocked = (
  ms: number,
  ...signals: readonly (AbortSignal | undefined)[]
): Promise<void> => waitBy(ownTimers, ms, signals);

function waitBy(
  timers: Timers,
  ms: number,
  signals: readonly (AbortSignal | undefined)[],
  holdsProcess = true,
): Promise<void> {
  // Some platforms refuse timers that are called as methods.
  const { setTimeout, clearTimeout } = timers;
  return new Promise((resolve) => {
    if (signals.some((signal) => signal?.aborted)) return resolve();
    const end = () => {
      stop();
      resolve();
    };
    const timer = setTimeout(end, Math.min(ms, LONGEST_MS));
    // Only Node's timers hold a process.
    if (!holdsProcess) (timer as Partial<typeof timer>).unref?.();
    const stop = onAbort(signals, () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
