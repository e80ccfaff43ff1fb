/* Loads the merchants of the sandbox, and asks for a token or a key without access to them. */

import type { MerchantState } from '../../../types/public.ts';
import { browserNow, debounce } from '../../layout/client/browser-time.ts';
import type { Contract } from '../contract.ts';
import { adminHeaders, bearer, type CallError, control, getSecret, setSecret } from './api.ts';
import { contract } from './contract.ts';
import {
  type Gate,
  getState,
  go,
  isOneWorld,
  isServerAway,
  namesMerchant,
  notify,
  type State,
  setState,
} from './store.ts';

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

/** Loads the merchants that the secret gives access to, or asks for another secret. */
export async function readMerchants(): Promise<void> {
  const used = getSecret();
  const read = await readAllowed(used).catch((error: CallError) => error);
  // What was asked with a former secret says nothing any more.
  if (getSecret() !== used) return;
  if ('status' in read) return showRefusal(read);
  setState({ ...read, readAt: browserNow() });
  openFirst(read.merchants);
}

type Allowed = Pick<State, 'merchants'> & { readonly gate: Gate };

/** All merchants or, if they come in pages, those that the page shows; only its own with the key of a merchant. */
async function readAllowed(used: string | undefined): Promise<Allowed> {
  try {
    const merchants = contract.isSpread ? await readPages() : await list();
    return { merchants, gate: { kind: 'open', to: 'sandbox' } };
  } catch (error) {
    if (used === undefined || !isDenied(error as CallError)) throw error;
    const merchant = await control<MerchantState>('merchant', { headers: bearer(used) }).catch(
      (own: CallError) => {
        throw isDenied(own) ? error : own;
      },
    );
    return { merchants: [merchant], gate: { kind: 'open', to: 'world' } };
  }
}

const isDenied = ({ status }: CallError): boolean => status === 401 || status === 403;

/** Opens the page on a merchant if its address names none. With a key, and on several machines, there is no view of all. */
function openFirst(merchants: readonly MerchantState[]): void {
  const state = getState();
  if (isOneWorld(state) || (contract.isSpread && state.address.merchant === undefined)) {
    go({ merchant: merchants[0]?.id }, 'replace');
  } else if (!namesMerchant(location.search)) {
    go({ merchant: merchantToOpen(merchants, contract) }, 'replace');
  }
}

/** Uses the admin token or a merchant's key, or asks for another one. */
export async function enter(given: string | undefined): Promise<void> {
  setSecret(given);
  await readMerchants();
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

const retry = debounce(2000, () => void readMerchants());

/** Asks for what is needed for access, or tries again until the sandbox can be reached. */
function showRefusal(error: CallError): void {
  if (isDenied(error)) {
    const isWrong = getSecret() !== undefined;
    setSecret(undefined);
    const hasToken = error.status === 401;
    setState({ merchants: [], gate: { kind: 'closed', hasToken, isWrong } });
    return;
  }
  if (getState().gate.kind === 'loading') setState({ live: 'reconnecting' });
  retry();
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
