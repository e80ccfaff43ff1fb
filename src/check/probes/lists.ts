import type { Settings } from '../../core/settings.ts';
import type { Operation } from '../../http/operation.ts';
import { MAX_PER_PAGE } from '../../http/pagination.ts';
import { type Assertion, equals, type Json, matches, sameJson, satisfies } from '../assertions.ts';
import { dataSchema, schemaInside } from '../contract.ts';
import type { Memory, Observation, Probe, ProbeRequest } from '../probe.ts';
import { refusingInput } from './refusals.ts';

/** The query fields of a request that page URLs keep. */
type Kept = Readonly<Record<string, string>>;

/**
 * What the pages of a list say of each other, whatever is on them.
 *
 * @param kept what page URLs keep besides the page, if they keep anything
 */
export function pageAssertions(
  data: Json,
  { pageUrls }: Pick<Settings, 'pageUrls'>,
  perPage: number,
  page: number,
  kept: Kept = {},
): Assertion[] {
  const { total, last_page: last } = data;
  const shown = Array.isArray(data.data) ? data.data.length : 0;
  // A page of another size is one difference; what follows from its size is none.
  const size = Number.isInteger(data.per_page) && data.per_page > 0 ? data.per_page : perPage;
  const before = (page - 1) * size;
  const past = 'page-out-of-range';
  const names = Object.keys(kept);
  const said =
    names.length === 0 ? '' : ` ${pageUrls === 'keep' ? 'and' : 'without'} ${names.join(', ')}`;
  const url = (path: string, wanted: number | null) =>
    wanted === null
      ? equals(path, null)
      : satisfies(
          path,
          `${data.path}?… with page=${wanted}${said}`,
          (seen) => leadsTo(seen, data.path, String(wanted), kept, pageUrls),
          ...(names.length > 0 ? (['page-urls'] as const) : []),
        );
  return [
    equals('per_page', perPage, 'list-selection'),
    equals('current_page', page, past),
    equals('last_page', Math.max(1, Math.ceil(total / size)), past),
    equals('data.length', Math.max(0, Math.min(size, total - before))),
    equals('from', shown === 0 ? null : before + 1, past),
    equals('to', shown === 0 ? null : before + shown, past),
    url('first_page_url', 1),
    url('last_page_url', last),
    url('next_page_url', page < last ? page + 1 : null),
    url('prev_page_url', page > 1 ? page - 1 : null),
  ];
}

function leadsTo(
  seen: unknown,
  path: unknown,
  page: string,
  kept: Kept,
  pageUrls: Settings['pageUrls'],
): boolean {
  if (typeof seen !== 'string' || !URL.canParse(seen)) return false;
  const { origin, pathname, searchParams: query } = new URL(seen);
  const asExpected = Object.entries(kept).every(
    ([name, value]) => query.get(name) === (pageUrls === 'keep' ? value : null),
  );
  return asExpected && query.get('page') === page && `${origin}${pathname}` === path;
}

/** Whether page URLs keep the query of their request, if that shows. */
export function observePageUrls({ first_page_url: first }: Json, kept: Kept): Observation[] {
  const names = Object.keys(kept);
  if (names.length === 0 || typeof first !== 'string' || !URL.canParse(first)) return [];
  const { searchParams: query } = new URL(first);
  const isKept = names.every((name) => query.get(name) === kept[name]);
  if (!isKept && names.some((name) => query.has(name))) return [];
  return [{ assumption: 'page-urls', value: isKept ? 'keep' : 'drop' }];
}

interface PagedList {
  readonly operation: Operation;
  readonly settings: Settings;
  /** Names in memory of records, in the order they were made. */
  readonly bought: readonly string[];
  /** The field that tells records of the list apart. */
  readonly key: string;
}

type PageKept = 'own' | 'single' | 'next' | 'largest' | 'last' | 'before last';

const pageName = ({ operationId }: Operation, page: PageKept) => `${operationId} ${page}`;

/** A page that the probes of a list have seen; `own` is the first one of the list's own size. */
export const keptPage = (memory: Memory, list: Operation, page: PageKept): Json =>
  memory[pageName(list, page)];

