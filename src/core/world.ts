import {
  type Clock,
  type ClockStart,
  createClock,
  readClock,
  readTime,
  type Time,
  TimeSourceError,
} from './clock.ts';
import type { FaultRule } from './faults.ts';
import { createJournal, type Journal } from './journal.ts';
import { createRandomState, type RandomState } from './random.ts';
import type { Settings } from './settings.ts';
import type { Instant } from './time.ts';
import type { ExpiredTokens } from './tokens.ts';

/**
 * Everything the service remembers for one merchant, apart from the product families' own parts:
 * plain objects, Maps and arrays, so that a snapshot is a copy and a reset an assignment.
 */
export interface WorldCore {
  /** The merchant whose records these are, as the records name it. */
  readonly merchant_id: number;
  readonly settings: Settings;
  /** The sandbox's, which the clock goes by. */
  readonly time: Time;
  clock: Clock;
  readonly chance: RandomState;
  /** Chance of faults, apart from the service's own: a fault rule changes no policy number. */
  readonly fault_chance: RandomState;
  /** The last id given, by the name of what it numbers. */
  readonly sequences: Record<string, number>;
  readonly expired_tokens: ExpiredTokens;
  readonly faults: FaultRule[];
  readonly journal: Journal;
  /** How many responses rested on each list of assumptions, as `Sandbox-Assumptions` wrote it. */
  readonly assumption_counts: Map<string, number>;
}

/** What a World starts from. */
export interface WorldStart {
  readonly merchantId: number;
  readonly clock: ClockStart;
  readonly seed: number;
  readonly settings: Settings;
  readonly time: Time;
  /** Since when the clock runs, in the sandbox's time. */
  readonly since: Instant;
}

export function createWorldCore(start: WorldStart): WorldCore {
  return {
    merchant_id: start.merchantId,
    settings: start.settings,
    time: start.time,
    clock: createClock(start.clock, start.since),
    chance: createRandomState(start.seed, start.merchantId),
    fault_chance: createRandomState(~start.seed, start.merchantId),
    sequences: {},
    expired_tokens: new Map(),
    faults: [],
    journal: createJournal(),
    assumption_counts: new Map(),
  };
}

/** The moment the clock of a World shows. */
export const nowOf = ({ clock, time }: Pick<WorldCore, 'clock' | 'time'>): Instant =>
  readClock(clock, readTime(time));

/** The same where its sandbox may have no time: then the last moment there was. */
export function lastNowOf(world: Pick<WorldCore, 'clock' | 'time'>): Instant {
  try {
    return nowOf(world);
  } catch (error) {
    if (!(error instanceof TimeSourceError)) throw error;
    return readClock(world.clock, world.time.latest);
  }
}

/**
 * The highest id that a fixture or a snapshot may name, and the highest a sequence may stand at there. It leaves
 * a World more numbers than it can ever give before they are no safe integers any more.
 */
export const MAX_ID = 1_000_000_000_000_000;

/** The next number of a sequence of this World. */
export function nextId(world: Pick<WorldCore, 'sequences'>, sequence: string): number {
  const id = (world.sequences[sequence] ?? 0) + 1;
  world.sequences[sequence] = id;
  return id;
}

/** Makes a number of a sequence one that was given. */
export function reachId(
  { sequences }: Pick<WorldCore, 'sequences'>,
  sequence: string,
  id: number,
): number {
  sequences[sequence] = Math.max(sequences[sequence] ?? 0, id);
  return id;
}

/**
 * Creates what takes ids and chance of a World, which gives all of them or none: `create` is handed a World of the
 * same parts whose numbers nobody else sees, and they count once it has not thrown.
 */
export function createAtomically<World extends Pick<WorldCore, 'sequences' | 'chance'>, Created>(
  world: World,
  create: (draft: World) => Created,
): Created {
  const draft = { ...world, sequences: { ...world.sequences }, chance: { ...world.chance } };
  const created = create(draft);
  Object.assign(world.sequences, draft.sequences);
  world.chance.state = draft.chance.state;
  return created;
}
