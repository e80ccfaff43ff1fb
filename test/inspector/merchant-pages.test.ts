import { describe, expect, test } from 'vitest';
import { findOnPages } from '../../src/ui/inspector/client/merchants.ts';
import type { LoadedMerchant } from '../../src/ui/inspector/client/store.ts';

/** A list of merchants in pages of ten, which records the pages that are read. */
function listing(ids: readonly number[]) {
  const asked: number[] = [];
  const read = async (page: number) => {
    asked.push(page);
    return ids.slice((page - 1) * 10, page * 10).map((id) => ({ id }) as LoadedMerchant);
  };
  return { asked, find: (id: number) => findOnPages(id, 10, read) };
}

const upTo = (last: number) => Array.from({ length: last }, (_, index) => index + 1);

describe('the search for the page of a merchant', () => {
  test('reads one page if no merchant was removed', async () => {
    const { asked, find } = listing(upTo(1000));
    for (const id of [1, 10, 11, 1000]) expect(await find(id)).toBe(true);
    expect(asked).toEqual([1, 1, 2, 100]);
  });

  test('reads few pages if some merchants were removed', async () => {
    const ids = upTo(1000).filter((id) => id % 3 !== 0);
    const { asked, find } = listing(ids);
    for (const id of ids) expect(await find(id), `${id}`).toBe(true);
    expect(asked.length / ids.length).toBeLessThan(8);
  });

  test('returns false for an unknown id', async () => {
    const { find } = listing(upTo(95).filter((id) => id !== 40));
    for (const id of [40, 96, 999_999_999_999_999]) expect(await find(id)).toBe(false);
    expect(await listing([]).find(1)).toBe(false);
  });
});