/** How a list is turned over: sizes, addresses, numbers out of range, order. */
export function pagedList(list: PagedList, observe?: Probe['observe']): Probe[] {
  const { operation, settings } = list;
  const kept = (memory: Memory, page: PageKept): Json => keptPage(memory, operation, page);
  const refuses = refusingInput(operation, (input) => ({ input }));
  const page = (
    name: string,
    request: Probe['request'],
    [perPage, number, query]: readonly [number, number, Readonly<Record<string, string>>?],
    { keep, assertions, ...more }: Partial<Probe> & { readonly keep?: PageKept } = {},
  ): Probe => ({
    name,
    operation,
    request,
    ...(keep && { saveAs: pageName(operation, keep) }),
    assertions: (data, memory) => [
      ...pageAssertions(data, settings, perPage, number, query),
      ...(assertions?.(data, memory) ?? []),
    ],
    ...more,
  });
  const { pageSize } = settings;
  const single = { per_page: '1' };
  const sized = { assumptions: ['list-selection'] } as const;
  const outOfRange = { assumptions: ['page-out-of-range'] } as const;
  const address = new RegExp(`^https?://[^?]*${operation.path}$`);
  return [
    page('lists a page of its own size', () => ({}), [pageSize, 1], {
      keep: 'own',
      observe: (data, memory) => [
        { assumption: 'list-selection', key: 'per_page', value: data.per_page },
        ...(observe?.(data, memory) ?? []),
      ],
      assertions: () => [matches('path', address, `the address of the call, …${operation.path}`)],
    }),
    ...['first_page_url', 'last_page_url'].map(
      (url): Probe => ({
        name: `answers at its ${url}`,
        operation,
        request: (memory) => ({ url: kept(memory, 'own')[url] }),
        assertions: (data, memory) => {
          const { last_page, total } = kept(memory, 'own');
          const number = url === 'first_page_url' ? 1 : last_page;
          return [...pageAssertions(data, settings, pageSize, number), equals('total', total)];
        },
      }),
    ),
    page('lists pages of the size asked for', () => ({ input: single }), [1, 1, single], {
      keep: 'single',
      ...sized,
    }),
    page(
      'goes on at its next_page_url',
      (memory) => follow(kept(memory, 'single').next_page_url),
      [1, 2, single],
      { keep: 'next' },
    ),
    page(
      'goes back at its prev_page_url',
      (memory) => follow(kept(memory, 'next').prev_page_url),
      [1, 1, single],
      {
        assertions: (_data, memory) => {
          const holds = (seen: Json) => sameJson(seen, kept(memory, 'single').data);
          return [satisfies('data', 'what the first page showed', holds)];
        },
      },
    ),
    ...['0', 'abc'].map((asked) =>
      page(
        `answers page=${asked} as the first`,
        () => ({ input: { page: asked } }),
        [pageSize, 1],
        outOfRange,
      ),
    ),
    page(
      'answers a page past the end with nothing on it',
      () => ({ input: { page: '1000000' } }),
      [pageSize, 1_000_000],
      outOfRange,
    ),
    refuses('refuses no elements on a page', { per_page: '0' }),
    refuses('refuses more than 100 elements on a page', { per_page: '101' }),
    page('lists 100 on a page', () => ({ input: LARGEST }), [MAX_PER_PAGE, 1, LARGEST], {
      keep: 'largest',
      ...sized,
    }),
    ...listsBought(list),
  ];
}

const LARGEST = { per_page: String(MAX_PER_PAGE) };

const follow = (url: string | null): ProbeRequest | string =>
  url === null ? 'there is no second page' : { url };

/** Finds two records made one after the other: on the first of the largest pages, the last, or the one before. */
function listsBought({ operation, settings, bought, key }: PagedList): Probe[] {
  const kept = (memory: Memory, page: PageKept): Json => keptPage(memory, operation, page);
  const [earlier, later] = bought.slice(-2) as [string, string];
  const placesIn = (memory: Memory): readonly [number, number] | undefined => {
    const pages = (['largest', 'last', 'before last'] as const).map((page) => kept(memory, page));
    const [a, b] = [earlier, later].map((name) => placeOver(pages, key, memory[name]?.[key]));
    return a === undefined || b === undefined ? undefined : [a, b];
  };
  return [
    {
      name: 'lists the page before the last',
      operation,
      request: (memory) => {
        const page = kept(memory, 'largest').last_page - 1;
        return page < 2 ? 'there are too few records' : { input: { ...LARGEST, page } };
      },
      saveAs: pageName(operation, 'before last'),
    },
    {
      name: 'lists what was bought, in its order',
      operation,
      request: (memory) => {
        if (!memory[earlier] || !memory[later]) return 'nothing was bought';
        return { url: kept(memory, 'largest').last_page_url };
      },
      saveAs: pageName(operation, 'last'),
      observe: (_data, memory) => observeOrder(...(placesIn(memory) ?? [0, 0])),
      assertions: (_data, memory) => {
        const places = placesIn(memory);
        const missing = `the ${key} of what was bought, on the first or the last pages`;
        if (!places) return [satisfies('data', missing, () => false)];
        const holds = places[0] < places[1] === (settings.listOrder === 'oldest-first');
        return [satisfies('data', settings.listOrder, () => holds, 'list-order')];
      },
    },
  ];
}

/** What was bought, each in its place on the page it stands on; `assertions` is asked for each. */
export const showsBought = (
  { operation, settings, bought, key }: PagedList,
  assertions: (path: string, item: Json, bought: string, memory: Memory) => readonly Assertion[],
): Probe => ({
  name: 'shows what was bought as it was bought',
  operation,
  request: (memory) => {
    if (!bought.every((name) => memory[name])) return 'nothing was bought';
    const { first_page_url, last_page_url } = keptPage(memory, operation, 'largest');
    return { url: settings.listOrder === 'newest-first' ? first_page_url : last_page_url };
  },
  assertions: (data, memory) =>
    bought.flatMap((name) => {
      const place = placeOf(data.data, key, memory[name][key]);
      // Bought last and still split over two pages: the order was looked at already.
      return place === -1 ? [] : assertions(`data.${place}`, data.data[place], name, memory);
    }),
});

/** The list of a second merchant, which has bought nothing. */
export const foreignList = (operation: Operation): Probe => ({
  name: "lists nothing of another merchant's",
  operation,
  needs: 'merchant',
  request: () => ({}),
  assertions: () => [equals(schemaInside(dataSchema(operation), 0) ? 'length' : 'total', 0)],
});

/** The place of a record among all, counted over pages of the largest size. */
function placeOver(pages: readonly Json[], key: string, value: unknown): number | undefined {
  for (const page of pages) {
    const place = placeOf(page?.data, key, value);
    if (place !== -1) return (page.current_page - 1) * MAX_PER_PAGE + place;
  }
  return undefined;
}

/** The place of a record in a list; -1 where it is not there. */
export const placeOf = (list: Json, key: string, value: unknown): number =>
  Array.isArray(list) ? list.findIndex((item) => item?.[key] === value) : -1;

/** The order that the places of an earlier and a later record show, if they do. */
export function observeOrder(earlier: number, later: number): Observation[] {
  if (earlier === later) return [];
  const value = earlier < later ? 'oldest-first' : 'newest-first';
  return [{ assumption: 'list-order', value }];
}
