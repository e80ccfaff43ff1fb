/* The history of a World: its rows before each of its last changes, so that it can go back to the moment before a call. */

import { countEntries, type EntryPoint, type Journal } from './journal.ts';
import type { Note, Tables } from './tables.ts';

/** The limits of a history: steps, and roughly the bytes of memory that it takes. A host may have a lower byte limit. */
export const MAX_HISTORY_STEPS = 1000;
export const MAX_HISTORY_BYTES = 4 * 1024 * 1024;

/** The rows that one transaction changed, each as it was before. */
type HistoryStep = readonly Note[];

/** The last transactions of a World, oldest first. They are numbered from 0 for the life of the World. */
export interface History {
  /** Undefined before `start`, so that dropped steps are freed at once. */
  steps: (HistoryStep | undefined)[];
  /** The bytes of each of `steps`. */
  sizes: number[];
  /** The position of the oldest step in `steps`. */
  start: number;
  /** The number of steps dropped so far. Added to its position behind `start`, it gives a step its number. */
  dropped: number;
  bytes: number;
  maxBytes: number;
  /** Where the World went back to, each time. Calls that were running then belong to that moment. */
  readonly rewinds: HistoryPoint[];
}

/** A moment of a World: the numbers of steps and journal entries before it. */
export interface HistoryPoint {
  readonly steps: number;
  readonly entries: number;
}

/** A moment as a running call knows it. */
export interface CallPoint extends HistoryPoint {
  /** How often the World had gone back. */
  readonly rewinds: number;
}

export const createHistory = (): History => ({
  steps: [],
  sizes: [],
  start: 0,
  dropped: 0,
  bytes: 0,
  maxBytes: MAX_HISTORY_BYTES,
  rewinds: [],
});

/** The number of steps of a World so far. */
export const countSteps = ({ steps, start, dropped }: History): number =>
  dropped + steps.length - start;

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
  const size = sizeOfStep(step, history.maxBytes);
  history.steps.push(step);
  history.sizes.push(size);
  history.bytes += size;
  while (
    history.steps.length - history.start > MAX_HISTORY_STEPS ||
    history.bytes > history.maxBytes
  ) {
    history.bytes -= history.sizes[history.start] as number;
    history.steps[history.start] = undefined;
    history.start += 1;
    history.dropped += 1;
  }
  if (history.start < MAX_HISTORY_STEPS) return;
  history.steps = history.steps.slice(history.start);
  history.sizes = history.sizes.slice(history.start);
  history.start = 0;
}

/** The steps that are kept, with their numbers, oldest first. */
export const listSteps = ({
  steps,
  start,
  dropped,
}: History): (readonly [number: number, step: HistoryStep])[] =>
  steps.slice(start).map((step, place) => [dropped + place, step as HistoryStep]);

/** Forgets the steps from this number on. */
export function forgetSteps(history: History, from: number): void {
  const length = history.start + Math.max(from - history.dropped, 0);
  for (const size of history.sizes.slice(length)) history.bytes -= size;
  history.steps.length = length;
  history.sizes.length = length;
}

/** Roughly what objects take in memory besides their texts. */
const OBJECT_BYTES = 32;
const FIELD_BYTES = 16;

/** Roughly the bytes of memory that a step keeps. The present value of a row shares objects with the former one. */
function sizeOfStep(step: HistoryStep, most: number): number {
  let bytes = OBJECT_BYTES;
  for (const { table, key, before } of step) {
    bytes += 3 * OBJECT_BYTES + key.length;
    if (typeof before === 'object' && before !== null) {
      bytes += sizeOf(before, table.get(key), most - bytes);
    }
    if (bytes > most) return bytes;
  }
  return bytes;
}

/** @param shared the present value of the row, whose objects count for nothing */
function sizeOf(value: object, shared: unknown, most: number): number {
  let bytes = OBJECT_BYTES;
  // The fastest way to read every field of an object.
  for (const name in value) {
    const field = (value as Record<string, unknown>)[name];
    bytes += FIELD_BYTES;
    if (typeof field === 'string') bytes += field.length;
    else if (typeof field === 'object' && field !== null && field !== fieldOf(shared, name)) {
      bytes += sizeOf(field, undefined, most - bytes);
    }
    if (bytes > most) return bytes;
  }
  return bytes;
}

const fieldOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined;

/** The World as it is now. */
export const pointOf = ({ history, journal }: Remembering): CallPoint => ({
  steps: countSteps(history),
  entries: journal.dropped + countEntries(journal),
  rewinds: history.rewinds.length,
});

/** The moment before a call that ends now, for its journal entry. */
export function entryPointOf({ history, journal }: Remembering, arrived: CallPoint): EntryPoint {
  let { steps, entries } = arrived;
  // The World may have gone back while the call was running.
  for (let place = arrived.rewinds; place < history.rewinds.length; place++) {
    const point = history.rewinds[place] as HistoryPoint;
    steps = Math.min(steps, point.steps);
    entries = Math.min(entries, point.entries);
  }
  return { steps, calls: journal.dropped + countEntries(journal) - entries };
}

/** Whether the history reaches back to the moment before a call. */
export const isReached = (history: History, { steps }: EntryPoint): boolean =>
  steps >= history.dropped && steps <= countSteps(history);
