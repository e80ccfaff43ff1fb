import type { Operation } from '../../http/operation.ts';
import { MAX_PER_PAGE } from '../../http/pagination.ts';
import { type Assertion, equals, type Json, satisfies } from '../assertions.ts';
import { dataSchema, schemaInside } from '../contract.ts';
import type { Memory, Observation, Probe } from '../probe.ts';
import { keptPage, LARGEST, type PagedList, pageName, turnedPages } from './pages.ts';

/** A list by pages: how it is turned over, and whether what was bought stands on it. */
export const pagedList = (list: PagedList, observe?: Probe['observe']): Probe[] => [
  ...turnedPages(list, observe),
  ...listsBought(list),
];

/** Finds two records made one after the other: on the first of the largest pages, the last, or the one before. */
function listsBought({ operation, settings, bought, key }: PagedList): Probe[] {
  const kept = (memory: Memory, page: Parameters<typeof keptPage>[2]): Json =>
    keptPage(memory, operation, page);
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
        return { input: { ...LARGEST, page: kept(memory, 'largest').last_page } };
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
    const { last_page } = keptPage(memory, operation, 'largest');
    return { input: { ...LARGEST, page: settings.listOrder === 'newest-first' ? 1 : last_page } };
  },
  assertions: (data, memory) =>
    bought.flatMap((name) => {
      const place = placeOf(data.data, key, memory[name][key]);
      // Bought last and still split over two pages: the order was looked at already.
      return place === -1 ? [] : assertions(`data.${place}`, data.data[place], name, memory);
    }),
});

/** The list of another merchant, beside the first one's: no record stands on both. */
export function foreignList(
  operation: Operation,
  key: string,
  own: (memory: Memory) => readonly Json[],
): Probe[] {
  const isPaged = schemaInside(dataSchema(operation), 0) === undefined;
  const recordsOf = (data: Json): readonly Json[] => (isPaged ? data.data : data);
  const saveAs = `${operation.operationId} of another merchant`;
  const shared = (data: Json, memory: Memory): number => {
    const theirs = new Set(own(memory).map((record) => record?.[key]));
    return recordsOf(data).filter((record) => theirs.has(record?.[key])).length;
  };
  const lists = (name: string, request: Probe['request'], more: Partial<Probe> = {}): Probe => ({
    name,
    operation,
    needs: 'other',
    request: (memory) => (own(memory).length === 0 ? 'there is no record' : request(memory)),
    assertions: (data, memory) => {
      const none = shared(data, memory) === 0;
      return [satisfies('data', "no record of another merchant's", () => none, 'foreign-policy')];
    },
    ...more,
  });
  return [
    lists("lists nothing of another merchant's", () => ({ input: isPaged ? LARGEST : {} }), {
      saveAs,
    }),
    ...(isPaged
      ? [
          lists("lists nothing of another merchant's on its last page", (memory) => {
            const { last_page: page } = memory[saveAs];
            return page > 1 ? { input: { ...LARGEST, page } } : 'there is no other page';
          }),
        ]
      : []),
    {
      name: 'lists nothing for a new merchant',
      operation,
      needs: 'merchant',
      request: () => ({}),
      assertions: () => [equals(isPaged ? 'total' : 'length', 0)],
    },
  ];
}

/** Records of the first merchant that pages of a list have shown. */
export const listedRecords = (memory: Memory, list: Operation): readonly Json[] =>
  (['own', 'largest', 'last'] as const).flatMap((page) => keptPage(memory, list, page)?.data ?? []);

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
