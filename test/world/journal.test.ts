import { describe, expect, test } from 'vitest';
import {
  addItem,
  createJournal,
  type Journal,
  MAX_JOURNAL_BYTES,
  MAX_JOURNAL_ENTRIES,
  type StoredEntry,
} from '../../src/world/journal.ts';
import { keptBody } from '../../src/world/json.ts';

const exchange = (number: number, body: string | null = null, answer = ''): StoredEntry => ({
  id: String(number),
  merchant: null,
  journal: createJournal(),
  at: 0,
  operation: null,
  method: 'POST',
  // Only its bodies matter.
  path: '',
  status: 200,
  feedId: 0,
  duration_ms: 0,
  received: null,
  elapsed_ms: null,
  fault: null,
  hint: null,
  assumptions: [],
  problems: [],
  cause: null,
  changes: [],
  before: null,
  key: null,
  redacted: true,
  request: { headers: [], body },
  response: { headers: {}, body: answer },
});

const recorded = (count: number, body: string | null = null): Journal => {
  const journal = createJournal();
  for (let number = 1; number <= count; number++) addItem(journal, exchange(number, body));
  return journal;
};

const ids = (journal: Journal) => journal.items.map(({ id }) => Number(id));
const run = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, place) => from + place);

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
    },
  );

  test('keeps 8 MiB of bodies, and frees dropped entries', () => {
    const journal = recorded(40, 'x'.repeat(MAX_JOURNAL_BYTES / 16));
    expect(ids(journal)).toEqual(run(25, 40));
    expect(journal.bytes).toBe(MAX_JOURNAL_BYTES);
  });

  test('keeps as many bytes as its World allows', () => {
    const journal = createJournal();
    for (let number = 1; number <= 9; number++) addItem(journal, exchange(number, '1234'), 10);
    expect(ids(journal)).toEqual([8, 9]);
  });

  test('keeps the newest entry, however large it is', () => {
    const journal = recorded(3);
    addItem(journal, exchange(4, 'x'.repeat(MAX_JOURNAL_BYTES + 1)));
    expect(ids(journal)).toEqual([4]);
    addItem(journal, exchange(5));
    expect(ids(journal)).toEqual([5]);
    expect(journal.bytes).toBe(0);
  });
});

describe('a body in a journal', () => {
  const whole = 'x'.repeat(1024 * 1024);

  test('is complete up to 1 MiB', () => {
    expect(keptBody(whole)).toBe(whole);
    expect(keptBody(null)).toBeNull();
  });

  test('is the beginning of a larger one, with its size', () => {
    const beginning = 'x'.repeat(64 * 1024);
    expect(keptBody(`${whole}x`)).toBe(`${beginning}… (the beginning of 1,048,577 bytes)`);
    expect(keptBody(`${whole.slice(2)}€`)).toBe(`${beginning}… (the beginning of 1,048,577 bytes)`);
  });
});
