/* Loads the merchants of the sandbox, and asks for a token or a key without access to them. */

import type { MerchantState } from '../../../types/public.ts';
import { after, browserNow, debounce } from '../../layout/client/browser-time.ts';
import type { Contract } from '../contract.ts';
import { adminHeaders, adminToken, bearer, type CallError, control, merchantKey } from './api.ts';
import { contract } from './contract.ts';
import { getState, go, isServerAway, namesMerchant, notify, setState } from './store.ts';

/**
 * The merchant that a page without an address opens on: the only one in use, or the first while none is. Undefined for
 * all merchants.
 */
export function merchantToOpen(
  merchants: readonly MerchantState[],
  { opensWorlds }: Pick<Contract, 'opensWorlds'>,
): number | undefined {
  const [first, second] = merchants.filter(({ counts }) => counts.exchanges > 0);
  if (second) return undefined;
  // A new key would open a World of its own.
  return (first ?? (opensWorlds ? undefined : merchants[0]))?.id;
}

/** The number of policies of all families. */
export const policiesOf = ({ counts }: MerchantState): number =>
  contract.families.reduce((sum, { key }) => sum + Number(Reflect.get(counts, key)), 0);

/** Returns whether other secrets are in use by now: what was asked with the former ones says nothing any more. */
function watchSecrets(): () => boolean {
  const [key, token] = [merchantKey.get(), adminToken.get()];
  return () => merchantKey.get() !== key || adminToken.get() !== token;
}

/** Loads all merchants or, if they come in pages, those that the page shows. */
export async function readMerchants(): Promise<void> {
  const key = merchantKey.get();
  if (key !== undefined) return openWorld(key);
  const isOutdated = watchSecrets();
  try {
    const merchants = contract.isSpread ? await readPages() : await list();
    if (isOutdated()) return;
    setState({ merchants, readAt: browserNow(), gate: { kind: 'open', to: 'sandbox' } });
    openFirst(merchants);
  } catch (error) {
    if (!isOutdated()) showRefusal(error as CallError);
  }
}

/** Opens the page on a merchant if its address names none. On several machines there is no view of all. */
function openFirst(merchants: readonly MerchantState[]): void {
  const { address } = getState();
  if (contract.isSpread && address.merchant === undefined) {
    go({ merchant: merchants[0]?.id }, 'replace');
  } else if (!namesMerchant(location.search)) {
    go({ merchant: merchantToOpen(merchants, contract) }, 'replace');
  }
}

/** Opens the World of a merchant's key, which may not list merchants. */
export async function openWorld(key: string): Promise<void> {
  const isOutdated = watchSecrets();
  try {
    const merchant = await control<MerchantState>('merchant', { headers: bearer(key) });
    if (isOutdated()) return;
    merchantKey.set(key);
    const read = { merchants: [merchant], readAt: browserNow() };
    go({ merchant: merchant.id }, 'replace', { ...read, gate: { kind: 'open', to: 'world' } });
  } catch (error) {
    if (isOutdated()) return;
    if ((error as CallError).status === 401) await askAgain(true);
    else showRefusal(error as CallError);
  }
}

/** Opens the page with the admin token, or one World with the key of its merchant. */
export async function enter(secret: string): Promise<void> {
  adminToken.set(secret);
  await readMerchants();
  if (getState().gate.kind !== 'closed') return;
  adminToken.set(undefined);
  await openWorld(secret);
}

/** Forgets the merchant's key, and asks for another secret. */
export async function askAgain(isWrong = false): Promise<void> {
  merchantKey.set(undefined);
  setState({ merchants: [], gate: { kind: 'loading' } });
  await readMerchants();
  const { gate } = getState();
  if (gate.kind === 'closed') setState({ gate: { ...gate, isWrong } });
}

const list = async (query: { page?: number } = {}): Promise<readonly MerchantState[]> =>
  (await control<{ data: MerchantState[] }>('merchants', { query, headers: adminHeaders() })).data;

/** Loads the pages that are open, and the one of the chosen merchant. */
async function readPages(): Promise<readonly MerchantState[]> {
  const merchants: MerchantState[] = [];
  const { pages, address } = getState();
  const { merchant: chosen = 0 } = address;
  for (let page = 1; page <= pages; page++) merchants.push(...(await list({ page })));
  // Pages are ordered by id, and ids count from 1: a merchant is on this page, or before it if others were removed.
  for (let page = Math.ceil(chosen / contract.merchantsPerPage); page > pages; page--) {
    const further = await list({ page });
    const isThere = further.some(({ id }) => id <= chosen);
    if (isThere) return [...merchants, ...further];
  }
  return merchants;
}

/** Stores a new merchant, or what is new of a known one. */
export function takeMerchant(merchant: MerchantState): void {
  const others = getState().merchants.filter(({ id }) => id !== merchant.id);
  const merchants = [...others, merchant].toSorted((a, b) => a.id - b.id);
  setState({ merchants, readAt: browserNow() });
}

/** Loads one more page of merchants. */
export async function readNextPage(): Promise<void> {
  setState({ pages: getState().pages + 1 });
  await readMerchants();
}

/** Loads the list once for many changes. */
export const refreshMerchants = debounce(300, () => void readMerchants());

const RETRY_MS = 2000;

/** Shows what is needed for access, or tries again until the sandbox can be reached. */
export function showRefusal({ status, message }: CallError): void {
  if (status === 401 || status === 403) {
    setState({ gate: { kind: 'closed', hasToken: status === 401, isWrong: false } });
  } else if (getState().merchants.length === 0) {
    setState({ gate: { kind: 'unreachable', detail: message } });
    after(RETRY_MS, () => void readMerchants());
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
