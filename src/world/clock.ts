import { onAbort } from './platform.ts';
import { truncate } from './problem-texts.ts';
import { type Instant, MAX_INSTANT, MIN_INSTANT } from './time.ts';

/**
 * A World's clock: it shows `at` at the moment `since` of the sandbox's time, and goes on from there if it runs. It
 * never goes back, because that time does not.
 */
export interface Clock {
  readonly mode: 'running' | 'frozen';
  readonly at: Instant;
  readonly since: Instant;
}

export type ClockMode = Clock['mode'];

/** What a fresh World's clock shows: real time unless `now` says otherwise. */
export interface ClockStart {
  readonly now: Instant | undefined;
  readonly mode: ClockMode;
}

/** The system's time. This file is the only one that reads it or starts a timer. */
export const systemNow = (): Instant => Date.now();

/** Answers a moment: a Date, or milliseconds since 1970-01-01T00:00:00Z. */
export type TimeSource = () => number | Date;

/** The time that all Worlds of a sandbox share: the system's or another source's, but never less than it was before. */
export interface Time {
  readonly source: TimeSource | undefined;
  latest: Instant;
}

/** @param source the system's time unless given */
export const createTime = (source?: TimeSource): Time => ({ source, latest: 0 });

/** Throws `TimeSourceError` where the source answers no moment. */
export function readTime(time: Time): Instant {
  const now = time.source ? readSource(time.source) : systemNow();
  time.latest = Math.max(time.latest, now);
  return time.latest;
}

/** The source of a sandbox's time did not answer a moment; nothing was done. */
export class TimeSourceError extends TypeError {
  override readonly name = 'TimeSourceError';

  constructor(did: string, options?: ErrorOptions) {
    super(
      `clock, the function that gives this sandbox its time, must answer a Date or the milliseconds since 1970, to the year 2286 at most; it ${did}.`,
      options,
    );
  }
}

/** Whole milliseconds: a finer source is rounded down. */
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
  throw new TimeSourceError(`answered ${describeAnswer(answer)}`);
}

/** Also a Date of another realm, or of fake timers. */
const isDate = (value: unknown): value is Date =>
  Object.prototype.toString.call(value) === '[object Date]';

function describeAnswer(answer: unknown): string {
  if (answer instanceof Promise) return 'a Promise';
  return isDate(answer) && Number.isNaN(answer.getTime()) ? 'an invalid Date' : truncate(answer);
}

export const createClock = (start: ClockStart, time: Instant): Clock =>
  clockAt(start.mode, start.now ?? time, time);

/** A clock that shows `at` at a moment of the sandbox's time. */
export const clockAt = (mode: ClockMode, at: Instant, time: Instant): Clock => ({
  mode,
  at,
  since: time,
});

/** What a clock shows at a moment of the sandbox's time. */
export const readClock = ({ mode, at, since }: Clock, time: Instant): Instant =>
  mode === 'frozen' ? at : Math.min(at + Math.max(time - since, 0), MAX_INSTANT);

export const isClockInstant = (at: Instant): boolean => at >= MIN_INSTANT && at <= MAX_INSTANT;

/** How long all long work together may take in one turn of the event loop. */
const TURN_MS = 8;
// Taken here, so that a test's own timers leave them alone; of Node itself, where a test runner replaced them before.
const {
  setImmediate: immediate,
  setTimeout: timeout,
  clearTimeout: cancelTimeout,
} = globalThis.process?.getBuiltinModule?.('timers') ?? globalThis;
const sinceStart = performance.now.bind(performance);

const afterThisTurn = (callback: () => void): void =>
  void (immediate ? immediate(callback) : timeout(callback, 0));

/** Resolves when others had their turn. */
export const nextTurn = (): Promise<void> => new Promise(afterThisTurn);

/** When long work began in this turn of the event loop; undefined where none did. */
let workBegan: number | undefined;
/** A turn that began longer ago is over: a platform may cancel the timer that was to end it. */
const LONGEST_TURN_MS = 1000;

/**
 * Await it between two pieces of long work. However much such work there is at once, other calls get a turn every few
 * milliseconds.
 */
export const takeTurn = (): Promise<void> | undefined =>
  isTurnSpent() ? nextFreeTurn() : undefined;

function isTurnSpent(): boolean {
  const now = sinceStart();
  if (workBegan !== undefined && now - workBegan < LONGEST_TURN_MS) {
    return now - workBegan >= TURN_MS;
  }
  workBegan = now;
  afterThisTurn(() => {
    workBegan = undefined;
  });
  return false;
}

async function nextFreeTurn(): Promise<void> {
  do await nextTurn();
  while (isTurnSpent());
}

/** Does long work in turns with whatever else there is to do. */
export async function runCooperatively<T>(work: Iterator<unknown, T>): Promise<T> {
  for (;;) {
    const { done, value } = work.next();
    if (done) return value;
    const others = takeTurn();
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
export const stopwatch = sinceStart;

interface Timers {
  readonly setTimeout: typeof timeout;
  readonly clearTimeout: typeof cancelTimeout;
}

const ownTimers: Timers = { setTimeout: timeout, clearTimeout: cancelTimeout };

/** Resolves after that many milliseconds, or as soon as one of the signals aborts. A test's own timers move it. */
export const wait = (ms: number, ...signals: readonly (AbortSignal | undefined)[]): Promise<void> =>
  waitBy(globalThis, ms, signals);

/**
 * The same, whatever timers a test puts in the place of the platform's: of what has to come to an end though
 * nobody moves them, such as a server that closes.
 */
export const sleepUnmocked = (
  ms: number,
  ...signals: readonly (AbortSignal | undefined)[]
): Promise<void> => waitBy(ownTimers, ms, signals);

function waitBy(
  timers: Timers,
  ms: number,
  signals: readonly (AbortSignal | undefined)[],
): Promise<void> {
  // Some platforms take no timers that are called as methods.
  const { setTimeout, clearTimeout } = timers;
  return new Promise((resolve) => {
    if (signals.some((signal) => signal?.aborted)) return resolve();
    const timer = setTimeout(() => {
      stop();
      resolve();
    }, ms);
    const stop = onAbort(signals, () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
