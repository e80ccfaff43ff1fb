import { describe, expect, test } from 'vitest';
import {
  addEntry,
  createJournal,
  type Journal,
  listEntries,
  MAX_JOURNAL_CHARACTERS,
  MAX_JOURNAL_ENTRIES,
  type StoredEntry,
} from '../../src/core/journal.ts';

const exchange = (number: number, body: string | null = null, answer = ''): StoredEntry => ({
  id: String(number),
  at: 0,
  operation: null,
  method: 'POST',
  path: '/',
  status: 200,
  feedId: 0,
  duration_ms: 0,
  fault: null,
  key: null,
  redacted: true,
  request: { headers: [], body },
  response: { headers: {}, body: answer },
});

const recorded = (count: number, body: string | null = null): Journal => {
  const journal = createJournal();
  for (let number = 1; number <= count; number++) addEntry(journal, exchange(number, body));
  return journal;
};

const ids = (journal: Journal) => listEntries(journal).map(({ id }) => Number(id));
const run = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, place) => from + place);
/** Every exchange that memory still holds because of the journal. */
const held = (journal: Journal) => journal.entries.filter((each) => each !== undefined);

describe('the journal', () => {
  test('lists what was recorded, oldest first', () => {
    expect(ids(createJournal())).toEqual([]);
    expect(ids(recorded(3))).toEqual([1, 2, 3]);
  });

  test.each([0, 1, 500, 999, 1000, 1001, 5000])(
    'keeps the newest 1,000 exchanges, %i after it was full',
    (more) => {
      const journal = recorded(MAX_JOURNAL_ENTRIES + more);
      expect(ids(journal)).toEqual(run(more + 1, MAX_JOURNAL_ENTRIES + more));
      expect(held(journal)).toHaveLength(MAX_JOURNAL_ENTRIES);
      expect(journal.entries.length).toBeLessThanOrEqual(2 * MAX_JOURNAL_ENTRIES);
    },
  );

  test('keeps 16 Mi characters of bodies, and lets go of what it no longer lists', () => {
    const journal = recorded(40, 'x'.repeat(MAX_JOURNAL_CHARACTERS / 16));
    expect(ids(journal)).toEqual(run(25, 40));
    expect(held(journal)).toHaveLength(16);
    expect(journal.characters).toBe(MAX_JOURNAL_CHARACTERS);
  });

  test('tells what it let go to make room, oldest first', () => {
    const journal = recorded(MAX_JOURNAL_ENTRIES - 1);
    const add = (entry: StoredEntry) => addEntry(journal, entry).map(({ id }) => Number(id));
    expect(add(exchange(1000))).toEqual([]);
    expect(add(exchange(1001))).toEqual([1]);
    expect(add(exchange(1002, 'x'.repeat(MAX_JOURNAL_CHARACTERS + 1)))).toEqual(run(2, 1001));
  });

  test('counts the bodies of requests and answers alike', () => {
    const journal = createJournal();
    addEntry(journal, exchange(1, '12345', '678'));
    addEntry(journal, { ...exchange(2), response: null });
    expect(journal.characters).toBe(8);
  });

  test('keeps the newest exchange, however large it is', () => {
    const journal = recorded(3);
    addEntry(journal, exchange(4, 'x'.repeat(MAX_JOURNAL_CHARACTERS + 1)));
    expect(ids(journal)).toEqual([4]);
    addEntry(journal, exchange(5));
    expect(ids(journal)).toEqual([5]);
    expect(journal.characters).toBe(0);
  });
});
