/* "Endpoints": the lists, their pages and what selects their items; "Limits": the size of a page. */

import { type Answer, call, type Fields, type ProbeCall } from '../call.ts';
import { families } from '../calls/index.ts';
import { microHealth } from '../calls/micro-health.ts';
import {
  AS_PUBLISHED,
  accepted,
  agreed,
  all,
  decided,
  differs,
  isSame,
  type Probe,
  type ProbeReading,
  probe,
  refused,
  same,
  unknown,
  words,
} from '../probe.ts';

const paged = families.filter(({ isPaged }) => isPaged);

const listOf = (
  family: (typeof families)[number],
  what: string,
  query: Fields,
  more: object = {},
) => call(family.operations.list, what, { needs: { list: family.list }, ...more }, () => query);
const health = (what: string, query: Fields) => listOf(microHealth, what, query);
const wrong = (what: string, query: Fields) =>
  listOf(microHealth, what, query, { refusal: 'invalid' });

/** Selections that are refused, by what is wrong. */
const WRONG: Readonly<Record<string, ProbeCall>> = {
  'per_page of 0': wrong('with per_page 0', { per_page: 0 }),
  'per_page above 100': wrong('with per_page 101', { per_page: 101 }),
  'an unknown period': wrong('with an unknown period', { period: 'decade' }),
  'a period with dates': wrong('with a period and dates', {
    period: 'day',
    start_date: '2024-01-01',
  }),
  'an end before the start': wrong('with an end before the start', {
    start_date: '2024-02-01',
    end_date: '2024-01-01',
  }),
  'a date that is none': wrong('with a date that is none', { start_date: '2024-02-30' }),
};
export const wrongSelections: readonly ProbeCall[] = [
  ...Object.values(WRONG),
  ...paged
    .slice(1)
    .map((family) => listOf(family, 'with per_page 0', { per_page: 0 }, { refusal: 'invalid' })),
];

const totalOf = (answer: Answer): number => Number(answer.get('data.total'));

/** A page without items (`page-out-of-range`). */
const isEmptyPage = (answer: Answer): ProbeReading =>
  all(
    same(0, answer.list?.length, answer),
    // A missing field is told by its schema.
    ...['from', 'to', 'next_page_url'].map((field) =>
      same(null, answer.get(`data.${field}`) ?? null, answer),
    ),
  );

/** A page URL with the number of the page alone. */
function linkIn(written: unknown): string {
  const [path, query] = String(written).split('?', 2);
  return `${path}?page=${new URLSearchParams(query).get('page')}`;
}

