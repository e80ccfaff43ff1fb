import { describe, expect, test } from 'vitest';
import type { MerchantState } from '../../src/control/merchants.ts';
import { findOnPages } from '../../src/ui/inspector/client/merchants.ts';

const merchants = (...ids: number[]): MerchantState[] => ids.map((id) => ({ id }) as MerchantState);
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
