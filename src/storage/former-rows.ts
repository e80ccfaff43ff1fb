/* Reads the rows that the former format wrote as those of today: a table and some values had other names. */

import { SANDBOX_TABLES } from '../world/merchants.ts';
import type { Change, Line } from '../world/tables.ts';
import { WORLD_TABLES } from '../world/world.ts';
import { FORMER_FORMAT } from './lines.ts';

/** The former name of the table of a World's single values. */
export const FORMER_TABLE = 'world';

/** The former names of single values, and today's. */
export const FORMER_VALUES = new Map([
  ['chance', 'random'],
  ['fault_chance', 'fault_random'],
]);

/** The lines of a state with the rows of today. */
export const currentLine = <Stored extends Line>(format: number, line: Stored): Stored =>
  format === FORMER_FORMAT ? { ...line, changes: line.changes.map(currentRow) } : line;

function currentRow([table, key, value]: Change): Change {
  const isOfWorld = table === FORMER_TABLE;
  if (!isOfWorld && table !== SANDBOX_TABLES.values) return [table, key, value];
  return [isOfWorld ? WORLD_TABLES.values : table, FORMER_VALUES.get(key) ?? key, value];
}