const ofFamily: readonly Probe[] = paged.flatMap((family) => {
  const { id, title, list, second } = family;
  const one = listOf(family, 'one to a page', { per_page: 1 }, { needs: { second, list } });
  const next = call(family.operations.list, 'at next_page_url', {
    needs: { one },
    url: (needs) => needs.one.get('data.next_page_url'),
  });
  const zero = listOf(family, 'at page 0', { page: 0, per_page: 1 });
  const letters = listOf(family, 'at page abc', { page: 'abc', per_page: 1 });
  const beyond = listOf(family, 'past the last page', { page: 9999, per_page: 100 });
  return [
    probe({
      id: `pages.${id}`,
      about: 'Resources and their fields',
      title: `A page of the ${title} list counts its items, its pages and the total`,
      needs: { list },
      read({ list: answer }) {
        const [page, per, total] = ['current_page', 'per_page', 'total'].map((field) =>
          Number(answer.get(`data.${field}`)),
        ) as [number, number, number];
        const count = answer.items.length;
        const seen = ['from', 'to', 'last_page'].map((field) => answer.get(`data.${field}`));
        const first = (page - 1) * per + 1;
        const expected = [first, first + count - 1, Math.max(1, Math.ceil(total / per))];
        const names = ['from', 'to', 'last_page'];
        if (seen.includes(undefined)) return unknown('the page has no numbers to compare');
        return all(
          same(Math.min(per, total), count, answer),
          ...names.map((_, place) => same(expected[place], seen[place], answer)),
        );
      },
    }),
    probe({
      id: `page-links.${id}`,
      about: 'Resources and their fields',
      title: `The URLs of a ${title} page lead to the pages that they name`,
      needs: { one },
      read({ one: answer }) {
        const { path, last_page, current_page, ...page } = answer.get('data') as Fields;
        const linked = [
          ['first_page_url', 1],
          ['last_page_url', last_page],
          ['next_page_url', Number(current_page) + 1],
        ] as const;
        return all(
          same(null, page.prev_page_url, answer),
          ...linked
            .filter(([field]) => typeof page[field] === 'string')
            .map(([field, number]) => same(`${path}?page=${number}`, linkIn(page[field]), answer)),
        );
      },
    }),
    probe({
      id: `per-page.${id}`,
      about: 'list-selection',
      title: `The ${title} list takes per_page, up to 100`,
      needs: { list, one },
      read: (answers) =>
        all(
          same(1, answers.one.get('data.per_page'), answers.one),
          same(1, answers.one.list?.length, answers.one),
          same(100, answers.list.get('data.per_page'), answers.list),
        ),
    }),
    probe({
      id: `next-page.${id}`,
      about: 'page-urls',
      title: `The next page of the ${title} list has other items`,
      needs: { one },
      calls: { next },
      read: ({ one: first, next: second2 }) =>
        second2.ok && isSame(first.items, second2.items)
          ? differs(words('the next items'), words('the same items'), second2)
          : accepted(second2),
    }),
    probe({
      id: `page-out-of-range.${id}`,
      about: 'page-out-of-range',
      title: `Page 0${family === microHealth ? ' and page abc' : ''} of the ${title} list is page 1`,
      needs: { list },
      some: [zero, ...(family === microHealth ? [letters] : [])],
      read: (answers, some) =>
        all(
          ...some.map((answer) =>
            answer.ok
              ? all(
                  same(1, answer.get('data.current_page') ?? 1, answer),
                  same(answers.list.items.length > 0, answer.items.length > 0, answer),
                )
              : accepted(answer),
          ),
        ),
    }),
    probe({
      id: `page-past-the-end.${id}`,
      about: 'page-out-of-range',
      title: `A page past the end of the ${title} list is empty`,
      needs: { list },
      calls: { beyond },
      read: ({ beyond: answer }) =>
        answer.ok
          ? all(same(9999, answer.get('data.current_page') ?? 9999, answer), isEmptyPage(answer))
          : accepted(answer),
    }),
  ];
});

/** The order of a list: the place of the first purchase and of the second. */
const orderOf = (
  { verify, second, list, lastPage, number, listedNumber }: (typeof families)[number],
  some: readonly Answer[],
) => {
  const [first, next, ...pages] = [verify, second, list, lastPage].map((each) =>
    some.find((answer) => answer.call === each && answer.ok),
  );
  if (!first || !next) return [];
  for (const page of pages) {
    const numbers = page?.items.map((item) => item[listedNumber]) ?? [];
    const places = [first, next].map((bought) => numbers.indexOf(bought.get(number)));
    const [a = -1, b = -1] = places;
    if (page && a >= 0 && b >= 0) return [[a < b ? 'oldest-first' : 'newest-first', page] as const];
  }
  return [];
};

const PERIODS = ['day', 'week', 'month', 'quarter', 'year'] as const;

const byDates = (what: string, query: (day: string) => Fields): ProbeCall =>
  call(
    microHealth.operations.list,
    what,
    { needs: { list: microHealth.list, second: microHealth.second } },
    (needs) => query(String(needs.second.get('data.created_at')).slice(0, 10)),
  );
const today = byDates('of one day', (day) => ({ start_date: day, end_date: day }));
const untilToday = byDates('until a day', (day) => ({ end_date: day }));
const long = health('until a day long ago', { end_date: '1990-01-01' });
const emptyPeriod = health('with an empty period', { period: '' });

const otherForm = (answer: Answer): ProbeReading =>
  answer.ok ? unknown('the list has another form') : accepted(answer);

/** That a selection has the two purchases of this check at least. */
const hasBoth = (answer: Answer): ProbeReading =>
  !answer.ok || answer.get('data.total') === undefined
    ? otherForm(answer)
    : totalOf(answer) >= 2
      ? AS_PUBLISHED
      : differs(words('both purchases'), words(`${answer.get('data.total')} items`), answer);

