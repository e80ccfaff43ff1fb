/* "Endpoints": the lists, their pages and what selects their items; "Limits": the size of a page. */

import { counted } from '../../../world/grouped.ts';
import type { Answer } from '../answer.ts';
import { call, type ProbeCall } from '../call.ts';
import { families } from '../calls/index.ts';
import { microHealth } from '../calls/micro-health.ts';
import { type FamilyCalls, findListed } from '../calls/shared.ts';
import { ofEach, probe, probesAbout } from '../probe.ts';
import { all, type ProbeReading, unknown } from '../reading.ts';
import { refuses } from '../statements.ts';
import { type Fields, isSame } from '../values.ts';

const { list: healthList, second: healthSecond } = microHealth;

/** A list with a query, once the list without one was accepted. */
const listOf = ({ list }: FamilyCalls, query: Fields, more: object = {}) => ({
  ...call(list.operation, '', { needs: [list], ...more }, () => query),
  changed: Object.keys(query),
});
const health = (query: Fields) => listOf(microHealth, query);

/** Selections that are refused, by what is wrong. */
const WRONG = Object.entries({
  'per_page of 0': { per_page: 0 },
  'per_page above 100': { per_page: 101 },
  'an unknown period': { period: 'decade' },
  'a period with dates': { period: 'day', start_date: '2024-01-01' },
  'an end before the start': { start_date: '2024-02-01', end_date: '2024-01-01' },
  'a date that does not exist': { start_date: '2024-02-30' },
}).map(([what, query]) => ({
  what,
  selection: listOf(microHealth, query, { refusal: 'invalid' }),
}));

/** The families with pages, and the calls for them. */
const paged = families
  .filter(({ isPaged }) => isPaged)
  .map((family) => {
    const { list, second } = family;
    const one = listOf(family, { per_page: 1 }, { needs: [second, list] });
    return {
      ...family,
      one,
      next: call(list.operation, 'at next_page_url', {
        needs: [one],
        url: (page) => page.get('data.next_page_url'),
      }),
      zero: listOf(family, { page: 0, per_page: 1 }),
      beyond: listOf(family, { page: 9999, per_page: 100 }),
      empty: listOf(family, { per_page: 0 }, { refusal: 'invalid' }),
    };
  });

export const wrongSelections: readonly ProbeCall[] = [
  ...WRONG.map(({ selection }) => selection),
  ...paged.slice(1).map(({ empty }) => empty),
];

/** That a page has so many items. */
const hasItems = (page: Answer, expected: number): ProbeReading => {
  const seen = page.list?.length;
  if (seen === undefined) return unknown('the list has another form');
  return page.holds(seen === expected, counted(expected, 'item'), counted(seen, 'item'));
};

/** A page without items. */
const isEmptyPage = (page: Answer): ProbeReading =>
  all(hasItems(page, 0), page.shows({ from: null, to: null, next_page_url: null }));

/** That a page counts its items, its pages and the total. */
function readPage(page: Answer): ProbeReading {
  const [current, per, total] = ['current_page', 'per_page', 'total'].map((field) =>
    Number(page.get(`data.${field}`)),
  ) as [number, number, number];
  if (Number.isNaN(current + per + total)) return unknown('the page has no numbers to compare');
  const items = Math.min(per, total);
  const first = (current - 1) * per + 1;
  const last_page = Math.max(1, Math.ceil(total / per));
  const range = items === 0 ? { from: null, to: null } : { from: first, to: first + items - 1 };
  return all(hasItems(page, items), page.shows({ ...range, last_page }));
}

