import { type Claim, is, type Json, like, type Memory, meets, type Probe, same } from '../probe.ts';

/** What the pages of a list say of each other, whatever is on them. */
export function pageClaims(
  data: Json,
  perPage: number,
  page: number,
  kept: Readonly<Record<string, string>> = {},
): Claim[] {
  const { total, last_page: last } = data;
  const shown = Array.isArray(data.data) ? data.data.length : 0;
  // A page of another size is one difference; what follows from its size is none.
  const size = Number.isInteger(data.per_page) && data.per_page > 0 ? data.per_page : perPage;
  const before = (page - 1) * size;
  const past = 'page-out-of-range';
  const url = (path: string, wanted: number | null) =>
    wanted === null
      ? is(path, null)
      : meets(path, `${data.path}?… with page=${wanted}`, (seen) =>
          leadsTo(seen, data.path, { ...kept, page: String(wanted) }),
        );
  return [
    is('per_page', perPage, 'list-selection'),
    is('current_page', page, past),
    is('last_page', Math.max(1, Math.ceil(total / size)), past),
    is('data.length', Math.max(0, Math.min(size, total - before))),
    is('from', shown === 0 ? null : before + 1, past),
    is('to', shown === 0 ? null : before + shown, past),
    url('first_page_url', 1),
    url('last_page_url', last),
    url('next_page_url', page < last ? page + 1 : null),
    url('prev_page_url', page > 1 ? Math.min(page - 1, last) : null),
  ];
}

function leadsTo(seen: unknown, path: unknown, query: Readonly<Record<string, string>>): boolean {
  if (typeof seen !== 'string' || !URL.canParse(seen)) return false;
  const url = new URL(seen);
  const same = Object.entries(query).every(([name, value]) => url.searchParams.get(name) === value);
  return same && `${url.origin}${url.pathname}` === path;
}

export interface PagedList {
  readonly operation: string;
  readonly path: string;
  readonly pageSize: number;
  /** Names in memory of two records, in the order they were made. */
  readonly bought: readonly [string, string];
  /** The field that tells records of the list apart. */
  readonly key: string;
  readonly order: 'oldest-first' | 'newest-first';
  /** What else a page tells of how the server decides. */
  readonly observe?: Probe['observe'];
  /** What keeps the records of one family's list apart from another's in memory. */
  readonly as: string;
}

/** How a list is turned over: sizes, addresses, numbers out of range, order. */
export function pagedList(list: PagedList): Probe[] {
  const { operation, path, pageSize, as } = list;
  const refuses = (name: string, input: Record<string, string>, field: string): Probe => ({
    name,
    operation,
    call: () => ({ input }),
    refused: 'invalid',
    fields: [field],
    decisions: ['list-selection'],
  });
  const named = (name: string) => `${as}_${name}`;
  return [
    {
      name: 'lists a page of its own size',
      operation,
      call: () => ({}),
      keep: named('all'),
      observe: (data, memory) => [
        { decision: 'list-selection', key: 'per_page', value: data.per_page },
        ...(list.observe?.(data, memory) ?? []),
      ],
      claims: (data) => [
        ...pageClaims(data, pageSize, 1),
        like('path', new RegExp(`^https?://[^?]*${path}$`), `the address of the call, …${path}`),
      ],
    },
    ...['first_page_url', 'last_page_url'].map(
      (url): Probe => ({
        name: `answers at its ${url}`,
        operation,
        call: (memory) => ({ url: memory[named('all')][url] }),
        claims: (data, memory) => {
          const all = memory[named('all')];
          const page = url === 'first_page_url' ? 1 : all.last_page;
          return [...pageClaims(data, pageSize, page), is('total', all.total)];
        },
      }),
    ),
    {
      name: 'lists pages of the size asked for',
      operation,
      call: () => ({ input: { per_page: '1' } }),
      keep: named('single'),
      decisions: ['list-selection'],
      claims: (data) => pageClaims(data, 1, 1, { per_page: '1' }),
    },
    {
      name: 'goes on at its next_page_url',
      operation,
      call: (memory) => pageAt(memory, named('single'), 'next_page_url'),
      keep: named('second'),
      claims: (data) => pageClaims(data, 1, 2, { per_page: '1' }),
    },
    {
      name: 'goes back at its prev_page_url',
      operation,
      call: (memory) => pageAt(memory, named('second'), 'prev_page_url'),
      claims: (data, memory) => [
        ...pageClaims(data, 1, 1, { per_page: '1' }),
        meets('data', 'what the first page showed', (seen) =>
          same(seen, memory[named('single')].data),
        ),
      ],
    },
    ...['0', 'abc'].map(
      (page): Probe => ({
        name: `answers page=${page} as the first`,
        operation,
        call: () => ({ input: { page } }),
        decisions: ['page-out-of-range'],
        claims: (data) => pageClaims(data, pageSize, 1),
      }),
    ),
    {
      name: 'answers a page past the end with nothing on it',
      operation,
      call: () => ({ input: { page: '1000000' } }),
      decisions: ['page-out-of-range'],
      claims: (data) => pageClaims(data, pageSize, 1_000_000),
    },
    refuses('refuses no elements on a page', { per_page: '0' }, 'per_page'),
    refuses('refuses more than 100 elements on a page', { per_page: '101' }, 'per_page'),
    ...orderProbes(list),
  ];
}

