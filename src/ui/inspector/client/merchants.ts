import { debounce } from '../../layout/client/browser-time.ts';
import { answerOf, asAdmin, type CallError, control, hasToken } from './api.ts';
import { findOnPages, mergePage } from './merchant-pages.ts';
import { chosenMerchant, contract, getState, type Merchant, notify, setState } from './store.ts';

/* The merchants of the sandbox, and what happens where it does not let this page see them. */

/**
 * Reads the merchants: all of them, or where each is asked for on a machine of its own the first page, and later the
 * one that has the chosen merchant.
 */
export async function readMerchants(): Promise<void> {
  try {
    if (contract.isSpread) await readPages();
    else setState({ merchants: await list(undefined) });
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

/** Reads the page after those that were read; after the last one, that one again. */
export async function readNextPage(): Promise<void> {
  const { read, isLast } = getState().pages;
  const next = isLast ? read : read + 1;
  const { length } = await readPage(next);
  setState({ pages: { read: next, isLast: length < contract.merchantsPerPage } });
}

async function readPage(page: number): Promise<readonly Merchant[]> {
  const merchants = await list(page);
  const isLast = merchants.length < contract.merchantsPerPage;
  setState({
    merchants: mergePage(getState().merchants, merchants, { isFirst: page === 1, isLast }),
  });
  return merchants;
}

const list = async (page: number | undefined): Promise<readonly Merchant[]> => {
  const query = page === undefined ? {} : { page };
  return (await answerOf(control.merchants.$get({ query }, asAdmin()))).data;
};

/** Looks for the chosen merchant where it is none of those that were read. */
export async function findChosen(): Promise<void> {
  if (chosenMerchant(getState())) return;
  setState({ isFinding: true });
  await readMerchants();
  setState({ isFinding: false });
}

/** Takes over a merchant as it was answered: a new one, or one with a new key. */
export const takeMerchant = (merchant: Merchant): void =>
  setState({
    merchants: mergePage(getState().merchants, [merchant], { isFirst: false, isLast: false }),
  });

/** Forgets a merchant that was removed. */
export const dropMerchant = (removed: number): void =>
  setState({ merchants: getState().merchants.filter(({ id }) => id !== removed) });

/** With thousands of merchants that come at once the list is read now and then. */
export const refreshMerchants = debounce(300, () => void readMerchants());

/** Puts what is needed between a person and the sandbox: the admin token, or an explanation. */
export function showRefusal({ status, message }: CallError): void {
  if (status === 401) setState({ gate: { kind: 'token', wrong: hasToken() } });
  else if (status === 403) setState({ gate: { kind: 'forbidden', detail: message } });
  else if (getState().merchants.length === 0) {
    setState({ gate: { kind: 'unreachable', detail: message } });
  }
}

/** Does something a person asked for, and says what the sandbox says against it. */
export async function attempt<Answer>(act: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await act;
  } catch (error) {
    const { message, places = [], status } = error as CallError;
    // The key was changed, the merchant removed, or the admin token is another one: the list tells.
    if (status === 401) refreshMerchants();
    notify('bad', message, places);
    return undefined;
  }
}
