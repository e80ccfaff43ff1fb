/* "Endpoints": the lists, their pages and what selects their items; "Limits": the size of a page. */

import { count } from '../../violations.ts';
import { type Answer, call, type Fields, type ProbeCall } from '../call.ts';
import { families } from '../calls/index.ts';
import { microHealth } from '../calls/micro-health.ts';
import { type FamilyCalls, findListed } from '../calls/shared.ts';
import { ofEach, probe, probesAbout } from '../probe.ts';
import {
  accepted,
  agreed,
  all,
  answerTo,
  decided,
  hasField,
  holds,
  isSame,
  type ProbeReading,
  unknown,
  words,
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

/** That the data of a page has these values. */
const hasFields = (answer: Answer, expected: Fields): ProbeReading =>
  all(
    ...Object.entries(expected).map(([field, value]) =>
      hasField(answer.get('data'), field, value, answer),
    ),
  );

/** That a page has so many items. */
const hasItems = (answer: Answer, expected: number): ProbeReading => {
  const seen = answer.list?.length;
  if (seen === undefined) return unknown('the list has another form');
  return holds(seen === expected, count(expected, 'item'), words(count(seen, 'item')), answer);
};

/** A page without items. */
const isEmptyPage = (answer: Answer): ProbeReading =>
  all(hasItems(answer, 0), hasFields(answer, { from: null, to: null, next_page_url: null }));

/** That a page counts its items, its pages and the total. */
function readPage(answer: Answer): ProbeReading {
  const [page, per, total] = ['current_page', 'per_page', 'total'].map((field) =>
    Number(answer.get(`data.${field}`)),
  ) as [number, number, number];
  if (Number.isNaN(page + per + total)) return unknown('the page has no numbers to compare');
  const items = Math.min(per, total);
  const first = (page - 1) * per + 1;
  const last_page = Math.max(1, Math.ceil(total / per));
  const range = items === 0 ? { from: null, to: null } : { from: first, to: first + items - 1 };
  return all(hasItems(answer, items), hasFields(answer, { ...range, last_page }));
}

/** A page URL with the number of the page alone. */
function linkIn(written: unknown): string {
  const [path, query] = String(written).split('?', 2);
  return `${path}?page=${new URLSearchParams(query).get('page')}`;
}

/** That the URLs of the first page lead to the pages that they name. */
function readLinks(answer: Answer): ProbeReading {
  const { path, last_page, current_page, ...page } = answer.get('data') as Fields;
  const linked = [
    ['first_page_url', 1],
    ['last_page_url', last_page],
    ['next_page_url', Number(current_page) + 1],
  ] as const;
  return all(
    hasField(page, 'prev_page_url', null, answer),
    ...linked
      .map(([field, number]) => [field, number, page[field]] as const)
      .filter(([, , url]) => typeof url === 'string')
      .flatMap(([field, number, url]) => [
        holds(/^https?:\/\//.test(String(url)), `an absolute URL as ${field}`, url, answer),
        hasField({ [field]: linkIn(url) }, field, `${path}?page=${number}`, answer),
      ]),
  );
}

const letters = health({ page: 'abc', per_page: 1 });

/** The order of the two purchases in the list of a family. */
const orderOf = (family: FamilyCalls, some: readonly Answer[]) => {
  const { verify, second, list, lastPage } = family;
  const [first, next] = [verify, second].map((each) => answerTo(some, each));
  if (!first?.ok || !next?.ok) return [];
  const orders = [list, lastPage].flatMap((each) => {
    const page = answerTo(some, each);
    const places = [first, next].map((bought) =>
      page ? page.items.indexOf(findListed(family, [page], bought) ?? {}) : -1,
    ) as [number, number];
    if (!page?.ok || places.includes(-1)) return [];
    return [[places[0] < places[1] ? 'oldest-first' : 'newest-first', page] as const];
  });
  return orders.slice(0, 1);
};

const byDates = (query: (day: string) => Fields): ProbeCall =>
  call(
    healthList.operation,
    'of the day of the second purchase',
    { needs: [healthList, healthSecond] },
    (_, _list, bought) => query(String(bought.get('data.created_at')).slice(0, 10)),
  );

/** That a selection has the two purchases of this check at least. */
const selects = (title: string, ...calls: readonly ProbeCall[]) =>
  probe(title, { needs: [healthSecond], calls }, (_, ...answers) =>
    all(
      ...answers.map((page) =>
        accepted(page, () => {
          const total = page.get('data.total');
          if (total === undefined) return unknown('the list has another form');
          return holds(Number(total) >= 2, 'both purchases', words(`${total} items`), page);
        }),
      ),
    ),
  );

export const lists = probesAbout({
  'Resources and their fields': {
    ...ofEach('pages', paged, ({ id, list }) =>
      probe(`A page of the ${id} list counts its items, its pages and the total`, [list], readPage),
    ),
    ...ofEach('page-links', paged, ({ id, one }) =>
      probe(`The URLs of a ${id} page lead to the pages that they name`, [one], readLinks),
    ),
  },
  'list-selection': {
    'page-size': probe(
      'A page has 15 items unless a call says otherwise',
      { some: paged.map(({ pendingList }) => pendingList) },
      (...some) =>
        agreed(
          some
            .filter(({ ok }) => ok)
            .map((page) => [{ per_page: page.get('data.per_page') }, page] as const)
            .filter(([{ per_page }]) => per_page !== undefined),
        ),
    ),
    ...ofEach('per-page', paged, ({ id, list, one }) =>
      probe(`The ${id} list takes per_page, up to 100`, [one, list], (page, whole) =>
        all(
          hasFields(page, { per_page: 1 }),
          hasItems(page, 1),
          hasFields(whole, { per_page: 100 }),
        ),
      ),
    ),
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
      (page) => accepted(page, () => all(hasFields(page, { total: 0 }), isEmptyPage(page))),
    ),
    ...Object.fromEntries(
      WRONG.map(({ what, selection }) => [
        `refuses-${what.replace(/[ _]/g, '-')}`,
        refuses(`A selection with ${what} is refused`, [selection]),
      ]),
    ),
  },
  'page-urls': {
    'page-urls': probe(
      'The URLs of pages keep per_page and the selection',
      { some: paged.map(({ one }) => one) },
      (...some) =>
        agreed(
          some
            .filter((page) => page.ok && page.items.length < Number(page.get('data.total')))
            // A missing field is told by its schema.
            .filter((page) => page.get('data.next_page_url') !== undefined)
            .map((page) => {
              const url = page.get('data.next_page_url');
              const kept = String(url).includes('per_page=') ? 'keep' : 'drop';
              return [
                typeof url === 'string' ? kept : words(`${page.masked(`${url}`)} as next_page_url`),
                page,
              ];
            }),
        ),
    ),
    ...ofEach('next-page', paged, ({ id, one, next }) =>
      probe(
        `The next page of the ${id} list has other items`,
        { needs: [one], calls: [next] },
        (first, page) =>
          accepted(page, () => {
            const isNext = !isSame(first.items, page.items);
            return holds(isNext, 'the next items', words('the same items'), page);
          }),
      ),
    ),
  },
  'page-out-of-range': {
    ...ofEach('page-out-of-range', paged, ({ id, list, zero }) =>
      probe(
        `Page 0${id === microHealth.id ? ' and page abc' : ''} of the ${id} list is page 1`,
        { needs: [list], some: [zero, ...(id === microHealth.id ? [letters] : [])] },
        (first, ...some) =>
          all(
            ...some.map((page) =>
              accepted(page, () =>
                all(
                  hasFields(page, { current_page: 1 }),
                  holds(
                    page.items.length > 0 || first.items.length === 0,
                    'the first items',
                    words('no items'),
                    page,
                  ),
                ),
              ),
            ),
          ),
      ),
    ),
    ...ofEach('page-past-the-end', paged, ({ id, list, beyond }) =>
      probe(
        `A page past the end of the ${id} list is empty`,
        { needs: [list], calls: [beyond] },
        (_, page) =>
          accepted(page, () => all(hasFields(page, { current_page: 9999 }), isEmptyPage(page))),
      ),
    ),
  },
  'list-order': probe(
    'Lists are in the order of purchase',
    {
      some: families.flatMap(({ list, lastPage, verify, second }) => [
        ...[list, lastPage, verify, second],
      ]),
    },
    (...some) => agreed(families.flatMap((family) => orderOf(family, some))),
  ),
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
