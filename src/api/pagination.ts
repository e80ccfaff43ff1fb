/* Pages of a list: its order, the items of a page, and the URLs of the other pages. */

import { z } from '@hono/zod-openapi';
import { MAX_PAGE_SIZE, PAGE_SIZE } from '../world/limits.ts';
import { must } from '../world/rules.ts';
import { choice, type Settings, setting } from '../world/settings.ts';
import type { RuleCall } from './operation.ts';
import { wholeFrom } from './response-fields.ts';

/** The order of all lists. */
export const LIST_ORDER = choice('list-order', {
  'oldest-first': {
    first: 'oldest',
    order: 'oldest to newest',
    positionOf: ({ start }: Selection, place: number) => start + place,
  },
  'newest-first': {
    first: 'newest',
    order: 'newest to oldest',
    positionOf: ({ end }: Selection, place: number) => end - 1 - place,
  },
});

/** The items on a page if the request names no number. */
export const LIST_SELECTION = setting('list-selection', {
  published: { per_page: PAGE_SIZE },
  allowed: { per_page: `1 to ${MAX_PAGE_SIZE}` },
  schema: () => z.strictObject({ per_page: z.int().min(1).max(MAX_PAGE_SIZE) }),
});

type Query = Readonly<Record<string, string | undefined>>;

/** What the URLs of pages keep of a query besides the page. */
export const PAGE_URLS = choice('page-urls', {
  keep: {
    says: 'keeps `per_page` and the filters',
    advice:
      'Page URLs keep `per_page` and the filters (`page-urls`): follow `next_page_url` until it is null.',
    kept: (query: Query): Query => query,
  },
  drop: {
    says: 'has `page` only',
    advice: 'Page URLs have `page` only (`page-urls`): add `per_page` and the filters yourself.',
    kept: (): Query => ({}),
  },
});

const isPageSize = (sent: string): boolean =>
  /^\d+$/.test(sent) && Number(sent) >= 1 && Number(sent) <= MAX_PAGE_SIZE;

/** The query fields of every paginated list (`list-selection`, `page-out-of-range`). */
export function pageFields(settings: Settings) {
  const { per_page: pageSize } = LIST_SELECTION.in(settings);
  return {
    page: z
      .string()
      .optional()
      .meta({
        // A query has text, but to a client this is a number.
        type: 'integer',
        minimum: 1,
        default: 1,
        description: 'Page to return, from 1. Anything but a positive whole number counts as 1.',
        examples: [1],
        'x-assumptions': ['list-selection', 'page-out-of-range'],
      }),
    per_page: z
      .string()
      .refine(isPageSize, must('range', `must be a whole number from 1 to ${MAX_PAGE_SIZE}.`))
      .optional()
      .meta({
        type: 'integer',
        minimum: 1,
        maximum: MAX_PAGE_SIZE,
        default: pageSize,
        description: `Items per page, 1 to ${MAX_PAGE_SIZE}. The default is ${pageSize}.`,
        examples: [pageSize],
        'x-assumptions': ['list-selection'],
      }),
  };
}

export interface PageRequest {
  readonly page?: string | undefined;
  readonly per_page?: string | undefined;
}

/** The description of a list with its order. */
export const listMeta = (settings: Settings, description: string): z.GlobalMeta => ({
  description: `${description}, ${LIST_ORDER.of(settings).first} first.`,
});

/** The `data` of a paginated list with items of this schema. */
export function pageOf<S extends z.ZodType>(settings: Settings, item: S) {
  const whole = z.int().min(1);
  const url = (description: string): z.GlobalMeta => ({
    description: `${description}. It ${PAGE_URLS.of(settings).says}.`,
    'x-assumptions': ['page-urls'],
  });
  const positionOf = (which: string) =>
    whole.nullable().meta({
      description: `Position in the whole list of the ${which} item on this page, from 1. Null if the page is empty.`,
      'x-assumptions': ['page-out-of-range'],
    });
  return z.strictObject({
    current_page: whole.meta({
      description: 'Number of this page.',
      'x-assumptions': ['page-out-of-range'],
    }),
    data: z.array(item).meta({
      ...listMeta(settings, 'The items on this page'),
      'x-assumptions': ['list-order'],
    }),
    first_page_url: z.string().meta(url('URL of the first page')),
    last_page_url: z.string().meta(url('URL of the last page')),
    next_page_url: z
      .string()
      .nullable()
      .meta(url('URL of the next page, or null on the last page')),
    prev_page_url: z
      .string()
      .nullable()
      .meta(url('URL of the previous page, or null on the first page')),
    path: z.string().meta({ description: 'URL of the list without query parameters.' }),
    from: positionOf('first'),
    to: positionOf('last'),
    last_page: whole.meta({
      description: 'Number of the last page. 1 if the list is empty.',
      'x-assumptions': ['page-out-of-range'],
    }),
    total: wholeFrom(0).describe('Number of items on all pages.'),
    per_page: whole.meta({
      description: 'Maximum number of items on a page.',
      'x-assumptions': ['list-selection'],
    }),
  });
}

/** The URL of a list without query, the base of its page URLs. In process a URL may end in a fragment. */
export function listAddress({ env, req }: RuleCall): string {
  const { publicUrl } = env;
  if (publicUrl !== undefined) return publicUrl + req.path;
  const end = req.url.search(/[?#]/);
  return end === -1 ? req.url : req.url.slice(0, end);
}

/** A range of records in a list, from `start` up to but not including `end`. */
export interface Selection {
  readonly start: number;
  readonly end: number;
}

/**
 * One page of a selection of records.
 *
 * @param address the base of the page URLs
 * @param kept query parameters that page URLs keep besides per_page (`page-urls`)
 */
export function paginate<R, Item>(
  records: readonly R[],
  selection: Selection,
  request: PageRequest,
  {
    address,
    settings,
    kept = {},
  }: {
    address: string;
    settings: Settings;
    kept?: Query;
  },
  present: (record: R) => Item,
) {
  const total = selection.end - selection.start;
  const perPage = Number(request.per_page ?? LIST_SELECTION.in(settings).per_page);
  const page = pageNumber(request.page);
  const lastPage = Math.max(1, Math.ceil(total / perPage));
  const skipped = Math.min((page - 1) * perPage, total);
  const taken = Math.min(perPage, total - skipped);

  const { positionOf } = LIST_ORDER.of(settings);
  const items: Item[] = [];
  for (let place = skipped; place < skipped + taken; place++) {
    items.push(present(records[positionOf(selection, place)] as R));
  }

  const query = PAGE_URLS.of(settings).kept({ ...kept, per_page: request.per_page });
  const url = pageUrls(address, query);
  return {
    current_page: page,
    data: items,
    first_page_url: url(1),
    last_page_url: url(lastPage),
    next_page_url: page < lastPage ? url(page + 1) : null,
    prev_page_url: page > 1 ? url(page - 1) : null,
    path: address,
    from: taken === 0 ? null : skipped + 1,
    to: taken === 0 ? null : skipped + taken,
    last_page: lastPage,
    total,
    per_page: perPage,
  };
}

/** The requested page (`page-out-of-range`). */
export function pageNumber(sent: string | undefined): number {
  const page = sent !== undefined && /^\d+$/.test(sent) ? Number(sent) : 1;
  return Number.isSafeInteger(page) && page > 0 ? page : 1;
}

function pageUrls(address: string, kept: Query) {
  let query = '';
  for (const [name, value] of Object.entries(kept)) {
    if (value !== undefined) query += `${name}=${encodeURIComponent(value)}&`;
  }
  return (page: number) => `${address}?${query}page=${page}`;
}
