import * as z from 'zod/mini';
import { describe } from '../core/schema.ts';
import type { Settings } from '../core/settings.ts';

export const MOST_PER_PAGE = 100;

/** The query fields of every paginated list (`list-selection`, `page-out-of-range`). */
export const pageFields = () => ({
  page: z.optional(
    describe(z.string(), {
      description: 'Page to answer, from 1; what is no positive whole number counts as 1.',
      examples: [1],
      published: { type: 'integer', minimum: 1, default: 1 },
      'x-assumptions': ['list-selection', 'page-out-of-range'],
    }),
  ),
  per_page: z.optional(
    describe(
      z.string().check(
        z.regex(/^0*([1-9]\d?|100)$/, {
          error: `must be a whole number from 1 to ${MOST_PER_PAGE}.`,
        }),
      ),
      {
        description: `Elements on a page, 1 to ${MOST_PER_PAGE}; 15 unless given.`,
        examples: [15],
        published: { type: 'integer', minimum: 1, maximum: MOST_PER_PAGE, default: 15 },
        'x-assumptions': ['list-selection'],
      },
    ),
  ),
});

export interface PageRequest {
  readonly page?: string | undefined;
  readonly per_page?: string | undefined;
}

/** The `data` of a paginated list, its items of the given form. */
export const pageOf = <S extends z.core.$ZodType>(item: S) => {
  const whole = () => z.int().check(z.gte(1));
  const say = <F extends z.core.$ZodType>(field: F, description: string) =>
    describe(field, { description });
  const bound = (which: string) =>
    describe(z.nullable(whole()), {
      description: `Place in the whole list of the ${which} element on the page; null on an empty one.`,
      'x-assumptions': ['page-out-of-range'],
    });
  return z.strictObject({
    current_page: say(whole(), 'The page asked for.'),
    data: say(z.array(item), 'The elements on the page.'),
    first_page_url: say(z.string(), 'Address of the first page; it keeps per_page and selection.'),
    last_page_url: say(z.string(), 'Address of the last page.'),
    next_page_url: say(z.nullable(z.string()), 'Address of the next page; null on the last.'),
    prev_page_url: say(z.nullable(z.string()), 'Address of the page before; null on the first.'),
    path: say(z.string(), 'Address of the list itself.'),
    from: bound('first'),
    to: bound('last'),
    last_page: say(whole(), 'How many pages there are; 1 for an empty list.'),
    total: say(z.int().check(z.gte(0)), 'How many elements there are on all pages.'),
    per_page: say(whole(), 'How many elements a page holds at most.'),
  });
};

/** A run of records: positions `start` up to, not including, `end` of a list. */
export interface Selection {
  readonly start: number;
  readonly end: number;
}

/**
 * One page of a selection of records.
 *
 * @param address the base of the page URLs
 * @param kept query fields that the page URLs keep besides per_page
 */
export function paginate<R, Item>(
  records: readonly R[],
  { start, end }: Selection,
  request: PageRequest,
  {
    address,
    settings,
    kept = {},
  }: {
    address: string;
    settings: Settings;
    kept?: Readonly<Record<string, string | undefined>>;
  },
  present: (record: R) => Item,
) {
  const total = end - start;
  const perPage = request.per_page === undefined ? settings.pageSize : Number(request.per_page);
  const page = pageNumber(request.page);
  const lastPage = Math.max(1, Math.ceil(total / perPage));
  const skipped = Math.min((page - 1) * perPage, total);
  const taken = Math.min(perPage, total - skipped);

  const items: Item[] = [];
  for (let place = skipped; place < skipped + taken; place++) {
    const position = settings.listOrder === 'newest-first' ? end - 1 - place : start + place;
    items.push(present(records[position] as R));
  }

  const url = pageUrls(address, { ...kept, per_page: request.per_page });
  return {
    current_page: page,
    data: items,
    first_page_url: url(1),
    last_page_url: url(lastPage),
    next_page_url: page < lastPage ? url(page + 1) : null,
    prev_page_url: page > 1 ? url(Math.min(page - 1, lastPage)) : null,
    path: address,
    from: taken === 0 ? null : skipped + 1,
    to: taken === 0 ? null : skipped + taken,
    last_page: lastPage,
    total,
    per_page: perPage,
  };
}

function pageNumber(sent: string | undefined): number {
  const page = sent !== undefined && /^\d+$/.test(sent) ? Number(sent) : 1;
  return Number.isSafeInteger(page) && page > 0 ? page : 1;
}

function pageUrls(address: string, kept: Readonly<Record<string, string | undefined>>) {
  let query = '';
  for (const [name, value] of Object.entries(kept)) {
    if (value !== undefined) query += `${name}=${encodeURIComponent(value)}&`;
  }
  return (page: number) => `${address}?${query}page=${page}`;
}
