/* Keeps the page up to date: loads what it shows, and follows the events of the sandbox or asks it when there are none. */

import type { MerchantState, WorldEvent } from '../../../types/public.ts';
import { debounce, pause } from '../../layout/client/browser-time.ts';
import { adminHeaders, type CallError, control } from './api.ts';
import { contract } from './contract.ts';
import { messagesOf } from './events.ts';
import { addItems, type Item, isCall, MAX_ITEMS } from './items.ts';
import { readMerchants, refreshMerchants, showRefusal, takeMerchant } from './merchants.ts';
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
    const address = readAddress(location.search);
    // A key shows one World, and on several machines there is no view of all merchants.
    const isKept = isOneWorld(getState()) || (contract.isSpread && address.merchant === undefined);
    setState({ address: { ...address, ...(isKept && { merchant: shown }) } });
  });
  onChange(keepRead);
  onChange(keepFollowing);
  void readMerchants();
}

/* Loading. */

/** The merchant whose World the page shows. */
let shown: number | undefined;

/** Loads what the page shows once it is of another merchant. While the stream opens, that loads it. */
function keepRead(): void {
  const { address, gate, live } = getState();
  if (address.merchant === shown) return;
  shown = address.merchant;
  waiting = [];
  setState({ items: undefined });
  // The counts in the list are old, and on several machines the merchant may be on a further page.
  if (gate.kind === 'open' && !chosenMerchant(getState())) refreshMerchants();
  if (live === 'live' && !contract.isSpread) void readWorld();
}

/** Loads everything that the page shows of the chosen World, or of all. */
async function readWorld(): Promise<void> {
  await Promise.all([readItems(), readChosen()]);
}

/** Items that arrived while the journal is being read. */
let arrived: Item[] = [];

/** Loads the calls and events from the journals. */
async function readItems(): Promise<void> {
  const { gate, address } = getState();
  const own: Item[] = [];
  arrived = own;
  try {
    // On several machines no journal has the calls of all merchants.
    if (gate.kind !== 'open' || (contract.isSpread && !chosenMerchant(getState()))) return;
    const items = await readJournal(MAX_ITEMS);
    // A later read knows more.
    if (arrived !== own || address.merchant !== getState().address.merchant) return;
    setState({ items: addItems(items, own) });
  } catch (error) {
    if (getState().items === undefined) setState({ items: [] });
    showRefusal(error as CallError);
  }
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

/** What the page follows: the events of all merchants or of one by id, or the World of the given key. */
type Followed = 'all' | 'world' | number;

let following: { readonly to: Followed; readonly stop: AbortController } | undefined;

/** Opens the event stream of the sandbox or, on several machines, of the chosen merchant. */
function keepFollowing(): void {
  const state = getState();
  const { gate } = state;
  const chosen = contract.isSpread ? chosenMerchant(state)?.id : 'all';
  const to = gate.kind !== 'open' ? undefined : gate.to === 'world' ? 'world' : chosen;
  if (to === following?.to) return;
  following?.stop.abort();
  following = undefined;
  if (to === undefined) return;
  const stop = new AbortController();
  following = { to, stop };
  setState({ live: 'connecting' });
  void (to === 'world' ? pollWorld(stop.signal) : listenTo(to, stop.signal));
}

const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;

/** Follows the events of all merchants or of one. After a break, a new stream is tried until one opens. */
async function listenTo(to: 'all' | number, stop: AbortSignal): Promise<void> {
  let wasOpen = false;
  let wait = FIRST_PAUSE_MS;
  while (!stop.aborted) {
    try {
      for await (const { event, data } of messagesOf(to === 'all' ? undefined : to, stop)) {
        if (stop.aborted) return;
        if (event !== 'opened') happened(event, JSON.parse(data));
        else {
          if (wasOpen) showBack();
          setState({ live: 'live' });
          wasOpen = true;
          wait = FIRST_PAUSE_MS;
          // Events before it were missed, so everything is loaded.
          void readWorld();
        }
      }
    } catch (error) {
      const { status } = error as CallError;
      if (status === 401 || status === 403) return showRefusal(error as CallError);
      if (status === 404 && to !== 'all') return refreshMerchants();
    }
    if (stop.aborted) return;
    showAway();
    // Shows what can be loaded without events.
    if (!wasOpen) void readWorld();
    await pause(wait);
    wait = Math.min(wait * 2, MAX_PAUSE_MS);
  }
}

/** The sandbox is away: that is said once, and takes the place of what was said before. */
function showAway(): void {
  if (!isServerAway(getState())) setState({ live: 'reconnecting', notice: undefined });
}

/** The sandbox is back, and may be another one. Save points stay: they can be restored into it. */
function showBack(): void {
  notify('ok', 'The sandbox is back.');
  refreshMerchants();
}

const POLL_MS = 1000;

/** Follows the World of a merchant's key, which may not read events. A hidden page does not ask. */
async function pollWorld(stop: AbortSignal): Promise<void> {
  let newest: string | undefined;
  while (!stop.aborted) {
    if (!document.hidden || getState().live !== 'live') {
      try {
        const [item] = await readJournal(1);
        if (stop.aborted) return;
        const now = JSON.stringify(item) ?? '';
        if (isServerAway(getState())) showBack();
        if (now !== newest || getState().items === undefined) await readWorld();
        newest = now;
        setState({ live: 'live' });
      } catch (error) {
        if ((error as CallError).status === 401) refreshMerchants();
        else showAway();
      }
    }
    await pause(POLL_MS);
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
let waiting: Item[] = [];
const flush = debounce(FLUSH_MS, () => {
  const fresh = waiting.toReversed();
  waiting = [];
  arrived.unshift(...fresh);
  setState({ items: addItems(getState().items ?? [], fresh) });
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
  const state = getState();
  refreshAll();
  if (!showsAll(state) && item.merchant?.id !== state.address.merchant) return;
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
