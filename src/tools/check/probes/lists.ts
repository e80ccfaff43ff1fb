/* "Endpoints": the lists, their pages and what selects their items; "Limits": the size of a page. */

import { count } from '../../violations.ts';
import { type Answer, call, type Fields, type ProbeCall } from '../call.ts';
import { families } from '../calls/index.ts';
import { microHealth } from '../calls/micro-health.ts';
import { type FamilyCalls, findListed } from '../calls/shared.ts';
import { ofEach, probe, probesAbout } from '../probe.ts';
import {
  accepted,
  all,
  decided,
  have,
  holds,
  isSame,
  otherwise,
  type ProbeReading,
  shows,
  unknown,
} from '../reading.ts';
import { refuses } from '../statements.ts';

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
  return holds(seen === expected, count(expected, 'item'), count(seen, 'item'), page);
};

/** A page without items. */
const isEmptyPage = (page: Answer): ProbeReading =>
  all(hasItems(page, 0), shows(page, { from: null, to: null, next_page_url: null }));

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
  return all(hasItems(page, items), shows(page, { ...range, last_page }));
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
    shows(page, { prev_page_url: null }),
    ...linked.map(([field, number]) => {
      const url = data[field];
      if (typeof url !== 'string') return unknown('there is no such page');
      const [path, query] = url.split('?', 2);
      const leadsTo = `${path}?page=${new URLSearchParams(query).get('page')}`;
      return all(
        holds(/^https?:\/\//.test(url), `an absolute URL as ${field}`, page.show(url), page),
        have({ [field]: leadsTo }, { [field]: `${data.path}?page=${number}` }, page),
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
    ? decided(url.includes('per_page=') ? 'keep' : 'drop', page)
    : otherwise('a URL', `${page.show(url)} as next_page_url`, page);
}

/** That a page has the first items. */
const isFirstPage = (page: Answer, first: Answer): ProbeReading =>
  all(
    shows(page, { current_page: 1 }),
    holds(page.items.length > 0 || first.items.length === 0, 'the first items', 'no items', page),
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
      return decided(first < next ? 'oldest-first' : 'newest-first', page);
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
      accepted(page, () => {
        const total = page.get('data.total');
        if (total === undefined) return unknown('the list has another form');
        return holds(Number(total) >= 2, 'both purchases', `${page.show(total)} items`, page);
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
            : decided({ per_page }, page);
        },
      ],
    ),
    'per-page': ofEach('A list takes per_page, up to 100', paged, ({ list, one }) => [
      [one, list],
      (page, whole) =>
        all(shows(page, { per_page: 1 }), hasItems(page, 1), shows(whole, { per_page: 100 })),
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
      (page) => accepted(page, () => all(shows(page, { total: 0 }), isEmptyPage(page))),
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
        accepted(page, () => {
          const isNext = !isSame(first.items, page.items);
          return holds(isNext, 'the next items', 'the same items', page);
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
        (first, answer) => accepted(answer, () => isFirstPage(answer, first)),
      ],
    ),
    'page-past-the-end': ofEach('A page past the end is empty', paged, ({ beyond }) => [
      { calls: [beyond] },
      (page) => accepted(page, () => all(shows(page, { current_page: 9999 }), isEmptyPage(page))),
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
      return decided(Array.isArray(item.subscriptions) ? 'array' : 'object', list);
    },
  ),
});
