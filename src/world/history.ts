/* The history of a World: its rows before each of its last changes, so that it can go back to the moment before a call. */

import type { EntryPoint, Journal } from './journal.ts';
import { append, createNewest, drop, type Newest, nextItemNumber } from './newest.ts';
import type { Note, Tables } from './tables.ts';

/** The limits of a history: steps, and the bytes of memory that it takes. A host may have a lower byte limit. */
export const MAX_HISTORY_STEPS = 1000;
export const MAX_HISTORY_BYTES = 4 * 1024 * 1024;

/** The rows that one transaction changed, each as it was before. */
type HistoryStep = readonly Note[];

/** The last transactions of a World. */
export interface History extends Newest<HistoryStep> {
  maxBytes: number;
  /** How often the World went back. A call that was running then cannot be rewound. */
  rewinds: number;
}

/** A moment of a World: the numbers that the next step and the next item of its journal get. */
export interface HistoryPoint {
  readonly steps: number;
  readonly items: number;
}

/** A moment as a running call knows it. */
export interface CallPoint extends HistoryPoint {
  /** How often the World had gone back. */
  readonly rewinds: number;
}

export const createHistory = (): History => ({
  ...createNewest(),
  maxBytes: MAX_HISTORY_BYTES,
  rewinds: 0,
});

/** The part of a World that has a history. */
interface Remembering {
  readonly history: History;
  readonly journal: Journal;
}

/** Notes every change of a World from now on. */
export function keepHistory(
  { tables, history }: Pick<Remembering, 'history'> & { readonly tables: Tables },
  maxBytes: number,
): void {
  history.maxBytes = maxBytes;
  tables.observer = (notes) => {
    // A rewind sets the clock by the time of the call.
    const step = notes.some(isClock) ? notes.filter((note) => !isClock(note)) : notes;
    if (step.length > 0) addStep(history, step);
  };
}

const isClock = ({ key, table }: Note): boolean => key === 'clock' && table.name === 'values';

/** Adds a step, and drops the oldest beyond the limits. */
export function addStep(history: History, step: HistoryStep): void {
  const { items, maxBytes } = history;
  // The present value of a row shares objects with the former one.
  let bytes = OBJECT_BYTES;
  for (const { table, key, before } of step) {
    bytes += OBJECT_BYTES + key.length + memoryOf(before, table.get(key), maxBytes - bytes);
    if (bytes > maxBytes) break;
  }
  append(history, step, bytes);
  while (items.length > MAX_HISTORY_STEPS || history.bytes > maxBytes) drop(history);
}

/** What an object takes besides its fields. */
const OBJECT_BYTES = 64;
/** What a field takes besides its name and its value. */
const FIELD_BYTES = 16;
/** What a text takes besides its characters. */
const TEXT_BYTES = 16;

/** Any character that takes two bytes. */
const WIDE = /[^\0-\xff]/;

/**
 * Roughly the bytes of memory that a value takes besides objects that it shares with another value. Counting ends beyond
 * `most`.
 */
function memoryOf(value: unknown, shared: unknown, most: number): number {
  if (typeof value === 'string') return TEXT_BYTES + value.length * (WIDE.test(value) ? 2 : 1);
  if (typeof value !== 'object' || value === null || value === shared) return 0;
  const other = (typeof shared === 'object' ? shared : null) as Record<string, unknown> | null;
  let bytes = OBJECT_BYTES;
  // The fastest way to read every field of an object.
  for (const name in value) {
    const field = (value as Record<string, unknown>)[name];
    bytes += FIELD_BYTES + name.length + memoryOf(field, other?.[name], most - bytes);
    if (bytes > most) return bytes;
  }
  return bytes;
}

/** The World as it is now. */
export const pointOf = ({ history, journal }: Remembering): CallPoint => ({
  steps: nextItemNumber(history),
  items: nextItemNumber(journal),
  rewinds: history.rewinds,
});

/** The moment before a call that ends now, for its journal entry; null if it is not known any more. */
export function entryPointOf(
  { history, journal }: Remembering,
  arrived: CallPoint,
): EntryPoint | null {
  if (history.rewinds !== arrived.rewinds) return null;
  return { steps: arrived.steps, items: nextItemNumber(journal) - arrived.items };
}

/** Whether the history reaches back to the moment before a call. */
export const isReached = (history: History, { steps }: EntryPoint): boolean =>
  steps >= history.dropped && steps <= nextItemNumber(history);
