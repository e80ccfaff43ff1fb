/* Keeps the page up to date: loads what it shows, and follows the events of the sandbox or asks it when there are none. */

import type { MerchantState, WorldEvent } from '../../../types/public.ts';
import { debounce, pause } from '../../layout/client/browser-time.ts';
import { adminHeaders, type CallError, control } from './api.ts';
import { contract } from './contract.ts';
import { messagesOf, type StreamMessage } from './events.ts';
import { addItems, type Item, isCall, MAX_ITEMS } from './items.ts';
import { readMerchants, refreshMerchants, takeMerchant } from './merchants.ts';
import {
  chosenMerchant,
  getState,
  isOneWorld,
  isServerAway,
  notify,
  onChange,
  readAddress,
  setState,
  showsAll,
} from './store.ts';

export function start(): void {
  addEventListener('popstate', () => {
    const { merchant } = getState().address;
    const address = readAddress(location.search);
    // A key shows one World, and on several machines there is no view of all merchants.
    const isKept = isOneWorld(getState()) || (contract.isSpread && address.merchant === undefined);
    setState({ address: { ...address, ...(isKept && { merchant }) } });
  });
  onChange(keepFollowing);
  void readMerchants();
}

/* Loading. */

/** Loads everything that the page shows of the chosen World, or of all. */
async function readWorld(): Promise<void> {
  await Promise.all([readItems(), readChosen()]);
}

/** Items that arrived and are not in the list yet. */
let waiting: Item[] = [];
/** The latest reading of the journal, until it ends. */
let reading: object | undefined;

/** Loads the calls and events from the journals. */
async function readItems(): Promise<void> {
  const own = {};
  reading = own;
  try {
    const items = await readJournal(MAX_ITEMS);
    // A later reading knows more.
    if (reading === own) takeWaiting(items);
  } catch (error) {
    if (reading !== own) return;
    takeWaiting(getState().items ?? []);
    if ((error as CallError).status === 401) refreshMerchants();
  }
}

/** Adds the items that wait to those of the list. */
function takeWaiting(items: readonly Item[]): void {
  reading = undefined;
  setState({ items: addItems(items, waiting.splice(0).reverse()) });
}

async function readJournal(limit: number): Promise<readonly Item[]> {
  const state = getState();
  const query = { limit, events: true };
  const { data } = isOneWorld(state)
    ? await control<{ data: Item[] }>('journal', { query })
    : await control<{ data: Item[] }>('journal/all', {
        query: { ...query, merchant: state.address.merchant },
        headers: adminHeaders(),
      });
  return data;
}

/** Loads the clock and the counts of the chosen merchant. Views then load the rest. */
export async function readChosen(): Promise<void> {
  if (!chosenMerchant(getState())) return;
  try {
    takeMerchant(await control<MerchantState>('merchant'));
    setState({ revision: getState().revision + 1 });
  } catch (error) {
    // The key was rotated or the merchant removed; the list of merchants shows it.
    if ((error as CallError).status === 401) refreshMerchants();
  }
}

/* Following. */

let following: { readonly to: string; readonly stop: AbortController } | undefined;

/** Follows the chosen World, or all, once the page shows another one. */
function keepFollowing(): void {
  const state = getState();
  const { gate, address } = state;
  const chosen = chosenMerchant(state)?.id;
  const isThere = gate.kind === 'open' && (chosen !== undefined || !contract.isSpread);
  const to = isThere ? `${gate.to} ${address.merchant} ${chosen}` : undefined;
  if (to === following?.to) return;
  const former = following;
  former?.stop.abort();
  const stop = new AbortController();
  following = to === undefined ? undefined : { to, stop };
  reading = undefined;
  waiting = [];
  setState({ items: undefined, live: 'connecting' });
  // The list is old. On several machines the merchant may be on a further page.
  if (former && gate.kind === 'open' && chosen === undefined) refreshMerchants();
  if (!following) return;
  const messages = () =>
    isOneWorld(state) ? pollWorld(stop.signal) : messagesOf(chosen, stop.signal);
  void follow(messages, stop.signal);
}

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;

/** Follows events until the page shows something else. After a break, a new stream is tried until one opens. */
async function follow(
  messages: () => AsyncGenerator<StreamMessage>,
  stop: AbortSignal,
): Promise<void> {
  let wait = FIRST_PAUSE_MS;
  while (!stop.aborted) {
    try {
      for await (const { event, data } of messages()) {
        if (stop.aborted) return;
        if (event !== 'opened') happened(event, JSON.parse(data));
        else {
          if (isServerAway(getState())) showBack();
          setState({ live: 'live' });
          wait = FIRST_PAUSE_MS;
          // Events before it were missed, so everything is loaded.
          void readWorld();
        }
      }
    } catch (error) {
      if (stop.aborted) return;
      // The secret was changed or the merchant removed; the list shows which.
      if ([401, 403, 404].includes((error as CallError).status)) return refreshMerchants();
    }
    if (stop.aborted) return;
    // Said once, in place of what was said before.
    if (!isServerAway(getState())) setState({ live: 'reconnecting', notice: undefined });
    await pause(wait);
    wait = Math.min(wait * 2, MAX_PAUSE_MS);
  }
}

/** The sandbox is back, and may be another one. Save points stay: they can be restored into it. */
function showBack(): void {
  notify('ok', 'The sandbox is back.');
  refreshMerchants();
}

const POLL_MS = 1000;

/** Follows the World of a merchant's key, which may not read events. A hidden page does not ask. */
async function* pollWorld(stop: AbortSignal): AsyncGenerator<StreamMessage> {
  let newest: string | undefined;
  for (; !stop.aborted; await pause(POLL_MS)) {
    if (document.hidden && newest !== undefined) continue;
    const now = JSON.stringify(await readJournal(1));
    if (now !== newest) yield { event: 'opened', data: 'null' };
    newest = now;
  }
}

const refreshChosen = debounce(50, () => void readChosen());
const refreshItems = debounce(50, () => void readItems());
/** With more merchants the list is too long to load again and again. */
const MAX_REFRESHED = 500;
const refreshAll = debounce(500, () => {
  if (showsAll(getState()) && getState().merchants.length <= MAX_REFRESHED) refreshMerchants();
});

/** Collects items for this time, so that a burst is drawn once. */
const FLUSH_MS = 16;
const flush = debounce(FLUSH_MS, () => {
  if (!reading) takeWaiting(getState().items ?? []);
});

/** What an event is about: a call, an event of a World, a cleared journal, or a change of merchants. */
type Happened =
  | Item
  | { readonly kind: 'journal_cleared'; readonly merchant: { readonly id: number } };

function happened(event: string | undefined, item: Happened): void {
  if (event === 'merchants') {
    refreshMerchants();
    return;
  }
  refreshAll();
  if ('kind' in item && item.kind === 'journal_cleared') {
    refreshItems();
    return;
  }
  waiting.push(item);
  flush();
  // A reset, a rewind and a restore take calls out of the journal.
  if (!isCall(item) && !KEEPS_CALLS.includes(item.kind)) refreshItems();
  if (!isCall(item) || item.changes.length > 0) refreshChosen();
}

const KEEPS_CALLS: readonly WorldEvent['kind'][] = ['clock', 'fault_added', 'fault_removed'];
