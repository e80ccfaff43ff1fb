import { debounce } from '../../layout/client/browser-time.ts';
import { admin, answerOf, type CallError, hasToken } from './api.ts';
import { chosenMerchant, contract, getState, type Merchant, notify, setState } from './store.ts';

/* The merchants of the sandbox, or what to do without access to them. */

/** Loads all merchants or, if they come in pages, the first page and the one with the chosen merchant. */
export async function readMerchants(): Promise<void> {
  try {
    if (contract.isSpread) await readPages();
    else setState({ merchants: await list() });
    setState({ gate: { kind: 'open' } });
  } catch (error) {
    showRefusal(error as CallError);
  }
}

async function readPages(): Promise<void> {
  const isFirst = getState().pages.read === 0;
  if (isFirst) await readNextPage();
  const { merchant } = getState().address;
  if (merchant === undefined || (isFirst && chosenMerchant(getState()))) return;
  if (!(await findOnPages(merchant, contract.merchantsPerPage, readPage))) dropMerchant(merchant);
}

/** Loads the next page; after the last one, that one again. */
export async function readNextPage(): Promise<void> {
  const { read, isLast } = getState().pages;
  const next = isLast ? read : read + 1;
  const { length } = await readPage(next);
  setState({ pages: { read: next, isLast: length < contract.merchantsPerPage } });
}

async function readPage(page: number): Promise<readonly Merchant[]> {
  const merchants = await list({ page });
  const isLast = merchants.length < contract.merchantsPerPage;
  take(merchants, { isFirst: page === 1, isLast });
  return merchants;
}

const list = async (query: { page?: number } = {}): Promise<readonly Merchant[]> =>
  (await answerOf(admin.merchants.$get({ query }))).data;

/** Searches for the chosen merchant on further pages. */
export async function findChosen(): Promise<void> {
  if (chosenMerchant(getState())) return;
  setState({ isFinding: true });
  await readMerchants();
  setState({ isFinding: false });
}

/** Stores a merchant from a response: a new one, or one with a new key. */
export const takeMerchant = (merchant: Merchant): void =>
  take([merchant], { isFirst: false, isLast: false });

const take = (page: Page, ends: Ends): void =>
  setState({ merchants: mergePage(getState().merchants, page, ends) });

/** Drops a removed merchant. */
export const dropMerchant = (removed: number): void =>
  setState({ merchants: getState().merchants.filter(({ id }) => id !== removed) });

/** Loads the list once for many changes. */
export const refreshMerchants = debounce(300, () => void readMerchants());

/** Shows what is needed for access: the admin token, or an explanation. */
export function showRefusal({ status, message }: CallError): void {
  if (status === 401) setState({ gate: { kind: 'token', wrong: hasToken() } });
  else if (status === 403) setState({ gate: { kind: 'forbidden', detail: message } });
  else if (getState().merchants.length === 0) {
    setState({ gate: { kind: 'unreachable', detail: message } });
  }
}

/** Runs an action of the user and shows the message of a refusal. */
export async function attempt(act: () => Promise<unknown>): Promise<void> {
  try {
    await act();
  } catch (error) {
    const { message, places = [], status } = error as CallError;
    // The key was rotated, the merchant removed, or the admin token changed; the list shows which.
    if (status === 401) refreshMerchants();
    notify('bad', message, places);
  }
}

type Page = readonly Merchant[];

/** Whether a page is the first, and the last. */
interface Ends {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** Merges a loaded page into the known merchants. Pages are ordered by id. */
export function mergePage(known: Page, page: Page, { isFirst, isLast }: Ends): Merchant[] {
  // A known merchant within the page's range that is not on the page was removed.
  const from = isFirst ? 0 : (page[0]?.id ?? Number.POSITIVE_INFINITY);
  const to = isLast ? Number.POSITIVE_INFINITY : (page.at(-1)?.id ?? 0);
  const others = known.filter(({ id }) => id < from || id > to);
  return [...others, ...page].toSorted((a, b) => a.id - b.id);
}

/**
 * Finds the page of a merchant by binary search. Returns whether the merchant exists.
 *
 * @param read returns a page by number, from 1; empty after the last
 */
export async function findOnPages(
  id: number,
  perPage: number,
  read: (page: number) => Promise<Page>,
): Promise<boolean> {
  let from = 1;
  // Ids count from 1, so the merchant is on this page at the latest, and exactly here if none was removed.
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
