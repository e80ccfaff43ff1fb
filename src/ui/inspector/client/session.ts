import { createParser } from 'eventsource-parser';
import { after, debounce, pause } from '../../layout/client/browser-time.ts';
import { adminHeaders, CallError, request, setToken } from './api.ts';
import { belongsTo, type Call } from './call.ts';
import { dropMerchant, readMerchants, refreshMerchants, showRefusal } from './merchants.ts';
import {
  chosenMerchant,
  contract,
  getState,
  go,
  type Merchant,
  onChange,
  readAddress,
  setState,
} from './store.ts';
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
  if (to === undefined) return;
  const stop = new AbortController();
  listening = { to, stop };
  setState({ live: 'connecting' });
  void listenTo(to === 'all' ? undefined : to, stop.signal);
}

async function listenTo(merchant: number | undefined, stop: AbortSignal): Promise<void> {
  let wasOpen = false;
  for await (const event of eventsOf(merchant, stop)) {
    if (stop.aborted) return;
    if (event.kind === 'opened') {
      setState({ live: 'live' });
      // Events that a broken stream missed are not sent again, so all is read once a stream is open.
      if (wasOpen) refreshMerchants();
      void world.readWorld();
      wasOpen = true;
    } else if (event.kind === 'broke') {
      setState({ live: 'reconnecting' });
      // What there is can be shown all the same.
      if (!wasOpen) void world.readWorld();
    } else if (event.kind === 'refused') {
      if (event.error.status === 404) dropMerchant(Number(merchant));
      else showRefusal(event.error);
    } else happened(event);
  }
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

/** What the sandbox tells. */
type Happened =
  | { readonly kind: 'entry'; readonly entry: Call }
  | { readonly kind: 'world'; readonly merchant: number; readonly clock: Merchant['clock'] }
  | { readonly kind: 'merchants'; readonly merchant: number; readonly change: string };

/** What becomes of the stream that tells it. After a break, another stream is tried until one opens. */
type StreamState =
  | { readonly kind: 'opened' }
  | { readonly kind: 'broke' }
  /** The sandbox does not let this caller listen, or there is no such merchant. */
  | { readonly kind: 'refused'; readonly error: CallError };

/** A comment comes every 15 seconds: a stream that is silent for longer is broken. */
const MAX_SILENCE_MS = 40_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;

/**
 * The events of the sandbox, until it refuses to tell them. After a break they go on where the last stream ended.
 *
 * @param merchant the only one whose events are told; all merchants unless given
 */
async function* eventsOf(
  merchant: number | undefined,
  stop: AbortSignal,
): AsyncGenerator<Happened | StreamState> {
  const url = `/_sandbox/events${merchant === undefined ? '' : `?merchant=${merchant}`}`;
  const refusals = merchant === undefined ? [401, 403] : [401, 403, 404];
  let lastId: string | undefined;
  let wait = FIRST_PAUSE_MS;
  while (!stop.aborted) {
    try {
      for await (const { event, id, data } of messagesOf(url, lastId, stop)) {
        lastId = id ?? lastId;
        if (event === 'opened') {
          wait = FIRST_PAUSE_MS;
          yield { kind: 'opened' };
        } else if (event === 'entry') yield { kind: event, entry: JSON.parse(data) };
        else if (event === 'world' || event === 'merchants') {
          yield { kind: event, ...JSON.parse(data) };
        }
      }
    } catch (error) {
      const status = error instanceof CallError ? error.status : 0;
      if (refusals.includes(status)) return yield { kind: 'refused', error: error as CallError };
      // The sandbox can't read the id, if it is another one than before.
      if (status === 422) lastId = undefined;
    }
    if (stop.aborted) return;
    yield { kind: 'broke' };
    await pause(wait);
    wait = Math.min(wait * 2, MAX_PAUSE_MS);
  }
}

interface Message {
  readonly event?: string | undefined;
  readonly id?: string | undefined;
  readonly data: string;
}

/** The messages of one stream, after one that says it is open. Read by fetch: an EventSource sends no token. */
async function* messagesOf(
  url: string,
  lastId: string | undefined,
  stop: AbortSignal,
): AsyncGenerator<Message> {
  const end = new AbortController();
  const abort = () => end.abort();
  stop.addEventListener('abort', abort);
  let stopWaiting = after(MAX_SILENCE_MS, abort);
  try {
    const headers = { ...adminHeaders(), ...(lastId !== undefined && { 'last-event-id': lastId }) };
    const { body } = await request(url, { headers, signal: end.signal });
    yield { event: 'opened', data: '' };
    const messages: Message[] = [];
    const parser = createParser({ onEvent: (message) => void messages.push(message) });
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = (await reader?.read()) ?? { done: true };
      if (done) return;
      stopWaiting();
      stopWaiting = after(MAX_SILENCE_MS, abort);
      parser.feed(value);
      yield* messages.splice(0);
    }
  } finally {
    stop.removeEventListener('abort', abort);
    stopWaiting();
    abort();
  }
}
