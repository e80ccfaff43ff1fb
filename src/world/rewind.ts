/* Takes a World back to an earlier moment. */

import { clockAt, readWorldTime } from './clock.ts';
import { goBack, type HistoryPoint, notesSince } from './history.ts';
import { keepItems } from './journal.ts';
import { type Change, firstNotes, KeyedTable, type Note } from './tables.ts';
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
  const notes = firstNotes(notesSince(history, point)).reverse();
  tables.transact(
    () => {
      restoreRows(notes);
      world.clock = clockAt(mode, at, time);
    },
    { changesOf: restoredChanges, isObserved: false },
  );
  goBack(history, point);
  keepItems(journal, point);
}

/** Gives rows the values and the places that they had. Records leave in the opposite order in which they came. */
function restoreRows(notes: readonly Note[]): void {
  for (const { table, key, before, place } of notes) table.restore(key, before, place);
  for (const table of new Set(notes.map((note) => note.table))) table.sort();
}

/**
 * The changes that store a rewind. Storage puts a new row at the end of its table, so the rows behind a restored one
 * are removed and put again.
 */
function* restoredChanges(notes: readonly Note[]): Generator<Change, void> {
  const returned = new Map<KeyedTable<unknown>, Set<string>>();
  for (const { table, key, before } of notes) {
    if (before === undefined && table.has(key) && table instanceof KeyedTable) {
      returned.set(table, (returned.get(table) ?? new Set()).add(key));
    } else yield [table.name, key, table.get(key) ?? null];
  }
  for (const [table, keys] of returned) {
    const rows = [...table.entries()];
    const behind = rows.slice(rows.findIndex(([key]) => keys.has(key)));
    for (const [key] of behind) if (!keys.has(key)) yield [table.name, key, null];
    for (const [key, value] of behind) yield [table.name, key, value];
  }
}
