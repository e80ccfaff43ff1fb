/* Keeps the page up to date: follows the events of the sandbox, or asks it when there are none. */

import { after, debounce, pause } from '../../layout/client/browser-time.ts';
import { belongsTo, type ListedCall } from './call.ts';
import { eventsOf, type Happened, type WorldEvent } from './events.ts';
import {
  dropMerchant,
  merchantToOpen,
  openWithToken,
  openWorld,
  readMerchants,
  refreshMerchants,
  showRefusal,
} from './merchants.ts';
import { isAnotherWorld } from './restart.ts';
import {
  chosenMerchant,
  contract,
  getState,
  go,
  isServerAway,
  namesMerchant,
  notify,
  onChange,
  readAddress,
  type State,
  setState,
  showsAll,
} from './store.ts';
import { nextOrder, recordArrival } from './timeline.ts';
import * as world from './world.ts';

const RETRY_MS = 2000;

export function start(): void {
  addEventListener('popstate', () => {
    const { address } = getState();
    const read = readAddress(location.search);
    // On several machines there is no view of all merchants.
    const merchant = contract.isSpread ? (read.merchant ?? address.merchant) : read.merchant;
    world.goBack({ ...read, merchant });
  });
  onChange(keepFollowing);
  onChange(keepTrying);
  void begin(readMerchants);
}

/** Opens the page with the admin token, or one World with the key of its merchant. */
export const enter = (secret: string, what: 'token' | 'key'): Promise<void> =>
  begin(() => (what === 'token' ? openWithToken(secret) : openWorld(secret)));

/** Starts, or starts again with another secret or when the sandbox is back. */
async function begin(access: () => Promise<void>): Promise<void> {
  await access();
  const { address, gate, merchants } = getState();
  if (gate.kind !== 'open') return;
  if (contract.isSpread && gate.to === 'sandbox' && address.merchant === undefined) {
    go({ merchant: merchants[0]?.id }, 'replace');
  } else if (gate.to === 'sandbox' && !namesMerchant(location.search)) {
    go({ merchant: merchantToOpen(merchants, contract) }, 'replace');
  }
  setState(world.beforeReading(getState().address.merchant));
}

let isTrying = false;

/** Starts again until the sandbox can be reached. */
function keepTrying(): void {
  if (isTrying || getState().gate.kind !== 'unreachable') return;
  isTrying = true;
  after(RETRY_MS, () => {
    isTrying = false;
    void begin(readMerchants);
  });
}

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

async function listenTo(to: 'all' | number, stop: AbortSignal): Promise<void> {
  let wasOpen = false;
  for await (const event of eventsOf(to === 'all' ? undefined : to, stop)) {
    if (stop.aborted) return;
    if (event.kind === 'opened') {
      const before = wasOpen ? showAgain() : undefined;
      setState({ live: 'live' });
      // A new stream may have missed events, so everything is loaded once it is open.
      if (wasOpen) refreshMerchants();
      void world.readWorld().then(() => before && tellRestart(before));
      wasOpen = true;
    } else if (event.kind === 'broke') {
      showAway();
      // Shows what can be loaded without events.
      if (!wasOpen) void world.readWorld();
    } else if (event.kind === 'refused') {
      if (event.error.status === 404) dropMerchant(Number(to));
      else showRefusal(event.error);
    } else happened(event);
  }
}

/** The sandbox is away: that is said once, and takes the place of what was said before. */
function showAway(): void {
  if (!isServerAway(getState())) setState({ live: 'reconnecting', notice: undefined });
}

/** The sandbox is back, and may be another one: what was said of it no longer holds. Returns what the page knew. */
function showAgain(): State {
  const before = getState();
  setState({ changes: [], revision: before.revision + 1, notice: undefined });
  return before;
}

/** Says once, until the page shows something else, that what the page knew is gone. */
function tellRestart(before: State): void {
  const now = getState();
  const isShown = before.address.merchant === now.address.merchant;
  if (isShown && isAnotherWorld(before, now)) {
    notify('bad', 'The sandbox was restarted: its records are new.');
  }
}

const POLL_MS = 1000;

/** Follows the World of a merchant's key, which may not read events. A hidden page does not ask. */
async function pollWorld(stop: AbortSignal): Promise<void> {
  let known = getState();
  while (!stop.aborted) {
    if (!document.hidden || getState().live !== 'live') {
      if (!isServerAway(getState())) known = getState();
      const isBack = await world.readChanges();
      if (stop.aborted) return;
      if (isBack && isServerAway(getState())) {
        showAgain();
        tellRestart(known);
      }
      if (isBack) setState({ live: 'live' });
      else showAway();
    }
    await pause(POLL_MS);
  }
}

const refreshCounts = debounce(150, () => void world.readCounts());

/** With more merchants the list is too long to load again and again. */
const MAX_REFRESHED = 500;
/** The tabs of all merchants show what each has, which comes with the list of merchants. */
const refreshAll = debounce(500, () => {
  const state = getState();
  if (showsAll(state) && state.merchants.length <= MAX_REFRESHED) refreshMerchants();
});
const refreshCalls = debounce(50, () => void world.readCalls());

/** Collects calls for this time, so that a burst is drawn once. */
const FLUSH_MS = 16;
let waiting: ListedCall[] = [];
const flush = debounce(FLUSH_MS, showWaiting);

function showWaiting(): void {
  const fresh = waiting;
  waiting = [];
  if (fresh.length > 0) world.takeCalls(fresh);
}

function happened(event: Happened): void {
  const { address } = getState();
  if (event.kind === 'merchants') {
    if (event.change === 'removed') forgetCalls(event.merchant);
    // With a stream of one merchant the event says everything; otherwise more may have changed.
    if (contract.isSpread && event.change === 'removed') dropMerchant(event.merchant);
    else refreshMerchants();
  } else if (event.kind === 'entry') {
    recordArrival(event.entry);
    waiting.push(event.entry);
    flush();
    refreshAll();
    const isShown = address.merchant !== undefined && belongsTo(address.merchant, event.entry);
    if (isShown && event.entry.changes.length > 0) refreshCounts();
  } else worldChanged(event);
}

function worldChanged(event: WorldEvent): void {
  const { address, revision } = getState();
  const { change, merchant: id, clock } = event;
  if (change === 'reset' || change === 'journal') forgetCalls(id);
  world.takeChange(event, nextOrder());
  const isShown = id === address.merchant || showsAll(getState());
  if ((change === 'snapshot' || change === 'rewind') && isShown) refreshCalls();
  refreshAll();
  if (id !== address.merchant) return;
  world.showClock(clock);
  setState({ revision: revision + 1 });
  refreshCounts();
}

/** Drops the calls of a merchant whose journal was emptied. */
function forgetCalls(merchant: number): void {
  showWaiting();
  world.dropCalls(merchant);
}