const selections: readonly Probe[] = [
  ...PERIODS.map((period) =>
    probe({
      id: `period-${period}`,
      about: 'list-selection',
      title: `Subscriptions can be selected by the current ${period}`,
      needs: { second: microHealth.second },
      calls: { selected: health(`of the ${period}`, { period }) },
      read: (answers) => hasBoth(answers.selected),
    }),
  ),
  probe({
    id: 'between-dates',
    about: 'list-selection',
    title: 'Subscriptions can be selected between two dates, both included, or by one of them',
    needs: { second: microHealth.second },
    calls: { today, untilToday },
    read: (answers) => all(hasBoth(answers.today), hasBoth(answers.untilToday)),
  }),
  probe({
    id: 'nothing-selected',
    about: 'list-selection',
    title: 'A selection without subscriptions is an empty page',
    needs: { list: microHealth.list },
    calls: { long },
    read: ({ long: answer }) =>
      answer.ok
        ? all(same(0, answer.get('data.total'), answer), isEmptyPage(answer))
        : accepted(answer),
  }),
  probe({
    id: 'empty-parameter',
    about: 'list-selection',
    title: 'An empty parameter counts as absent',
    needs: { second: microHealth.second },
    calls: { emptyPeriod },
    read: (answers) => hasBoth(answers.emptyPeriod),
  }),
  ...Object.entries(WRONG).map(([what, selection]) =>
    probe({
      id: `refuses-${what.replace(/[ _]/g, '-')}`,
      about: 'list-selection',
      title: `A selection with ${what} is refused`,
      needs: { list: microHealth.list },
      calls: { selection },
      read: (answers) => refused(answers.selection),
    }),
  ),
];

const settings: readonly Probe[] = [
  probe({
    id: 'page-size',
    about: 'list-selection',
    title: 'A page has 15 items unless a call says otherwise',
    some: paged.map(({ pendingList }) => pendingList),
    read: (_, some) =>
      agreed(
        some.flatMap((answer) => {
          const size = answer.get('data.per_page');
          return answer.ok && size !== undefined ? [[{ per_page: size }, answer] as const] : [];
        }),
      ),
  }),
  probe({
    id: 'page-urls',
    about: 'page-urls',
    title: 'The URLs of pages keep per_page and the selection',
    some: ofFamily.flatMap(({ id, needs: { one } }) => (/^next-page/.test(id) && one ? [one] : [])),
    read: (_, some) =>
      agreed(
        some
          .filter((answer) => answer.ok && answer.items.length < totalOf(answer))
          // A missing field is told by its schema.
          .filter((answer) => answer.get('data.next_page_url') !== undefined)
          .map((answer) => {
            const url = answer.get('data.next_page_url');
            const kept = String(url).includes('per_page=') ? 'keep' : 'drop';
            return [typeof url === 'string' ? kept : words(`${url} as next_page_url`), answer];
          }),
      ),
  }),
  probe({
    id: 'list-order',
    about: 'list-order',
    title: 'Lists are in the order of purchase',
    some: families.flatMap(({ verify, second, list, lastPage }) => [
      verify,
      second,
      list,
      lastPage,
    ]),
    read: (_, some) => agreed(families.flatMap((family) => orderOf(family, some))),
  }),
  probe({
    id: 'motor-list',
    about: 'motor-list',
    title: 'The motor list is a plain array',
    needs: { list: families[1]?.list as ProbeCall },
    read: ({ list }) =>
      Array.isArray(list.get('data'))
        ? AS_PUBLISHED
        : differs(words('an array'), words('no array'), list),
  }),
  probe({
    id: 'subscriptions-key',
    about: 'subscriptions-key',
    title: 'The subscriptions of a listed subscriber are one object',
    needs: { list: microHealth.list, verify: microHealth.verify },
    read({ list }) {
      const [item] = list.items;
      if (!item) return unknown('the list is empty');
      return decided(Array.isArray(item.subscriptions) ? 'array' : 'object', list);
    },
  }),
];

export const lists: readonly Probe[] = [...ofFamily, ...selections, ...settings];
