/* The history of a World at rest: a row for each step, with the rows before it. */

import { z } from '@hono/zod-openapi';
import { addStep, type History } from '../world/history.ts';
import { nextItemNumber } from '../world/newest.ts';
import { quoted } from '../world/printable.ts';
import type { Note, Tables } from '../world/tables.ts';
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
  nextItemNumber(history) + Number(tables.unsettled.length > 0);

/** The steps of a World, oldest first. */
export function historySteps({ tables, history }: Remembering): HistoryStep[] {
  const { unsettled } = tables;
  const steps = unsettled.length > 0 ? [...history.items, unsettled] : history.items;
  return steps.map((step, position) => ({
    id: history.dropped + position,
    rows: step.map(({ table, key, before }) => [table.name, key, before ?? null]),
  }));
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
  [name, key, value]: HistoryStep['rows'][number],
): Note {
  const table = holder.tables.byName.get(name);
  const form = stored.get(name);
  if (!table || !form) throw new InvalidRow(at, { message: `unknown table ${quoted(name)}` });
  const isValue = name === WORLD_TABLES.values;
  if (isValue && (value === null || !CHANGING_VALUES.has(key))) {
    throw new InvalidRow(at, { message: `${quoted(key)} does not belong into the history` });
  }
  if (value === null) return { table, key, before: undefined };
  const before = readRow(form, at, key, value).value;
  const refused = form.refuse?.(holder, before, key);
  if (refused !== undefined) throw new InvalidRow(at, refused);
  return { table, key, before };
}
