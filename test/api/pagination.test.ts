import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type PageRequest, pageOf, paginate } from '../../src/api/pagination.ts';
import { id } from '../../src/api/response-fields.ts';
import { PUBLISHED, type Settings } from '../../src/world/settings.ts';

const ADDRESS = 'http://sandbox/list';

const numbers = (count: number) => Array.from({ length: count }, (_, place) => place + 1);

/** One page of the numbers from 1 to `count`. */
function page(
  count: number,
  request: PageRequest = {},
  { settings = {}, kept = {}, selection = { start: 0, end: count } } = {} as {
    settings?: Settings;
    kept?: Record<string, string | undefined>;
    selection?: { start: number; end: number };
  },
) {
  const context = { address: ADDRESS, settings, kept };
  return paginate(numbers(count), selection, request, context, (number) => number);
}

describe('a page', () => {
  test('has its position and the URLs of other pages', () => {
    expect(page(32, { page: '2' })).toEqual({
      current_page: 2,
      data: numbers(32).slice(15, 30),
      first_page_url: 'http://sandbox/list?page=1',
      last_page_url: 'http://sandbox/list?page=3',
      next_page_url: 'http://sandbox/list?page=3',
      prev_page_url: 'http://sandbox/list?page=1',
      path: 'http://sandbox/list',
      from: 16,
      to: 30,
      last_page: 3,
      total: 32,
      per_page: 15,
    });
  });

  test('has no previous page if it is the first and no next page if it is the last', () => {
    expect(page(32)).toMatchObject({ current_page: 1, prev_page_url: null, from: 1, to: 15 });
    const last = page(32, { page: '3' });
    expect(last).toMatchObject({ data: [31, 32], next_page_url: null, from: 31, to: 32 });
  });

  test('past the end is empty and links to the page before it', () => {
    expect(page(32, { page: '9' })).toMatchObject({
      current_page: 9,
      data: [],
      from: null,
      to: null,
      last_page: 3,
      next_page_url: null,
      prev_page_url: 'http://sandbox/list?page=8',
      total: 32,
    });
  });

  test.each(['0', 'abc', '-1', '1.5', '1e3', ' ', '', '+2', '00'])(
    'is the first for the page number "%s"',
    (asked) => {
      expect(page(32, { page: asked })).toEqual(page(32));
    },
  );

  test('of an empty list is the only page', () => {
    expect(page(0)).toMatchObject({
      current_page: 1,
      data: [],
      from: null,
      to: null,
      last_page: 1,
      total: 0,
      next_page_url: null,
      prev_page_url: null,
      last_page_url: 'http://sandbox/list?page=1',
    });
  });

  test('has 15 items unless the request or the profile sets another size', () => {
    expect(page(200).data).toHaveLength(15);
    expect(page(200, {}, { settings: { 'list-selection': { per_page: 20 } } }).data).toHaveLength(
      20,
    );
    expect(
      page(200, { per_page: '100' }, { settings: { 'list-selection': { per_page: 20 } } }).data,
    ).toHaveLength(100);
  });

  test('keeps per_page and the filters in its URLs', () => {
    const kept = { period: undefined, start_date: '2026-01-01', end_date: 'a b&c' };
    expect(page(10, { per_page: '5' }, { kept }).next_page_url).toBe(
      'http://sandbox/list?start_date=2026-01-01&end_date=a%20b%26c&per_page=5&page=2',
    );
  });

  test('starts with the newest item if the profile says so', () => {
    const newest = { settings: { 'list-order': 'newest-first' } } as const;
    expect(page(32, {}, newest).data.slice(0, 2)).toEqual([32, 31]);
    expect(page(32, { page: '3' }, newest).data).toEqual([2, 1]);
    expect(page(32, {}, { ...newest, selection: { start: 4, end: 7 } }).data).toEqual([7, 6, 5]);
  });
});

test('consecutive pages add up to the list in either order, and each matches its schema', () => {
  const cases = fc.record({
    count: fc.nat({ max: 120 }),
    perPage: fc.integer({ min: 1, max: 100 }),
    start: fc.nat({ max: 120 }),
    listOrder: fc.constantFrom('oldest-first', 'newest-first'),
  });
  const form = pageOf(PUBLISHED, id());
  fc.assert(
    fc.property(cases, ({ count, perPage, start, listOrder }) => {
      const selection = { start: Math.min(start, count), end: count };
      const seen: number[] = [];
      let asked: string | null = '1';
      while (asked !== null) {
        const got = page(
          count,
          { page: asked, per_page: String(perPage) },
          { settings: { 'list-order': listOrder }, selection },
        );
        expect(form.parse(got)).toEqual(got);
        if (got.from !== null) expect(got.from).toBe(seen.length + 1);
        seen.push(...got.data);
        if (got.to !== null) expect(got.to).toBe(seen.length);
        asked = got.next_page_url && new URL(got.next_page_url).searchParams.get('page');
      }
      const whole = numbers(count).slice(selection.start);
      expect(seen).toEqual(listOrder === 'newest-first' ? whole.toReversed() : whole);
    }),
  );
});
