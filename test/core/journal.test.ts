import { describe, expect, test } from 'vitest';
import {
  createJournal,
  type Exchange,
  JOURNAL_CHARACTERS,
  JOURNAL_EXCHANGES,
  type Journal,
  listExchanges,
  recordExchange,
} from '../../src/core/journal.ts';

const exchange = (number: number, body: string | null = null, answer = ''): Exchange => ({
  id: String(number),
  at: 0,
  operation: null,
  method: 'POST',
  path: '/',
  status: 200,
  duration_ms: 0,
  fault: null,
  request: { headers: [], body },
  response: { headers: {}, body: answer },
});

const recorded = (count: number, body: string | null = null): Journal => {
  const journal = createJournal();
  for (let number = 1; number <= count; number++) recordExchange(journal, exchange(number, body));
  return journal;
};

const ids = (journal: Journal) => listExchanges(journal).map(({ id }) => Number(id));
const run = (from: number, to: number) =>
  Array.from({ length: to - from + 1 }, (_, place) => from + place);
/** Every exchange that memory still holds because of the journal. */
const held = (journal: Journal) => journal.exchanges.filter((each) => each !== undefined);

describe('the journal', () => {
  test('lists what was recorded, oldest first', () => {
    expect(ids(createJournal())).toEqual([]);
    expect(ids(recorded(3))).toEqual([1, 2, 3]);
  });

  test.each([0, 1, 500, 999, 1000, 1001, 5000])(
    'keeps the newest 1,000 exchanges, %i after it was full',
    (more) => {
      const journal = recorded(JOURNAL_EXCHANGES + more);
      expect(ids(journal)).toEqual(run(more + 1, JOURNAL_EXCHANGES + more));
      expect(held(journal)).toHaveLength(JOURNAL_EXCHANGES);
      expect(journal.exchanges.length).toBeLessThanOrEqual(2 * JOURNAL_EXCHANGES);
    },
  );

  test('keeps 16 Mi characters of bodies, and lets go of what it no longer lists', () => {
    const journal = recorded(40, 'x'.repeat(JOURNAL_CHARACTERS / 16));
    expect(ids(journal)).toEqual(run(25, 40));
    expect(held(journal)).toHaveLength(16);
    expect(journal.characters).toBe(JOURNAL_CHARACTERS);
  });

  test('counts the bodies of requests and answers alike', () => {
    const journal = createJournal();
    recordExchange(journal, exchange(1, '12345', '678'));
    recordExchange(journal, { ...exchange(2), response: null });
    expect(journal.characters).toBe(8);
  });

  test('keeps the newest exchange, however large it is', () => {
    const journal = recorded(3);
    recordExchange(journal, exchange(4, 'x'.repeat(JOURNAL_CHARACTERS + 1)));
    expect(ids(journal)).toEqual([4]);
    recordExchange(journal, exchange(5));
    expect(ids(journal)).toEqual([5]);
    expect(journal.characters).toBe(0);
  });
});
