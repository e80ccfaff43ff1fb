import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  addRecord,
  createRecords,
  findRecord,
  lowerBound,
  replaceRecord,
} from '../../src/core/records.ts';

interface Note {
  readonly key: string;
  readonly written: string;
}
const note = (key: string, written = '2026-01-01'): Note => ({ key, written });
const keyOf = ({ key }: Note) => key;

describe('records', () => {
  test('stand in the order they were created, each found by its key', () => {
    const records = createRecords([note('b'), note('a')], keyOf);
    addRecord(records, 'c', note('c'));
    expect(records.list.map(keyOf)).toEqual(['b', 'a', 'c']);
    expect(['a', 'b', 'c', 'd'].map((key) => findRecord(records, key)?.key)).toEqual([
      'a',
      'b',
      'c',
      undefined,
    ]);
  });

  test('do not grow into the list they were made from', () => {
    const given = [note('a')];
    addRecord(createRecords(given, keyOf), 'b', note('b'));
    expect(given).toEqual([note('a')]);
  });

  test('are changed by a new record in the place of the old one, which stays as it was', () => {
    const [first, second] = [note('a', 'before'), note('b')];
    const records = createRecords([first, second], keyOf);
    replaceRecord(records, 'a', note('a', 'after'));
    expect(records.list).toEqual([note('a', 'after'), second]);
    expect(findRecord(records, 'a')).toEqual(note('a', 'after'));
    expect(first.written).toBe('before');
  });

  test('that are not there can not be replaced', () => {
    expect(() => replaceRecord(createRecords<Note>([], keyOf), 'a', note('a'))).toThrow(
      'No record a to replace',
    );
  });
});

describe('the binary search', () => {
  test('finds what a filter would, whatever the bound and however many are alike', () => {
    const text = fc.integer({ min: 0, max: 20 }).map((number) => String(number).padStart(2, '0'));
    fc.assert(
      fc.property(fc.array(text), text, (texts, bound) => {
        const sorted = texts.toSorted();
        const records = createRecords(sorted, String);
        expect(lowerBound(records, bound, String)).toBe(
          sorted.filter((each) => each < bound).length,
        );
      }),
    );
  });

  test('looks at few of many records', () => {
    const many = Array.from({ length: 100_000 }, (_, position) =>
      String(position).padStart(6, '0'),
    );
    const records = createRecords(many, String);
    let looks = 0;
    const found = lowerBound(records, '077777', (each) => {
      looks += 1;
      return each;
    });
    expect(found).toBe(77_777);
    expect(looks).toBeLessThan(20);
  });
});
