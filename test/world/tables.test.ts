import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  type Change,
  KeyedTable,
  NotStoredError,
  RecordTable,
  rowsOf,
  Tables,
} from '../../src/world/tables.ts';

interface Note {
  readonly key: string;
  readonly written: string;
}
const note = (key: string, written = '2026-01-01'): Note => ({ key, written });

/** Tables of notes, and their recorded changes. */
function createTables() {
  const tables = new Tables();
  const notes = new KeyedTable<Note>(tables, 'notes', {
    other: ({ written }) => written,
    orderOf: ({ key }) => key.charCodeAt(0),
  });
  const records = new RecordTable<Note>(tables, 'records', { keyOf: ({ key }) => key });
  const recorded: (readonly Change[])[] = [];
  tables.recorder = (changes) => void recorded.push(changes);
  return { tables, notes, records, recorded };
}

const fail = (): never => {
  throw new Error('refused');
};

describe('a table', () => {
  test('keeps the order in which its keys were first put', () => {
    const { notes } = createTables();
    for (const key of ['b', 'a', 'c']) notes.put(key, note(key));
    notes.put('b', note('b', 'later'));
    notes.delete('a');
    expect([...notes.keys()]).toEqual(['b', 'c']);
    expect([...notes.values()]).toEqual([note('b', 'later'), note('c')]);
    expect([notes.size, notes.get('a'), notes.has('c')]).toEqual([2, undefined, true]);
  });

  test('finds a value by its second key after every change', () => {
    const { tables, notes } = createTables();
    notes.put('a', note('a', 'monday'));
    expect([notes.hasOther('monday'), notes.hasOther('tuesday')]).toEqual([true, false]);
    notes.put('a', note('a', 'tuesday'));
    expect([notes.hasOther('monday'), notes.hasOther('tuesday')]).toEqual([false, true]);
    expect(() =>
      tables.transact(() => {
        notes.delete('a');
        fail();
      }),
    ).toThrow('refused');
    expect(notes.hasOther('tuesday')).toBe(true);
    notes.delete('a');
    expect(notes.hasOther('tuesday')).toBe(false);
  });

  test('of records keeps their order and finds them by key', () => {
    const { records } = createTables();
    const given = [note('b'), note('a')];
    records.loadAll(given);
    records.add(note('c'));
    records.put('a', note('a', 'later'));
    expect(records.list).toEqual([note('b'), note('a', 'later'), note('c')]);
    expect(['a', 'b', 'c', 'd'].map((key) => records.get(key))).toEqual([
      note('a', 'later'),
      note('b'),
      note('c'),
      undefined,
    ]);
    expect(records.size).toBe(3);
    expect(given).toEqual([note('b'), note('a')]);
  });
});

describe('a transaction', () => {
  test('that fails restores every table and its order', () => {
    const { tables, notes, records } = createTables();
    for (const key of ['a', 'b', 'c']) notes.put(key, note(key, key));
    records.loadAll([note('a'), note('b')]);
    const before = JSON.stringify([...rowsOf(tables)]);
    expect(() =>
      tables.transact(() => {
        notes.delete('b');
        notes.put('d', note('d', 'd'));
        notes.put('a', note('a', 'other'));
        notes.put('b', note('b', 'again'));
        notes.delete('c');
        records.put('a', note('a', 'other'));
        records.add(note('c'));
        records.add(note('d'));
        fail();
      }),
    ).toThrow('refused');
    expect(JSON.stringify([...rowsOf(tables)])).toBe(before);
    expect([notes.size, records.size]).toEqual([3, 2]);
  });

  test('that cannot be recorded restores every table', () => {
    const { tables, notes } = createTables();
    notes.put('a', note('a'));
    tables.recorder = () => {
      throw new NotStoredError('The disk is full.');
    };
    expect(() => tables.transact(() => notes.delete('a'))).toThrow('The disk is full.');
    expect([...notes.keys()]).toEqual(['a']);
  });

  test('is recorded once, with the final value of each row', () => {
    const { tables, notes, recorded } = createTables();
    const result = tables.transact(() => {
      notes.put('a', note('a', 'first'));
      notes.put('b', note('b'));
      notes.put('a', note('a', 'second'));
      notes.delete('b');
      return notes.size;
    });
    expect(result).toBe(1);
    expect(recorded).toEqual([
      [
        ['notes', 'a', note('a', 'second')],
        ['notes', 'b', null],
      ],
    ]);
  });

  test('inside another one is part of it', () => {
    const { tables, notes, recorded } = createTables();
    expect(() =>
      tables.transact(() => {
        tables.transact(() => notes.put('a', note('a')));
        fail();
      }),
    ).toThrow('refused');
    expect([notes.size, recorded]).toEqual([0, []]);
  });
});

describe('the binary search', () => {
  const recordsOf = (texts: readonly string[]) => {
    const keys = { keyOf: (text: string) => text };
    const records = new RecordTable<string>(new Tables(), 'texts', keys);
    // A unique key for each, because equal texts are separate records here.
    for (const [position, text] of texts.entries()) records.put(`${position}`, text);
    return records;
  };

  test('finds what a filter finds, for any bound and any repetitions', () => {
    const text = fc.integer({ min: 0, max: 20 }).map((number) => String(number).padStart(2, '0'));
    fc.assert(
      fc.property(fc.array(text), text, (texts, bound) => {
        const sorted = texts.toSorted();
        expect(recordsOf(sorted).lowerBound(bound, String)).toBe(
          sorted.filter((each) => each < bound).length,
        );
      }),
    );
  });
});
