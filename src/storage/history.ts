/* The history of a World at rest: a row for each step, with the rows before it. */

import { z } from '@hono/zod-openapi';
import { addStep, countSteps, type History } from '../world/history.ts';
import { quoted } from '../world/printable.ts';
import { KeyedTable, type Note, type Table, type Tables } from '../world/tables.ts';
import { WORLD_TABLES } from '../world/world.ts';
import { InvalidRow, readRow, type StoredTables } from './rows.ts';

/** The rows before a step. The value null means that there was none. */
export const HistoryStep = z.strictObject({
  id: z.int().min(0),
  rows: z.array(
    z.tuple([
      z.string(),
      z.string(),
      z.unknown().refine((value) => value !== undefined, { error: 'any JSON' }),
      // The place among the rows of a table whose order matters. Between two rows it has a fraction.
      z.number().nullable(),
    ]),
  ),
});
type HistoryStep = z.output<typeof HistoryStep>;

/** What of a World has a history. */
interface Remembering {
  readonly tables: Tables;
  readonly history: History;
}

/** The number of steps of a World. What has expired since the last transaction is a step of its own. */
export const countStepsNow = ({ history, tables }: Remembering): number =>
  countSteps(history) + Number(tables.unsettled.length > 0);

/** The steps of a World, oldest first. Places count the rows that the World has now. */
export function historySteps({ tables, history }: Remembering): HistoryStep[] {
  const { unsettled } = tables;
  const steps = unsettled.length > 0 ? [...history.steps, unsettled] : history.steps;
  const notes = steps.flat();
  const positions = new Map<Table<unknown>, ReadonlyMap<number, number>>();
  for (const table of tables.byName.values()) {
    const ofTable = notes.filter((note) => note.table === table);
    positions.set(table, positionsOf(table, new Set(ofTable.map(({ place }) => place))));
  }
  return steps.map((step, position) => ({
    id: history.dropped + position,
    rows: step.map(({ table, key, before, place = Number.NaN }) => [
      table.name,
      key,
      before ?? null,
      positions.get(table)?.get(place) ?? null,
    ]),
  }));
}

/** The positions of places among the present rows of a table. Places between two rows share the way evenly. */
function positionsOf(
  table: Table<unknown>,
  former: ReadonlySet<number | undefined>,
): ReadonlyMap<number, number> {
  const positions = new Map<number, number>();
  const places = [...former].filter((place) => place !== undefined).sort((a, b) => a - b);
  if (places.length === 0) return positions;
  const present = [...Array.from(table.keys(), (key) => table.placeOf(key)), undefined];
  let next = 0;
  for (const [position, place = Number.POSITIVE_INFINITY] of present.entries()) {
    const between: number[] = [];
    while (next < places.length && (places[next] as number) < place) {
      between.push(places[next++] as number);
    }
    for (const [at, each] of between.entries()) {
      positions.set(each, position - 1 + (at + 1) / (between.length + 1));
    }
    if (places[next] === place) {
      positions.set(place, position);
      next += 1;
    }
  }
  return positions;
}

/** The values that a history may have: those that calls change. */
const CHANGING_VALUES: ReadonlySet<string> = new Set(['random', 'fault_random']);

/**
 * Loads the history of a World whose other rows are loaded, and which had this number of steps. Throws `InvalidRow`.
 */
export function loadHistory<Holder extends { readonly tables: Tables }>(
  stored: StoredTables<Holder>,
  holder: Holder,
  history: History,
  steps: number,
  rows: readonly unknown[],
): void {
  history.dropped = Math.max(steps - rows.length, 0);
  for (const [position, row] of rows.entries()) {
    const place = `world.history.${position}`;
    const step = readRow({ name: 'history', values: HistoryStep }, place, '', row);
    const notes = (step.value as HistoryStep).rows.map((before, at) =>
      readNote(stored, holder, `${place}.rows.${at}`, before),
    );
    addStep(history, notes);
  }
}

/** Reads a row of a step. Throws `InvalidRow`. */
function readNote<Holder extends { readonly tables: Tables }>(
  stored: StoredTables<Holder>,
  holder: Holder,
  at: string,
  [name, key, value, place]: HistoryStep['rows'][number],
): Note {
  const table = holder.tables.byName.get(name);
  const form = stored.get(name);
  if (!table || !form) throw new InvalidRow(at, `the document: unknown table ${quoted(name)}`);
  const isValue = name === WORLD_TABLES.values;
  if (isValue && (value === null || !CHANGING_VALUES.has(key))) {
    throw new InvalidRow(at, `the document: ${quoted(key)} does not belong into the history`);
  }
  if (value === null) return { table, key, before: undefined, place: undefined };
  const isOrdered = table instanceof KeyedTable && table.isOrdered;
  if (isOrdered && place === null) throw new InvalidRow(at, 'the document: has no place');
  const before = readRow(form, at, key, value).value;
  const refused = form.refuse?.(holder, before, key);
  if (refused !== undefined) throw new InvalidRow(at, refused);
  return { table, key, before, place: isOrdered ? (place ?? undefined) : undefined };
}
