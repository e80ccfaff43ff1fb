import { describe, expect, test } from 'vitest';
import {
  addEntry,
  clearEntries,
  createJournal,
  type Journal,
  listEntries,
  MAX_JOURNAL_BYTES,
  MAX_JOURNAL_ENTRIES,
  newestFirst,
  type StoredEntry,
} from '../../src/world/journal.ts';
import { keptBody } from '../../src/world/json.ts';

const exchange = (number: number, body: string | null = null, answer = ''): StoredEntry => ({
  id: String(number),
  at: 0,
  operation: null,
  method: 'POST',
  // Nothing of it counts but its bodies.
  path: '',
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

  test('keeps 16 MiB of bodies, and lets go of what it no longer lists', () => {
    const journal = recorded(40, 'x'.repeat(MAX_JOURNAL_BYTES / 16));
    expect(ids(journal)).toEqual(run(25, 40));
    expect(held(journal)).toHaveLength(16);
    expect(journal.bytes).toBe(MAX_JOURNAL_BYTES);
  });

  test('tells what it let go to make room, oldest first', () => {
    const journal = recorded(MAX_JOURNAL_ENTRIES - 1);
    const add = (entry: StoredEntry) => addEntry(journal, entry).map(({ id }) => Number(id));
    expect(add(exchange(1000))).toEqual([]);
    expect(add(exchange(1001))).toEqual([1]);
    expect(add(exchange(1002, 'x'.repeat(MAX_JOURNAL_BYTES + 1)))).toEqual(run(2, 1001));
  });

  test('counts the bodies of requests and answers alike', () => {
    const journal = createJournal();
    addEntry(journal, exchange(1, '12345', '678'));
    addEntry(journal, { ...exchange(2), response: null });
    expect(journal.bytes).toBe(8);
  });

  test('counts bytes, not characters, and what a fault answered in the place of the service', () => {
    const journal = createJournal();
    addEntry(journal, exchange(1, 'ẹ', '€\u{1f600}'));
    expect(journal.bytes).toBe(3 + 3 + 4);
    const effect = { kind: 'respond', status: 204, body: 'four' } as const;
    const fault = { id: null, stage: 'before', effect } as const;
    addEntry(journal, { ...exchange(2), fault });
    expect(journal.bytes).toBe(10 + '"four"'.length);
  });

  test('counts what else was sent', () => {
    const journal = createJournal();
    const [path, headers] = ['/?four', ['a', 'bc']];
    addEntry(journal, { ...exchange(1), path, request: { headers, body: null } });
    expect(journal.bytes).toBe(6 + 3);
    const request = { headers: new Headers({ a: 'bc' }), body: null };
    addEntry(journal, { ...exchange(2), request });
    expect(journal.bytes).toBe(6 + 3 + 3);
  });

  test('keeps as much as its World has room for', () => {
    const journal = createJournal();
    for (let number = 1; number <= 9; number++) addEntry(journal, exchange(number, '1234'), 10);
    expect(ids(journal)).toEqual([8, 9]);
  });

  test('keeps the newest exchange, however large it is', () => {
    const journal = recorded(3);
    addEntry(journal, exchange(4, 'x'.repeat(MAX_JOURNAL_BYTES + 1)));
    expect(ids(journal)).toEqual([4]);
    addEntry(journal, exchange(5));
    expect(ids(journal)).toEqual([5]);
    expect(journal.bytes).toBe(0);
  });
});

describe('whoever reads a journal slowly', () => {
  test('finds the entries newest first, without those that the journal lets go meanwhile', () => {
    const journal = recorded(MAX_JOURNAL_ENTRIES);
    const slow = newestFirst(journal);
    const read = (count: number) =>
      Array.from({ length: count }, () => Number(slow.next().value?.id));
    expect(read(3)).toEqual([1000, 999, 998]);
    for (let number = 1001; number <= 1990; number++) addEntry(journal, exchange(number));
    expect([...slow].map(({ id }) => Number(id))).toEqual([997, 996, 995, 994, 993, 992, 991]);
  });

  test('finds nothing more of a journal that was cleared, whatever it records then', () => {
    const journal = recorded(10);
    const slow = newestFirst(journal);
    expect(slow.next().value?.id).toBe('10');
    clearEntries(journal);
    for (let number = 11; number <= 30; number++) addEntry(journal, exchange(number));
    expect([...slow]).toEqual([]);
    expect(ids(journal)).toEqual(run(11, 30));
  });
});

describe('a body that a journal keeps', () => {
  const whole = 'x'.repeat(4 * 1024 * 1024);

  test('is whole up to 4 MiB', () => {
    expect(keptBody(whole)).toBe(whole);
    const pieces = [whole.slice(1), 'x'];
    expect(keptBody(pieces)).toBe(pieces);
    expect(keptBody(null)).toBeNull();
  });

  test('is the beginning of a larger one, which says how much there was', () => {
    const beginning = 'x'.repeat(64 * 1024);
    expect(keptBody([whole, 'x'])).toBe(`${beginning}… (the beginning of 4,194,305 bytes)`);
    expect(keptBody(`${whole.slice(2)}€`)).toBe(`${beginning}… (the beginning of 4,194,305 bytes)`);
  });
});
