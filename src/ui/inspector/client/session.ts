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

/* Keeps the page up to date with the sandbox. */

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

/** Starts, or starts again with another token or when the sandbox is back. */
async function begin(): Promise<void> {
  await readMerchants();
  const { address, gate, merchants } = getState();
  if (gate.kind !== 'open') return;
  // Without a merchant in the address, the first one is shown.
  if (address.merchant === undefined) go({ merchant: merchants[0]?.id }, 'replace');
  world.clearWorld(getState().address.merchant);
}

let isTrying = false;

/** Starts again until the sandbox can be reached. */
function keepTrying(): void {
  if (isTrying || getState().gate.kind !== 'unreachable') return;
  isTrying = true;
  after(RETRY_MS, () => {
    isTrying = false;
    void begin();
  });
}

/** The open event stream: of all merchants, or of one by id. */
let listening: { readonly to: 'all' | number; readonly stop: AbortController } | undefined;

/** Opens the event stream of the sandbox or, on several machines, of the chosen merchant. */
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
      // A new stream may have missed events, so everything is loaded once it is open.
      if (wasOpen) refreshMerchants();
      void world.readWorld();
      wasOpen = true;
    } else if (event.kind === 'broke') {
      setState({ live: 'reconnecting' });
      // Shows what can be loaded without events.
      if (!wasOpen) void world.readWorld();
    } else if (event.kind === 'refused') {
      if (event.error.status === 404) dropMerchant(Number(merchant));
      else showRefusal(event.error);
    } else happened(event);
  }
}

const refreshCounts = debounce(150, () => void world.readCounts());
const refreshCalls = debounce(50, () => void world.rereadCalls());

/** Collects calls for this time, so that a burst is drawn once. */
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
    // With a stream of one merchant the event says everything; otherwise more may have changed.
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

/** Whether a call may have changed its World or used a fault. */
const mayChange = ({ operation, fault, status }: Call): boolean =>
  fault !== null ||
  (status === 200 &&
    contract.operations.some(
      ({ operationId, readOnly }) => operationId === operation && !readOnly,
    ));

/** An event of the sandbox. */
type Happened =
  | { readonly kind: 'entry'; readonly entry: Call }
  | { readonly kind: 'world'; readonly merchant: number; readonly clock: Merchant['clock'] }
  | { readonly kind: 'merchants'; readonly merchant: number; readonly change: string };

/** A change of the stream. After a break, a new stream is tried until one opens. */
type StreamState =
  | { readonly kind: 'opened' }
  | { readonly kind: 'broke' }
  /** The caller may not listen, or the merchant does not exist. */
  | { readonly kind: 'refused'; readonly error: CallError };

/** The sandbox sends a comment every 15 seconds, so a silent stream is broken. */
const MAX_SILENCE_MS = 40_000;
const FIRST_PAUSE_MS = 250;
const MAX_PAUSE_MS = 5_000;

/**
 * The events of the sandbox, until it refuses. After a break they continue where the last stream ended.
 *
 * @param merchant the merchant of the events; all merchants by default
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
      // After a restart the sandbox may not know the id.
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

/** The messages of one stream, after one that says it is open. Uses fetch, because an EventSource sends no headers. */
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
