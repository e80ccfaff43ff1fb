/* What a transaction changed, as journal entries show it. */
import type { RowChange } from '../public.ts';
import { type Note, RecordTable, type Table } from './tables.ts';
import { WORLD_TABLES } from './world.ts';

/** Numbering, random state and what time has changed are no changes of a call. */
const UNSHOWN: ReadonlySet<string> = new Set([
  WORLD_TABLES.values,
  WORLD_TABLES.sequences,
  WORLD_TABLES.expired,
]);

/** What the transaction with these notes changed in the end, in the order of the first changes. */
export function changedRows(notes: readonly Note[]): RowChange[] {
  const changes: RowChange[] = [];
  for (const note of notes) {
    const { table, key, before } = note;
    if (UNSHOWN.has(table.name) || notes.find((each) => isSameRow(each, note)) !== note) continue;
    const [was, is] = [before !== undefined, table.has(key)];
    if (!was && !is) continue;
    changes.push({
      change: was ? (is ? 'changed' : 'removed') : 'added',
      table: nameOf(table),
      key,
    });
  }
  return changes;
}

const isSameRow = (a: Note, b: Note): boolean => a.key === b.key && a.table === b.table;

/** Families name their lists of policies after their fixtures; here all have one name. */
const nameOf = (table: Table<unknown>): string =>
  table instanceof RecordTable ? `${table.name.split('.')[0]}.policies` : table.name;
