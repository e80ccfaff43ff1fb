import type { Settings } from '../../core/settings.ts';
import { parseUrl } from '../../core/url.ts';
import type { Operation } from '../../http/operation.ts';
import { MAX_PER_PAGE } from '../../http/pagination.ts';
import { type Assertion, equals, type Json, matches, sameJson, satisfies } from '../assertions.ts';
import type { Memory, Observation, Probe, ProbeRequest } from '../probe.ts';
import { refusingInput } from './refusals.ts';

type Query = Readonly<Record<string, string>>;

/**
 * What the pages of a list say of each other, whatever is on them.
 *
 * @param kept the query that the page URLs keep
 */
export function pageAssertions(
  data: Json,
  perPage: number,
  page: number,
  kept: Query = {},
): Assertion[] {
  const { total, last_page: last } = data;
  const shown = Array.isArray(data.data) ? data.data.length : 0;
  // A page of another size is one difference; what follows from its size is none.
  const size = Number.isInteger(data.per_page) && data.per_page > 0 ? data.per_page : perPage;
  const before = (page - 1) * size;
  const past = 'page-out-of-range';
  return [
    equals('per_page', perPage, 'list-selection'),
    equals('current_page', page, past),
    equals('last_page', Math.max(1, Math.ceil(total / size)), past),
    equals('data.length', Math.max(0, Math.min(size, total - before))),
    equals('from', shown === 0 ? null : before + 1, past),
    equals('to', shown === 0 ? null : before + shown, past),
    ...urlAssertions('first_page_url', data.path, 1, kept),
    ...urlAssertions('last_page_url', data.path, last, kept),
    ...urlAssertions('next_page_url', data.path, page < last ? page + 1 : null, kept),
    ...urlAssertions('prev_page_url', data.path, page > 1 ? page - 1 : null, kept, past),
  ];
}

function urlAssertions(
  name: string,
  path: unknown,
  page: number | null,
  kept: Query,
  ...assumptions: Assertion['assumptions']
): Assertion[] {
  if (page === null) return [equals(name, null, ...assumptions)];
  const keeps = (seen: Json): boolean => Object.entries(kept).every(isIn(seen));
  return [
    satisfies(
      name,
      `${path} with the number of the page`,
      (seen) => addressOf(seen) === path && isIn(seen)(['page', String(page)]),
      ...assumptions,
    ),
    ...(Object.keys(kept).length === 0
      ? []
      : [satisfies(name, `${path} with ${Object.keys(kept).join(', ')} kept`, keeps, 'page-urls')]),
  ];
}

const parsed = (url: unknown) => (typeof url === 'string' ? parseUrl(url) : undefined);

function addressOf(url: unknown): string | undefined {
  const address = parsed(url);
  return address && address.origin + address.pathname;
}

const isIn =
  (url: unknown) =>
  ([name, value]: readonly [string, string]): boolean =>
    parsed(url)?.searchParams.get(name) === value;

/** A list by pages. */
export interface PagedList {
  readonly operation: Operation;
  readonly settings: Settings;
  /** Names in memory of records, in the order they were made. */
  readonly bought: readonly string[];
  /** The field that tells records of the list apart. */
  readonly key: string;
}

type PageKept = 'own' | 'single' | 'next' | 'largest' | 'last' | 'before last';

export const pageName = ({ operationId }: Operation, page: PageKept) => `${operationId} ${page}`;

/** A page that the probes of a list have seen; `own` is the first one of the list's own size. */
export const keptPage = (memory: Memory, list: Operation, page: PageKept): Json =>
  memory[pageName(list, page)];

/** Pages of the largest size. */
export const LARGEST = { per_page: String(MAX_PER_PAGE) };

const SINGLE = { per_page: '1' };

/** How a list is turned over: sizes, addresses, numbers out of range. */
export function turnedPages(
  { operation, settings }: PagedList,
  observe?: Probe['observe'],
): Probe[] {
  const { pageSize, pageUrls } = settings;
  const kept = (memory: Memory, page: PageKept): Json => keptPage(memory, operation, page);
  const refuses = refusingInput(operation, (input) => ({ input }));
  const page = (
    name: string,
    request: Probe['request'],
    [perPage, number, query]: readonly [number, number, Query?],
    { keep, assertions, ...more }: Partial<Probe> & { readonly keep?: PageKept } = {},
  ): Probe => ({
    name,
    operation,
    request,
    ...(keep && { saveAs: pageName(operation, keep) }),
    assertions: (data, memory) => [
      ...pageAssertions(data, perPage, number, pageUrls === 'keep' ? query : {}),
      ...(assertions?.(data, memory) ?? []),
    ],
    ...more,
  });
  const sized = { assumptions: ['list-selection'] } as const;
  const outOfRange = { assumptions: ['page-out-of-range'] } as const;
  const address = new RegExp(`^https?://[^?]*${operation.path}$`);
  // Where the query is not kept, a page URL leads to a page of the list's own size.
  const followedSize = pageUrls === 'keep' ? 1 : pageSize;
  const followedQuery = pageUrls === 'keep' ? SINGLE : {};
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
          return [...pageAssertions(data, pageSize, number), equals('total', total)];
        },
      }),
    ),
    page('lists pages of the size asked for', () => ({ input: SINGLE }), [1, 1, SINGLE], {
      keep: 'single',
      observe: (data) => observePageUrls(data, SINGLE),
      ...sized,
    }),
    page(
      'goes on at its next_page_url',
      (memory) => follow(kept(memory, 'single'), 'next_page_url', settings),
      [followedSize, 2, followedQuery],
      { keep: 'next' },
    ),
    page(
      'goes back at its prev_page_url',
      (memory) => follow(kept(memory, 'next'), 'prev_page_url', settings),
      [followedSize, 1, followedQuery],
      {
        assertions: (_data, memory) => {
          const first = kept(memory, pageUrls === 'keep' ? 'single' : 'own').data;
          const holds = (seen: Json) => sameJson(seen, first);
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
  ];
}

/** Goes where a page URL leads; where it keeps not what it should, that was told of the page it stands on. */
function follow(page: Json, name: string, { pageUrls }: Settings): ProbeRequest | string {
  const url = page[name];
  if (url === null) return 'there is no second page';
  if (pageUrls === 'keep' && !isIn(url)(['per_page', '1'])) {
    return `the ${name} it would follow differs, as told where it was answered`;
  }
  return { url };
}

/** Whether page URLs keep the query that was sent, if there was one. */
export function observePageUrls({ first_page_url: url }: Json, query: Query): Observation[] {
  const sent = Object.entries(query);
  if (sent.length === 0 || !isIn(url)(['page', '1'])) return [];
  return [{ assumption: 'page-urls', value: sent.every(isIn(url)) ? 'keep' : 'drop' }];
}