/** That the URLs of the first page are absolute, and lead to the pages that they name. */
function readLinks(page: Answer): ProbeReading {
  const data = page.get('data') as Fields;
  const linked = Object.entries({
    first_page_url: 1,
    last_page_url: data.last_page,
    next_page_url: Number(data.current_page) + 1,
  });
  return all(
    page.shows({ prev_page_url: null }),
    ...linked.map(([field, number]) => {
      const url = data[field];
      if (typeof url !== 'string') return unknown('there is no such page');
      const [path, query] = url.split('?', 2);
      const leadsTo = `${path}?page=${new URLSearchParams(query).get('page')}`;
      return all(
        page.holds(/^https?:\/\//.test(url), `an absolute URL as ${field}`, page.show(url)),
        page.has({ [field]: leadsTo }, { [field]: `${data.path}?page=${number}` }),
      );
    }),
  );
}

/** Whether the URL of the next page keeps the query, as a profile sets it. */
function readNextUrl(page: Answer): ProbeReading {
  const url = page.get('data.next_page_url');
  // A missing field is told by its schema.
  if (url === undefined) return unknown('the field is missing');
  if (page.items.length >= Number(page.get('data.total'))) return unknown('there is no next page');
  return typeof url === 'string'
    ? page.decided(url.includes('per_page=') ? 'keep' : 'drop')
    : page.otherwise('a URL', `${page.show(url)} as next_page_url`);
}

/** That a page has the first items. */
const isFirstPage = (page: Answer, first: Answer): ProbeReading =>
  all(
    page.shows({ current_page: 1 }),
    page.holds(page.items.length > 0 || first.items.length === 0, 'the first items', 'no items'),
  );

/** The order of two purchases in a list, as a profile sets it. */
function readOrder(
  family: FamilyCalls,
  pages: readonly Answer[],
  purchases: readonly Answer[],
): ProbeReading {
  for (const page of pages) {
    const [first = -1, next = -1] = purchases.map((bought) =>
      page.items.indexOf(findListed(family, [page], bought) ?? {}),
    );
    if (first >= 0 && next >= 0) {
      return page.decided(first < next ? 'oldest-first' : 'newest-first');
    }
  }
  return unknown('no page has both purchases');
}

const byDates = (query: (day: string) => Fields): ProbeCall =>
  call(
    healthList.operation,
    'of the day of the second purchase',
    { needs: [healthList, healthSecond] },
    (_, _list, bought) => query(String(bought.get('data.created_at')).slice(0, 10)),
  );

/** That a selection has the two purchases of this check at least. */
const selects = (title: string, ...calls: readonly ProbeCall[]) =>
  ofEach(title, calls, (selection) => [
    { needs: [healthSecond], calls: [selection] },
    (_, page) =>
      page.accepted(() => {
        const total = page.get('data.total');
        if (total === undefined) return unknown('the list has another form');
        return page.holds(Number(total) >= 2, 'both purchases', `${page.show(total)} items`);
      }),
  ]);

export const lists = probesAbout({
  'Resources and their fields': {
    pages: ofEach('A page counts its items, its pages and the total', paged, ({ list }) => [
      [list],
      readPage,
    ]),
    'page-links': ofEach(
      'The URLs of a page lead to the pages that they name',
      paged,
      ({ one }) => [[one], readLinks],
    ),
  },
  'list-selection': {
    'page-size': ofEach(
      'A page has 15 items unless a call says otherwise',
      paged,
      ({ pendingList }) => [
        [pendingList],
        (page) => {
          const per_page = page.get('data.per_page');
          return per_page === undefined
            ? unknown('the field is missing')
            : page.decided({ per_page });
        },
      ],
    ),
    'per-page': ofEach('A list takes per_page, up to 100', paged, ({ list, one }) => [
      [one, list],
      (page, whole) =>
        all(page.shows({ per_page: 1 }), hasItems(page, 1), whole.shows({ per_page: 100 })),
    ]),
    periods: selects(
      'Subscriptions can be selected by the current day, week, month, quarter and year',
      ...['day', 'week', 'month', 'quarter', 'year'].map((period) => health({ period })),
    ),
    'between-dates': selects(
      'Subscriptions can be selected between two dates, both included, or by one of them',
      byDates((day) => ({ start_date: day, end_date: day })),
      byDates((day) => ({ end_date: day })),
    ),
    'empty-parameter': selects('An empty parameter counts as absent', health({ period: '' })),
    'nothing-selected': probe(
      'A selection without subscriptions is an empty page',
      { calls: [health({ end_date: '1990-01-01' })] },
      (page) => page.accepted(() => all(page.shows({ total: 0 }), isEmptyPage(page))),
    ),
    ...Object.fromEntries(
      WRONG.map(({ what, selection }) => [
        `refuses-${what.replace(/[ _]/g, '-')}`,
        refuses(`A selection with ${what} is refused`, [selection]),
      ]),
    ),
  },
  'page-urls': {
    'page-urls': ofEach('The URLs of pages keep per_page and the selection', paged, ({ one }) => [
      [one],
      readNextUrl,
    ]),
    'next-page': ofEach('The next page has other items', paged, ({ one, next }) => [
      { needs: [one], calls: [next] },
      (first, page) =>
        page.accepted(() => {
          const isNext = !isSame(first.items, page.items);
          return page.holds(isNext, 'the next items', 'the same items');
        }),
    ]),
  },
  'page-out-of-range': {
    'page-out-of-range': ofEach(
      'Page 0 and page abc are page 1',
      [
        ...paged.map(({ list, zero }) => ({ list, page: zero })),
        { list: healthList, page: health({ page: 'abc', per_page: 1 }) },
      ],
      ({ list, page }) => [
        { needs: [list], calls: [page] },
        (first, answer) => answer.accepted(() => isFirstPage(answer, first)),
      ],
    ),
    'page-past-the-end': ofEach('A page past the end is empty', paged, ({ beyond }) => [
      { calls: [beyond] },
      (page) => page.accepted(() => all(page.shows({ current_page: 9999 }), isEmptyPage(page))),
    ]),
  },
  'list-order': ofEach('Lists are in the order of purchase', families, (family) => [
    [family.verify, family.second, family.list, family.lastPage],
    (first, next, ...pages) => readOrder(family, pages, [first, next]),
  ]),
  'subscriptions-key': probe(
    'The subscriptions of a listed subscriber are one object',
    [healthList, microHealth.verify],
    (list) => {
      const [item] = list.items;
      if (!item) return unknown('the list is empty');
      return list.decided(Array.isArray(item.subscriptions) ? 'array' : 'object');
    },
  ),
});
