/* Takes a World back to an earlier moment. */

import { readWorldTime } from './clock.ts';
import type { HistoryPoint } from './history.ts';
import { keepItems } from './journal.ts';
import { removeFrom } from './newest.ts';
import { firstNotes, sortRows } from './tables.ts';
import type { Instant } from './time.ts';
import type { WorldCore } from './world.ts';

/**
 * Takes a World back to a moment that its history reaches: its rows, and its journal. Its clock shows `at` and keeps
 * its mode. Throws `NotStoredError` and then changes nothing.
 */
export function rewindWorld(world: WorldCore, point: HistoryPoint, at: Instant): void {
  const { tables, history, journal } = world;
  const time = readWorldTime(world.time);
  const { mode } = world.clock;
  // Rows that have expired since the last transaction are a step of their own.
  tables.transact(() => undefined);
  const steps = history.items.slice(Math.max(point.steps - history.dropped, 0));
  // Records leave in the opposite order in which they came.
  const notes = firstNotes(steps.flat()).reverse();
  tables.transact(
    () => {
      for (const { table, key, before } of notes) table.put(key, before);
      world.clock = { mode, at, since: time };
    },
    { isObserved: false },
  );
  sortRows(tables);
  removeFrom(history, point.steps);
  history.rewinds += 1;
  keepItems(journal, point.items);
}