function pageAt(memory: Memory, name: string, url: string) {
  const found = memory[name][url];
  return found === null ? 'there is no second page' : { url: found };
}

/** Finds two records made one after the other: on the first of the largest pages, the last, or the one before. */
function orderProbes({ operation, bought, key, order, as }: PagedList): Probe[] {
  const named = (name: string) => `${as}_${name}`;
  const inOrder = (memory: Memory): boolean | undefined => {
    const pages = ['first100', 'last100', 'previous100'].map((name) => memory[named(name)]);
    const [earlier, later] = bought.map((name) => placeOf(pages, key, memory[name]?.[key]));
    return earlier === undefined || later === undefined ? undefined : earlier < later;
  };
  return [
    {
      name: 'lists 100 on a page',
      operation,
      call: () => ({ input: { per_page: '100' } }),
      decisions: ['list-selection'],
      keep: named('first100'),
      claims: (data) => pageClaims(data, 100, 1, { per_page: '100' }),
    },
    {
      name: 'lists the page before the last',
      operation,
      call: (memory) => {
        const page = memory[named('first100')].last_page - 1;
        return page < 2 ? 'there are too few records' : { input: { per_page: '100', page } };
      },
      keep: named('previous100'),
    },
    {
      name: 'lists what was bought, in its order',
      operation,
      call: (memory) => {
        if (bought.some((name) => memory[name] === undefined)) return 'nothing was bought';
        return { url: memory[named('first100')].last_page_url };
      },
      keep: named('last100'),
      observe: (_data, memory) => {
        const ordered = inOrder(memory);
        if (ordered === undefined) return [];
        const value = ordered ? 'oldest-first' : 'newest-first';
        return [{ decision: 'list-order', key: 'order', value }];
      },
      claims: (_data, memory) => {
        const ordered = inOrder(memory);
        return ordered === undefined
          ? [
              meets(
                'data',
                `the ${key} of what was bought, on the first or the last pages`,
                () => false,
              ),
            ]
          : [meets('data', `${order}`, () => ordered === (order === 'oldest-first'), 'list-order')];
      },
    },
  ];
}

/** The place of a record among all, counted over pages. */
function placeOf(pages: readonly Json[], key: string, value: unknown): number | undefined {
  for (const page of pages) {
    const position = page?.data?.findIndex?.((item: Json) => item?.[key] === value) ?? -1;
    if (position !== -1) return (page.current_page - 1) * 100 + position;
  }
  return undefined;
}
