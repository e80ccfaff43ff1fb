import { describe, expect, test } from 'vitest';
import type { MerchantState } from '../../src/control/merchants.ts';
import { findOnPages, mergePage } from '../../src/ui/inspector/client/merchants.ts';

const merchants = (...ids: number[]): MerchantState[] => ids.map((id) => ({ id }) as MerchantState);
const idsOf = (list: readonly MerchantState[]) => list.map(({ id }) => id);
const upTo = (last: number, ...removed: number[]) =>
  merchants(...Array.from({ length: last }, (_, index) => index + 1)).filter(
    ({ id }) => !removed.includes(id),
  );

/** A sandbox that lists ten at a time, and the pages that were asked for. */
function listing(all: readonly MerchantState[]) {
  const asked: number[] = [];
  const read = async (page: number) => {
    asked.push(page);
    return all.slice((page - 1) * 10, page * 10);
  };
  return { asked, find: (id: number) => findOnPages(id, 10, read) };
}

describe('a merchant is found on the pages', () => {
  test('at the first look where none was removed', async () => {
    const { asked, find } = listing(upTo(1000));
    expect([await find(1), await find(10), await find(11), await find(1000)]).toEqual([
      ...[true, true, true, true],
    ]);
    expect(asked).toEqual([1, 1, 2, 100]);
  });

  test('by halves where some were', async () => {
    const all = upTo(1000).filter(({ id }) => id % 3 !== 0);
    const { asked, find } = listing(all);
    for (const { id } of all) expect(await find(id), `${id}`).toBe(true);
    expect(asked.length / all.length).toBeLessThan(8);
  });

  test('unless there is none of that id', async () => {
    const { find } = listing(upTo(95, 40));
    expect([await find(40), await find(96), await find(999_999_999_999_999)]).toEqual([
      ...[false, false, false],
    ]);
    expect(await listing([]).find(1)).toBe(false);
  });
});

describe('a page that was read takes its place among the merchants that are known', () => {
  const within = { isFirst: false, isLast: false };

  test('beside those of other pages, in the order of ids', () => {
    const known = merchants(1, 2, 47);
    expect(idsOf(mergePage(known, merchants(20, 21), within))).toEqual([1, 2, 20, 21, 47]);
  });

  test('and whoever it no longer has is gone', () => {
    const known = merchants(1, 2, 3, 4, 5, 9);
    expect(idsOf(mergePage(known, merchants(3, 5), within))).toEqual([1, 2, 3, 5, 9]);
    expect(idsOf(mergePage(known, merchants(2, 3), { ...within, isFirst: true }))).toEqual([
      ...[2, 3, 4, 5, 9],
    ]);
    expect(idsOf(mergePage(known, merchants(4), { ...within, isLast: true }))).toEqual([
      ...[1, 2, 3, 4],
    ]);
    expect(mergePage(known, [], { isFirst: true, isLast: true })).toEqual([]);
  });

  test('with what is new of each, and an empty one after the last changes nothing', () => {
    const [renamed] = merchants(2);
    const known = [...merchants(1), { ...renamed, name: 'Before' } as MerchantState];
    expect(mergePage(known, merchants(2), within)).toEqual(merchants(1, 2));
    expect(mergePage(known, [], { isFirst: false, isLast: true })).toEqual(known);
  });
});
