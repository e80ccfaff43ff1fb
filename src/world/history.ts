/* The history of a World: its rows before each of its last changes, so that it can go back to the moment before a call. */

import { countEvents, type EntryPoint, type Journal, nextPlace } from './journal.ts';
import { memoryOf, OBJECT_BYTES } from './memory.ts';
import type { Note, Tables } from './tables.ts';

/** The limits of a history: steps, and the bytes of memory that it takes. A host may have a lower byte limit. */
export const MAX_HISTORY_STEPS = 1000;
export const MAX_HISTORY_BYTES = 4 * 1024 * 1024;

/** The rows that one transaction changed, each as it was before. */
type HistoryStep = readonly Note[];

/** The last transactions of a World, oldest first. They are numbered from 0 for the life of the World. */
export interface History {
  readonly steps: HistoryStep[];
  /** The bytes of each of `steps`. */
  readonly sizes: number[];
  /** The number of steps dropped so far. Added to its position, it gives a step its number. */
  dropped: number;
  bytes: number;
  maxBytes: number;
  /** How often the World went back. */
  rewinds: number;
  /** Where it went back to, the last times. Calls that were running then belong to that moment. */
  readonly rewoundTo: HistoryPoint[];
}

/** A call that was running during more rewinds than this cannot be rewound. */
const MAX_REWINDS_KEPT = 100;

/** A moment of a World: the numbers of steps, journal entries and World events before it. */
export interface HistoryPoint {
  readonly steps: number;
  readonly entries: number;
  readonly events: number;
}

/** A moment as a running call knows it. */
export interface CallPoint extends HistoryPoint {
  /** How often the World had gone back. */
  readonly rewinds: number;
}

export const createHistory = (): History => ({
  steps: [],
  sizes: [],
  dropped: 0,
  bytes: 0,
  maxBytes: MAX_HISTORY_BYTES,
  rewinds: 0,
  rewoundTo: [],
});

/** The number of steps of a World so far. */
export const countSteps = ({ steps, dropped }: History): number => dropped + steps.length;

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
  while (history.steps.length > MAX_HISTORY_STEPS || history.bytes > history.maxBytes) {
    history.steps.shift();
    history.bytes -= history.sizes.shift() as number;
    history.dropped += 1;
  }
}

/** The rows that changed since a moment, oldest first. */
export const notesSince = ({ steps, dropped }: History, point: HistoryPoint): readonly Note[] =>
  steps.slice(Math.max(point.steps - dropped, 0)).flat();

/** Forgets the steps after a moment to which the World goes back, and notes that it did. */
export function goBack(history: History, point: HistoryPoint): void {
  const length = Math.max(point.steps - history.dropped, 0);
  history.steps.splice(length);
  for (const size of history.sizes.splice(length)) history.bytes -= size;
  history.rewinds += 1;
  history.rewoundTo.push(point);
  if (history.rewoundTo.length > MAX_REWINDS_KEPT) history.rewoundTo.shift();
}

/** The bytes of memory that a step keeps. The present value of a row shares objects with the former one. */
function sizeOfStep(step: HistoryStep, most: number): number {
  let bytes = OBJECT_BYTES;
  for (const { table, key, before } of step) {
    bytes += OBJECT_BYTES + memoryOf(key);
    const { hasOwnNames } = table;
    bytes += memoryOf(before, { shared: table.get(key), hasOwnNames, most: most - bytes });
    if (bytes > most) break;
  }
  return bytes;
}

/** The World as it is now. */
export const pointOf = ({ history, journal }: Remembering): CallPoint => ({
  steps: countSteps(history),
  entries: nextPlace(journal),
  events: countEvents(journal),
  rewinds: history.rewinds,
});

/** The moment before a call that ends now, for its journal entry; null if it is not known any more. */
export function entryPointOf(
  { history, journal }: Remembering,
  arrived: CallPoint,
): EntryPoint | null {
  const { rewinds, rewoundTo } = history;
  // The World may have gone back while the call was running.
  const times = rewinds - arrived.rewinds;
  if (times > rewoundTo.length) return null;
  let { steps, entries, events } = arrived;
  for (const point of rewoundTo.slice(rewoundTo.length - times)) {
    steps = Math.min(steps, point.steps);
    entries = Math.min(entries, point.entries);
    events = Math.min(events, point.events);
  }
  return { steps, calls: nextPlace(journal) - entries, events: countEvents(journal) - events };
}

/** Whether the history reaches back to the moment before a call. */
export const isReached = (history: History, { steps }: EntryPoint): boolean =>
  steps >= history.dropped && steps <= countSteps(history);
