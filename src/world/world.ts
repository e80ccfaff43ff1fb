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
import { KeyedTable, Tables } from './tables.ts';
import type { Instant } from './time.ts';

/**
 * Everything the service remembers for one merchant, apart from the product families' own parts. What rules change
 * stands in tables; what is only shown (journal, counts) does not.
 */
export interface WorldCore {
  readonly tables: Tables;
  /** The merchant whose records these are, as the records name it. */
  readonly merchant_id: number;
  readonly settings: Settings;
  /** The sandbox's, which the clock goes by. */
  readonly time: Time;
  clock: Clock;
  readonly random: RandomState;
  /** Of faults, apart from the service's own: a fault rule changes no policy number. */
  readonly fault_random: RandomState;
  /** The last id given, by the name of what it numbers. */
  readonly sequences: KeyedTable<number>;
  /** The family of each expired token, oldest first. */
  readonly expired_tokens: KeyedTable<string>;
  /** By id, in the order they are tried. */
  readonly faults: KeyedTable<FaultRule>;
  /** How many calls there were. */
  requests: number;
  readonly journal: Journal;
  /** How many responses rested on each list of assumptions, as `Sandbox-Assumptions` wrote it. */
  readonly assumption_counts: Map<string, number>;
}

/** The single values of a World, which stand in a table of their own. */
export interface WorldValues {
  merchant_id: number;
  clock: Clock;
  chance: RandomState['state'];
  fault_chance: RandomState['state'];
}

/** The names of the tables that every World has. */
export const WORLD_TABLES = {
  values: 'world',
  sequences: 'sequences',
  expired: 'expired',
  faults: 'faults',
} as const;

/** What a World starts from. */
export interface WorldStart {
  readonly merchantId: number;
  readonly clock: ClockStart;
  readonly seed: number;
  /** Since when the clock runs, in the sandbox's time. */
  readonly since: Instant;
}

export const startValues = ({ merchantId, clock, seed, since }: WorldStart): WorldValues => ({
  merchant_id: merchantId,
  clock: createClock(clock, since),
  chance: createRandomState(seed, merchantId).state,
  fault_chance: createRandomState(~seed, merchantId).state,
});

/** A World with nothing in it; without `values` it lacks them until they are loaded. */
export function createWorldCore(
  { settings, time }: Pick<WorldCore, 'settings' | 'time'>,
  start: Partial<WorldValues>,
): WorldCore {
  const tables = new Tables();
  const values = new KeyedTable<unknown>(tables, WORLD_TABLES.values);
  for (const [name, value] of Object.entries(start)) values.load(name, value);
  const randomOf = (name: 'chance' | 'fault_chance'): RandomState => ({
    get state() {
      return values.get(name) as WorldValues['chance'];
    },
    set state(state) {
      values.put(name, state);
    },
  });
  return {
    tables,
    settings,
    time,
    get merchant_id() {
      return values.get('merchant_id') as number;
    },
    get clock() {
      return values.get('clock') as Clock;
    },
    set clock(clock) {
      values.put('clock', clock);
    },
    // Kept states name the values so.
    random: randomOf('chance'),
    fault_random: randomOf('fault_chance'),
    sequences: new KeyedTable(tables, WORLD_TABLES.sequences),
    expired_tokens: new KeyedTable(tables, WORLD_TABLES.expired),
    faults: new KeyedTable(tables, WORLD_TABLES.faults),
    requests: 0,
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
export function nextId({ sequences }: Pick<WorldCore, 'sequences'>, sequence: string): number {
  const id = (sequences.get(sequence) ?? 0) + 1;
  sequences.put(sequence, id);
  return id;
}
