/* Loads the merchants of the sandbox, and asks for a token or a key without access to them. */

import type { ClockState, MerchantState } from '../../../types/public.ts';
import { debounce } from '../../layout/client/browser-time.ts';
import type { Contract } from '../contract.ts';
import { adminHeaders, adminToken, bearer, type CallError, control, merchantKey } from './api.ts';
import { contract } from './contract.ts';
import {
  chosenMerchant,
  getState,
  isServerAway,
  type LoadedMerchant,
  notify,
  setState,
} from './store.ts';

/** Whether a merchant has calls. */
export const isInUse = ({ counts }: LoadedMerchant): boolean => (counts?.exchanges ?? 0) > 0;

/**
 * The merchant that a page without an address opens on: the only one in use, or the first while none is. Undefined for
 * all merchants.
 */
export function merchantToOpen(
  merchants: readonly LoadedMerchant[],
  { opensWorlds }: Pick<Contract, 'opensWorlds'>,
): number | undefined {
  const [first, second] = merchants.filter(isInUse);
  if (second) return undefined;
  // A new key would open a World of its own.
  return (first ?? (opensWorlds ? undefined : merchants[0]))?.id;
}

/** Returns whether other secrets are in use by now: what was asked with the former ones says nothing any more. */
function watchSecrets(): () => boolean {
  const [key, token] = [merchantKey.get(), adminToken.get()];
  return () => merchantKey.get() !== key || adminToken.get() !== token;
}

/** Loads all merchants or, if they come in pages, the first page and the one with the chosen merchant. */
export async function readMerchants(): Promise<void> {
  const key = merchantKey.get();
  if (key !== undefined) return openWorld(key);
  const isOutdated = watchSecrets();
  try {
    const merchants = contract.isSpread ? undefined : await list();
    if (!merchants) await readPages();
    if (isOutdated()) return;
    setState({ ...(merchants && { merchants }), gate: { kind: 'open', to: 'sandbox' } });
  } catch (error) {
    if (!isOutdated()) showRefusal(error as CallError);
  }
}

/** Opens the World of a merchant's key, which may not list merchants. */
export async function openWorld(key: string): Promise<void> {
  const isOutdated = watchSecrets();
  try {
    const clock = await control<ClockState>('clock', { headers: bearer(key) });
    if (isOutdated()) return;
    merchantKey.set(key);
    const merchant = { id: 0, name: 'Your merchant', api_key: key, clock };
    setState({ merchants: [merchant], gate: { kind: 'open', to: 'world' } });
  } catch (error) {
    if (isOutdated()) return;
    if ((error as CallError).status === 401) await askAgain('key');
    else showRefusal(error as CallError);
  }
}

/** Opens the page with the admin token. */
export async function openWithToken(token: string): Promise<void> {
  adminToken.set(token);
  await readMerchants();
}

/** Forgets the merchant's key, and asks for another secret. */
export async function askAgain(wrong?: 'key'): Promise<void> {
  merchantKey.set(undefined);
  setState({ merchants: [], gate: { kind: 'loading' } });
  await readMerchants();
  const { gate } = getState();
  if (gate.kind === 'token' || gate.kind === 'key') setState({ gate: { ...gate, wrong } });
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

async function readPage(page: number): Promise<readonly LoadedMerchant[]> {
  const merchants = await list({ page });
  const isLast = merchants.length < contract.merchantsPerPage;
  take(merchants, { isFirst: page === 1, isLast });
  return merchants;
}

const list = async (query: { page?: number } = {}): Promise<readonly LoadedMerchant[]> =>
  (await control<{ data: MerchantState[] }>('merchants', { query, headers: adminHeaders() })).data;

/** Searches for the chosen merchant on further pages. */
export async function findChosen(): Promise<void> {
  if (chosenMerchant(getState())) return;
  setState({ isFinding: true });
  await readMerchants();
  setState({ isFinding: false });
}

/** Stores a merchant from a response: a new one, or one with a new key. */
export const takeMerchant = (merchant: MerchantState): void =>
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
  if (status === 401) {
    setState({
      gate: { kind: 'token', wrong: adminToken.get() === undefined ? undefined : 'token' },
    });
  } else if (status === 403) setState({ gate: { kind: 'key', wrong: undefined } });
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
    // The page says once that the sandbox is away.
    if (status !== 0 || !isServerAway(getState())) notify('bad', message, { lines: places });
  }
}

type Page = readonly LoadedMerchant[];

/** Whether a page is the first, and the last. */
interface Ends {
  readonly isFirst: boolean;
  readonly isLast: boolean;
}

/** Merges a loaded page into the known merchants. Pages are ordered by id. */
export function mergePage(known: Page, page: Page, { isFirst, isLast }: Ends): LoadedMerchant[] {
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
