/* The history of a World in its snapshot: writes it, and reads and checks it. */

import { unknownOperation } from '../control/fields.ts';
import { lineOf } from '../products/fixtures.ts';
import { anyFamilies, stateOf, type World } from '../products/world.ts';
import type { FaultRule } from '../public.ts';
import { addStep, countSteps, listSteps } from '../world/history.ts';
import { listEntries } from '../world/journal.ts';
import { quoted } from '../world/printable.ts';
import { KeyedTable, type Note, RecordTable, type Table } from '../world/tables.ts';
import { WORLD_TABLES } from '../world/world.ts';
import { knownTo, ruleProblems, type WorldLimits } from './check-world.ts';
import { type HistoryRow, placed, readRow, SAVED_VALUES, SNAPSHOT_TABLES } from './rows.ts';

/**
 * The steps of a World, with their numbers. What has expired since the last transaction is a step of its own, which
 * every later step follows.
 */
export function stepsNow({ history, tables }: World): ReturnType<typeof listSteps> {
  const { unsettled } = tables;
  const steps = listSteps(history);
  return unsettled.length === 0 ? steps : [...steps, [countSteps(history), unsettled]];
}

/** The rows of these steps of a World. Places count the rows that the World has now. */
export function historyRows({ tables }: World, steps: ReturnType<typeof stepsNow>): HistoryRow[] {
  const notes = steps.flatMap(([, step]) => step);
  const positions = new Map<Table<unknown>, ReadonlyMap<number, number>>();
  for (const table of tables.byName.values()) {
    const ofTable = notes.filter((note) => note.table === table);
    positions.set(table, positionsOf(table, new Set(ofTable.map(({ place }) => place))));
  }
  return steps.map(([id, step]) => ({
    id,
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
 * Loads the history of a World whose other rows are loaded. Yields problems, one line each with its place, and
 * undefined after a part without one.
 *
 * @param rows undefined in a snapshot without history
 */
export function* loadHistory(
  world: World,
  limits: WorldLimits,
  rows: readonly unknown[] | undefined,
  hasSteps: boolean,
): Generator<string | undefined, void> {
  const { history } = world;
  const steps = history.dropped;
  const entries = listEntries(world.journal);
  if (!hasSteps) {
    if (rows && rows.length > 0) yield `${WORLD_TABLES.values}.${SAVED_VALUES.steps}: is missing`;
    // No entry is from after this moment.
    history.dropped = Math.max(0, ...entries.map(({ before }) => (before ? before.steps + 1 : 0)));
    return;
  }
  for (const [position, { before }] of entries.entries()) {
    if (before && before.steps > steps) {
      yield `journal.${position}.before.steps: expected at most ${steps}, got ${before.steps}`;
    }
  }
  const read: (readonly Note[])[] = [];
  history.dropped = Math.max(steps - (rows?.length ?? 0), 0);
  for (const [position, row] of (rows ?? []).entries()) {
    const place = `${SNAPSHOT_TABLES.history}.${position}`;
    const reading = readRow(SNAPSHOT_TABLES.history, undefined, row);
    if ('problems' in reading) {
      for (const line of reading.problems) yield placed(place, line);
      continue;
    }
    const { id, rows: before } = reading.value as HistoryRow;
    const expected = steps - (rows?.length ?? 0) + position;
    if (id !== expected) yield `${place}.id: expected ${expected}, got ${id}`;
    const notes: Note[] = [];
    for (const [each, row] of before.entries()) {
      const found = readNote(world, limits, row);
      if (typeof found === 'string') yield placed(`${place}.rows.${each}`, found);
      else notes.push(found);
    }
    read.push(notes);
    yield;
  }
  yield* checkOrder(read);
  for (const notes of read) addStep(history, notes);
}

/** Reads a row of a step, or says what is wrong with it. */
function readNote(
  world: World,
  limits: WorldLimits,
  [name, key, value, place]: HistoryRow['rows'][number],
): Note | string {
  const table = world.tables.byName.get(name);
  if (!table) return `the document: unknown table ${quoted(name)}`;
  const isKnown = name !== WORLD_TABLES.values || CHANGING_VALUES.has(key);
  if (!isKnown || (value === null && name === WORLD_TABLES.values)) {
    return `the document: ${quoted(key)} does not belong into the history`;
  }
  const isOrdered = table instanceof KeyedTable && table.isOrdered;
  if (isOrdered && value !== null && place === null) return 'the document: has no place';
  if (value === null) return { table, key, before: undefined, place: undefined };
  const reading = readRow(name, key, value);
  if ('problems' in reading) return reading.problems[0] as string;
  const problem = problemOfRow(world, limits, table, reading.value);
  if (problem !== undefined) return problem;
  return { table, key, before: reading.value, place: isOrdered ? (place ?? undefined) : undefined };
}

/** What is wrong with a former row as a part of this World. */
function problemOfRow(
  world: World,
  limits: WorldLimits,
  table: Table<unknown>,
  value: unknown,
): string | undefined {
  if (table === (world.faults as Table<unknown>)) {
    const rule = value as FaultRule;
    const [refused] = ruleProblems(rule, limits);
    return unknownOperation(rule.match.operation, 'match.operation') ?? refused;
  }
  for (const family of anyFamilies) {
    const { policyList } = family;
    const state = stateOf(world, family);
    if (table === (family.policiesOf(state) as Table<unknown>)) {
      for (const problem of family.validateRecords(
        { [policyList]: [value] },
        knownTo(family, world),
      )) {
        if (problem) return lineOf(problem).replace(`${policyList}.0.`, '');
      }
    }
    if (table === (state.tokens.pending as Table<unknown>)) {
      const { product_id: product } = (value as { details: { product_id: number } }).details;
      if (!world.products.has(product)) {
        return `details.product_id: product ${product} is not in the catalogue`;
      }
    }
  }
  return undefined;
}

/** Records can only leave in the opposite order in which they came. */
function* checkOrder(steps: readonly (readonly Note[])[]): Generator<string | undefined, void> {
  const lengths = new Map<RecordTable<unknown>, number>();
  for (const [position, notes] of [...steps.entries()].reverse()) {
    for (const [each, { table, key, before }] of [...notes.entries()].reverse()) {
      if (!(table instanceof RecordTable)) continue;
      const length = lengths.get(table) ?? table.size;
      const at = table.positionOf(key) ?? length;
      const isRight = before === undefined ? at === length - 1 : at < length;
      if (!isRight) {
        yield `${SNAPSHOT_TABLES.history}.${position}.rows.${each}: ${quoted(key)} is not the record that was there; leave the history out of an edited snapshot`;
        return;
      }
      if (before === undefined) lengths.set(table, length - 1);
    }
  }
}
