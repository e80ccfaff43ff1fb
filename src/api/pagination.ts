import { z } from '@hono/zod-openapi';
import { type Settings, SHARED_SETTINGS } from '../world/settings.ts';
import type { MerchantDirectory } from './context.ts';
import { bySettings } from './request-forms.ts';

export const MAX_PER_PAGE = 100;

/** The query fields of every paginated list (`list-selection`, `page-out-of-range`). */
export const pageFields = {
  page: z
    .string()
    .optional()
    .meta({
      // The text of a query, but to a client a number.
      type: 'integer',
      minimum: 1,
      default: 1,
      description: 'Page to answer, from 1; what is no positive whole number counts as 1.',
      examples: [1],
      'x-assumptions': ['list-selection', 'page-out-of-range'],
    }),
  per_page: z
    .string()
    .regex(/^0*([1-9]\d?|100)$/, {
      error: `must be a whole number from 1 to ${MAX_PER_PAGE}.`,
    })
    .optional()
    .meta({
      type: 'integer',
      minimum: 1,
      maximum: MAX_PER_PAGE,
      ...bySettings(SHARED_SETTINGS, ({ pageSize }) => ({
        default: pageSize,
        description: `Elements on a page, 1 to ${MAX_PER_PAGE}; ${pageSize} unless given.`,
        examples: [pageSize],
      })),
      'x-assumptions': ['list-selection'],
    }),
};

export interface PageRequest {
  readonly page?: string | undefined;
  readonly per_page?: string | undefined;
}

const whole = z.int().min(1);
const urlMeta = (description: string): z.GlobalMeta => ({
  ...bySettings(SHARED_SETTINGS, ({ pageUrls }) => ({
    description: `${description}; it ${pageUrls === 'keep' ? 'keeps per_page and selection' : 'names the page alone'}.`,
  })),
  'x-assumptions': ['page-urls'],
});
const url = (description: string) => z.string().meta(urlMeta(description));
const urlOrNull = (description: string) => z.string().nullable().meta(urlMeta(description));

/** What a document says of the order of a list. */
export const listMeta = (description: string) =>
  bySettings(SHARED_SETTINGS, ({ listOrder }) => ({
    description: `${description}, ${listOrder === 'oldest-first' ? 'oldest' : 'newest'} first.`,
  }));
const placeOf = (which: string) =>
  whole.nullable().meta({
    description: `Place in the whole list of the ${which} element on the page; null on an empty one.`,
    'x-assumptions': ['page-out-of-range'],
  });

const beforeItems = {
  current_page: whole.meta({
    description: 'The page asked for.',
    'x-assumptions': ['page-out-of-range'],
  }),
};
const behindItems = {
  first_page_url: url('Address of the first page'),
  last_page_url: url('Address of the last page'),
  next_page_url: urlOrNull('Address of the next page, null on the last'),
  prev_page_url: urlOrNull('Address of the page before, null on the first'),
  path: z.string().meta({ description: 'Address of the list itself, without a query.' }),
  from: placeOf('first'),
  to: placeOf('last'),
  last_page: whole.meta({
    description: 'How many pages there are; 1 for an empty list.',
    'x-assumptions': ['page-out-of-range'],
  }),
  total: z
    .int()
    .min(0)
    .meta({
      description: 'How many elements there are on all pages.',
      'x-unpublished': ['minimum'],
    }),
  per_page: whole.meta({
    description: 'How many elements a page holds at most.',
    'x-assumptions': ['list-selection'],
  }),
};

/** The `data` of a paginated list, its items of the given schema. */
export const pageOf = <S extends z.ZodType>(item: S) =>
  z.strictObject({
    ...beforeItems,
    data: z.array(item).meta({
      ...listMeta('The elements on the page'),
      'x-assumptions': ['list-order'],
    }),
    ...behindItems,
  });

/** The address of a list: the base of its page URLs. In process it may end in a fragment. */
export function listAddress({
  env,
  req,
}: {
  readonly env: { readonly merchants: Pick<MerchantDirectory, 'publicUrl'> };
  readonly req: { readonly url: string; readonly path: string };
}): string {
  const { publicUrl } = env.merchants;
  if (publicUrl !== undefined) return publicUrl + req.path;
  const end = req.url.search(/[?#]/);
  return end === -1 ? req.url : req.url.slice(0, end);
}

/** A run of records: positions `start` up to, not including, `end` of a list. */
export interface Selection {
  readonly start: number;
  readonly end: number;
}

/**
 * One page of a selection of records.
 *
 * @param address the base of the page URLs
 * @param kept query fields that the page URLs keep besides per_page (`page-urls`)
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

  const query = settings.pageUrls === 'drop' ? {} : { ...kept, per_page: request.per_page };
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

/** The page that a query asks for (`page-out-of-range`). */
export function pageNumber(sent: string | undefined): number {
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
