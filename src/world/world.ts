/* The state of one merchant, apart from what the product families add. */

import type { FaultRule, RowChange } from '../types/public.ts';
import {
  type Clock,
  type ClockStart,
  createClock,
  readClock,
  readWorldTime,
  TimeSourceError,
  type WorldTime,
} from './clock.ts';
import type { FaultClaim } from './faults.ts';
import { createHistory, type History } from './history.ts';
import { createJournal, type Journal } from './journal.ts';
import { createRandomState, type RandomState, storedRandom } from './random.ts';
import type { Settings } from './settings.ts';
import { KeyedTable, type Note, type Sequences, Tables } from './tables.ts';
import type { Instant } from './time.ts';
import type { ExpiredTokens } from './tokens.ts';

/**
 * The state of one merchant, apart from the parts of the product families. State that rules depend on is in tables;
 * journal and counts are not.
 */
export interface WorldCore {
  readonly tables: Tables;
  readonly merchant_id: number;
  readonly settings: Settings;
  /** What the clock follows. */
  readonly time: WorldTime;
  clock: Clock;
  readonly random: RandomState;
  /** Separate random state for faults, so that fault rules don't change policy numbers. */
  readonly fault_random: RandomState;
  readonly sequences: Sequences;
  readonly expired_tokens: ExpiredTokens;
  /** By id, in the order they are tried. */
  readonly faults: KeyedTable<FaultRule>;
  /** What running calls take from the fault rules and have not stored yet. */
  readonly fault_claims: Set<FaultClaim>;
  /** Carry out the calls that a fault delays, at once. */
  readonly delayed: Set<() => void>;
  /** The number of calls. */
  requests: number;
  journal: Journal;
  /** What `rewind` needs. A new World has none of an earlier one. */
  readonly history: History;
  /** The number of responses per list of assumptions, in the form of `Sandbox-Assumptions`. */
  readonly assumption_counts: Map<string, number>;
}

/** The single values of a World, which are in one table. */
export interface WorldValues {
  merchant_id: number;
  clock: Clock;
  random: RandomState['state'];
  fault_random: RandomState['state'];
}

/** The names of the tables that every World has. */
export const WORLD_TABLES = {
  values: 'values',
  sequences: 'sequences',
  expired: 'expired',
  faults: 'faults',
} as const;

/** The start of a World. */
export interface WorldStart {
  readonly merchantId: number;
  readonly clock: ClockStart;
  readonly seed: number;
  /** When the clock starts, in the World's time. */
  readonly since: Instant;
}

export const startValues = ({ merchantId, clock, seed, since }: WorldStart): WorldValues => ({
  merchant_id: merchantId,
  clock: createClock(clock, since),
  random: createRandomState(seed, merchantId).state,
  fault_random: createRandomState(~seed, merchantId).state,
});

/** Creates an empty World. Values missing from `start` must be loaded later. */
export function createWorldCore(
  { settings, time }: Pick<WorldCore, 'settings' | 'time'>,
  start: Partial<WorldValues>,
): WorldCore {
  const tables = new Tables();
  const values = new KeyedTable<unknown>(tables, WORLD_TABLES.values);
  for (const [name, value] of Object.entries(start)) values.load(name, value);
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
    random: storedRandom(values, 'random'),
    fault_random: storedRandom(values, 'fault_random'),
    sequences: new KeyedTable(tables, WORLD_TABLES.sequences),
    expired_tokens: new KeyedTable(tables, WORLD_TABLES.expired, { orderOf: ({ at }) => at }),
    faults: new KeyedTable(tables, WORLD_TABLES.faults, {
      orderOf: ({ id }) => Number(id.replace(/\D/g, '')),
    }),
    fault_claims: new Set(),
    delayed: new Set(),
    requests: 0,
    journal: createJournal(),
    history: createHistory(),
    assumption_counts: new Map(),
  };
}

/** The time of a World's clock. */
export const nowOf = ({ clock, time }: Pick<WorldCore, 'clock' | 'time'>): Instant =>
  readClock(clock, readWorldTime(time));

/** Like `nowOf`, but returns the last known time if the source of time fails. */
export function lastNowOf(world: Pick<WorldCore, 'clock' | 'time'>): Instant {
  try {
    return nowOf(world);
  } catch (error) {
    if (!(error instanceof TimeSourceError)) throw error;
    const { latest, sandbox } = world.time;
    return readClock(world.clock, Math.max(latest, sandbox.latest));
  }
}

/** Numbering, random state and what time has changed are no changes of a call. */
const UNSHOWN: ReadonlySet<string> = new Set([
  WORLD_TABLES.values,
  WORLD_TABLES.sequences,
  WORLD_TABLES.expired,
]);

/** What a transaction changed in the end, as journal entries show it, in the order of the changes. */
export function changedRows(notes: readonly Note[]): RowChange[] {
  const changes: RowChange[] = [];
  let expired: Set<string> | undefined;
  for (const { table, key } of notes) {
    if (table.name === WORLD_TABLES.expired) expired = (expired ?? new Set()).add(key);
  }
  for (const { table, key, before } of notes) {
    if (UNSHOWN.has(table.name) || expired?.has(key)) continue;
    const was = before !== undefined;
    const is = table.has(key);
    if (!was && !is) continue;
    const change = was ? (is ? 'changed' : 'removed') : 'added';
    const fields = change === 'changed' ? changedFields(before, table.get(key)) : undefined;
    changes.push({ change, table: table.name, key, ...fields });
  }
  return changes;
}

/** The fields of a row that differ, by their place in it: `subscriptions.end_date`. */
function changedFields(before: unknown, after: unknown): Pick<RowChange, 'before' | 'after'> {
  const was: Record<string, unknown> = {};
  const is: Record<string, unknown> = {};
  const compare = (one: unknown, other: unknown, place: string): void => {
    // Rows share what did not change.
    if (one === other) return;
    if (isObject(one) && isObject(other)) {
      for (const name of Object.keys({ ...one, ...other })) {
        compare(
          Reflect.get(one, name),
          Reflect.get(other, name),
          place ? `${place}.${name}` : name,
        );
      }
      return;
    }
    if (one !== undefined) was[place] = one;
    if (other !== undefined) is[place] = other;
  };
  compare(before, after, '');
  return { before: was, after: is };
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;
