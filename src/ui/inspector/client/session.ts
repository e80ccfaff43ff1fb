import { after, debounce } from '../../layout/client/browser-time.ts';
import { readAddress } from './address.ts';
import { type CallError, setToken } from './api.ts';
import type { Call } from './call.ts';
import { belongsTo } from './call-list.ts';
import { type Happened, listen } from './live.ts';
import { dropMerchant, readMerchants, refreshMerchants, showRefusal } from './merchants.ts';
import { chosenMerchant, contract, getState, go, onChange, setState } from './store.ts';
import * as world from './world.ts';

/* Keeps the page in step with the sandbox. */

const RETRY_MS = 2000;

export function start(): void {
  addEventListener('popstate', () => {
    const { address } = getState();
    const read = readAddress(location.search);
    setState({ address: { ...read, merchant: read.merchant ?? address.merchant } });
    void world.lookAt(getState().address.merchant);
  });
  onChange(keepListening);
  onChange(keepTrying);
  void begin();
}

export function giveToken(token: string): void {
  setToken(token);
  void begin();
}

/** Begins, or begins again with another token, or with a sandbox that is there by now. */
async function begin(): Promise<void> {
  await readMerchants();
  const { address, gate, merchants } = getState();
  if (gate.kind !== 'open') return;
  // An address without a merchant is that of the first.
  if (address.merchant === undefined) go({ merchant: merchants[0]?.id }, 'replace');
  world.clearWorld(getState().address.merchant);
}

let isTrying = false;

/** Begins again, as long as the sandbox can't be reached. */
function keepTrying(): void {
  if (isTrying || getState().gate.kind !== 'unreachable') return;
  isTrying = true;
  after(RETRY_MS, () => {
    isTrying = false;
    void begin();
  });
}

/** What is listened to: everything, or a merchant by its id. */
let listening: { readonly to: 'all' | number; readonly stop: AbortController } | undefined;

/** Listens to the sandbox, or where its Worlds are spread to the merchant that is looked at. */
function keepListening(): void {
  const state = getState();
  const chosen = contract.isSpread ? chosenMerchant(state)?.id : 'all';
  const to = state.gate.kind === 'open' ? chosen : undefined;
  if (to === listening?.to) return;
  listening?.stop.abort();
  listening = undefined;
  if (to !== undefined) listenTo(to);
}

function listenTo(to: 'all' | number): void {
  const stop = new AbortController();
  listening = { to, stop };
  let wasOpen = false;
  const opened = () => {
    setState({ live: 'live' });
    // Events that a broken stream missed are not sent again, so all is read once a stream is open.
    if (wasOpen) refreshMerchants();
    void world.readWorld();
    wasOpen = true;
  };
  const broke = () => {
    setState({ live: 'reconnecting' });
    // What there is can be shown all the same.
    if (!wasOpen) void world.readWorld();
  };
  const refused = (error: CallError) => {
    if (error.status === 404) dropMerchant(Number(to));
    else showRefusal(error);
  };
  setState({ live: 'connecting' });
  const merchant = to === 'all' ? undefined : to;
  void listen({ happened, opened, broke, refused }, merchant, stop.signal);
}

const refreshCounts = debounce(150, () => void world.readCounts());
const refreshCalls = debounce(50, () => void world.rereadCalls());

/** Calls wait this long for each other, so that a burst of them is drawn once. */
const FLUSH_MS = 16;
let waiting: Call[] = [];
const flush = debounce(FLUSH_MS, () => {
  const { merchant } = getState().address;
  const fresh = waiting.filter((call) => belongsTo(merchant, call));
  waiting = [];
  if (fresh.length > 0) world.takeCalls(fresh);
});

function happened(event: Happened): void {
  const { address, revision } = getState();
  if (event.kind === 'merchants') {
    // Of all merchants, more may have changed by now; of one, that is all there is to know.
    if (contract.isSpread && event.change === 'removed') dropMerchant(event.merchant);
    else refreshMerchants();
  } else if (event.kind === 'entry') {
    waiting.push(event.entry);
    flush();
    if (event.entry.merchant?.id === address.merchant && mayChange(event.entry)) refreshCounts();
  } else if (event.merchant === address.merchant) {
    world.showClock(event.clock);
    setState({ revision: revision + 1 });
    refreshCalls();
    refreshCounts();
  }
}

/** Whether a call may have changed what its World holds, or used up a fault. */
const mayChange = ({ operation, fault, status }: Call): boolean =>
  fault !== null ||
  (status === 200 &&
    contract.operations.some(
      ({ operationId, readOnly }) => operationId === operation && !readOnly,
    ));
