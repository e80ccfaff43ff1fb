import { expect, test } from 'vitest';
import { createHistory, entryPointOf, goBack } from '../../src/world/history.ts';
import { createJournal } from '../../src/world/journal.ts';

test('a World that goes back for ever remembers the last times only', () => {
  const history = createHistory();
  for (let time = 0; time < 10_000; time++) goBack(history, { steps: 0, entries: time, events: 0 });
  const { rewinds, rewoundTo } = history;
  expect([rewinds, rewoundTo.length]).toEqual([10_000, 100]);
  const world = { history, journal: createJournal() };
  const arrivedAfter = (times: number) => ({
    steps: 9,
    entries: 20_000,
    events: 0,
    rewinds: times,
  });
  expect(entryPointOf(world, arrivedAfter(9_999))).toEqual({ steps: 0, calls: -9_999, events: 0 });
  expect(entryPointOf(world, arrivedAfter(9_900))).toEqual({ steps: 0, calls: -9_900, events: 0 });
  expect(entryPointOf(world, arrivedAfter(9_899)), 'it ran too long').toBeNull();
});
