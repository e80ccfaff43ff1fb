import type { MerchantState } from '../../../control/merchants.ts';

/* Merchants that are read in pages: of those by id, each page has so many, and the last one fewer. */

type Page = readonly MerchantState[];

/** The merchants that are known, once a page of them was read, perhaps again. */
export function mergePage(
  known: Page,
  page: Page,
  { isFirst, isLast }: { readonly isFirst: boolean; readonly isLast: boolean },
): MerchantState[] {
  // Whoever was known between the ends of the page and is not on it was removed.
  const from = isFirst ? 0 : (page[0]?.id ?? Number.POSITIVE_INFINITY);
  const to = isLast ? Number.POSITIVE_INFINITY : (page.at(-1)?.id ?? 0);
  const others = known.filter(({ id }) => id < from || id > to);
  return [...others, ...page].toSorted((a, b) => a.id - b.id);
}

/**
 * Reads pages until one has the merchant of an id, by halves. Answers false where no page has.
 *
 * @param read answers a page by its number, from 1; one after the last is empty
 */
export async function findOnPages(
  id: number,
  perPage: number,
  read: (page: number) => Promise<Page>,
): Promise<boolean> {
  let from = 1;
  // Ids are whole numbers from 1 on, so that the merchant is no later than this; where none was removed, it is here.
  let to = Math.ceil(id / perPage);
  let number = to;
  while (from <= to) {
    const page = await read(number);
    const [first, last] = [page[0], page.at(-1)];
    if (!first || !last || id < first.id) to = number - 1;
    else if (id > last.id) from = number + 1;
    else return page.some((merchant) => merchant.id === id);
    number = Math.floor((from + to) / 2);
  }
  return false;
}
