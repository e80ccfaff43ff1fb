/* The memory of a World's history, by heap. */
import { expect, test } from 'vitest';
import { createHistory, keepHistory, MAX_HISTORY_BYTES } from '../../src/world/history.ts';
import { KeyedTable, Tables } from '../../src/world/tables.ts';
import { MIB, memoryUsed } from '../support/memory.ts';

const many = <Item>(count: number, itemOf: (position: number) => Item): Item[] =>
  Array.from({ length: count }, (_, position) => itemOf(position));

const named = (names: readonly string[], value: unknown = 0) =>
  Object.fromEntries(names.map((name) => [name, value]));

const BODIES: readonly [what: string, bodyOf: (step: number) => unknown][] = [
  ['long names', (step) => named(many(10, (at) => `${step}-${at}`.padEnd(60_000, 'x')))],
  ['empty objects', () => ({ list: many(40_000, () => ({})) })],
  ['empty lists', () => ({ list: many(40_000, () => []) })],
  ['numbers', () => ({ list: many(100_000, (at) => at + 0.5) })],
  ['long texts', (step) => ({ text: `${step}`.padEnd(600_000, 'x') })],
  ['texts beyond Latin', (step) => ({ text: `${step}`.padEnd(200_000, 'ł') })],
  ['short texts', (step) => ({ list: many(50_000, (at) => `${step}-${at}`) })],
];

/** A World's faults and its history, which notes each of their changes. */
function createFaults() {
  const tables = new Tables();
  const faults = new KeyedTable<unknown>(tables, 'faults');
  const history = createHistory();
  keepHistory({ tables, history }, MAX_HISTORY_BYTES);
  return { tables, faults, history };
}

test.each(BODIES)('the history of faults with %s keeps to its limit', (_, bodyOf) => {
  const { tables, faults, history } = createFaults();
  const step = (number: number): void => {
    // As a request brings it: nothing in it is shared.
    const rule = JSON.parse(JSON.stringify({ match: { body: bodyOf(number) } }));
    tables.transact(() => faults.put('fault-1', rule));
    tables.transact(() => faults.delete('fault-1'));
  };
  step(0);
  const before = memoryUsed();
  for (let number = 1; number <= 10; number++) step(number);
  expect(memoryUsed() - before).toBeLessThan(MAX_HISTORY_BYTES + MIB);
  expect(history.bytes, 'it is not just empty').toBeGreaterThan(0);
});
