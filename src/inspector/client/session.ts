import { after, browserNow, debounce } from '../../layout/client/browser-time.ts';
import {
  answerOf,
  asAdmin,
  asMerchant,
  type CallError,
  control,
  hasToken,
  setToken,
} from './api.ts';
import type { Call } from './call.ts';
import { addCalls, belongsTo, callsOf, MAX_CALLS, mergeRead } from './call-list.ts';
import { type Happened, listen } from './live.ts';
import { followHistory, go } from './navigation.ts';
import { chosenMerchant, contract, getState, type Merchant, notify, setState } from './store.ts';

/* Reads what the page shows, and keeps it what the sandbox holds. */

/** Begins, or begins again with another token. */
export async function begin(): Promise<void> {
  setState({ gate: { kind: 'loading' } });
  await readMerchants();
  if (getState().gate.kind !== 'open') return;
  chooseFirst();
  if (isListening) return;
  isListening = true;
  await listen({ happened, opened, broke, refused });
  isListening = false;
}

let isListening = false;

export function start(): void {
  followHistory(() => void lookAt(getState().address.merchant));
  void begin();
}

export function giveToken(token: string): void {
  setToken(token);
  void begin();
}

/** Where the address names no merchant, or the id of a call of nobody, the first is looked at. */
function chooseFirst(): void {
  const { address, merchants } = getState();
  if (address.merchant === undefined) go({ merchant: merchants[0]?.id }, 'replace');
  void lookAt(getState().address.merchant);
}

export async function readMerchants(): Promise<void> {
  try {
    const { data } = await answerOf(control.merchants.$get({}, asAdmin()));
    setState({ merchants: data, gate: { kind: 'open' } });
  } catch (error) {
    refused(error as CallError);
  }
}

function refused({ status, message }: CallError): void {
  if (status === 401) setState({ gate: { kind: 'token', wrong: hasToken() } });
  else if (status === 403) setState({ gate: { kind: 'forbidden', detail: message } });
  else if (getState().merchants.length === 0) {
    setState({ gate: { kind: 'unreachable', detail: message } });
    after(2000, () => void begin());
  }
}

let lookedAt: number | undefined;

/** Shows another merchant: its clock at once, everything else as it is read. */
export async function lookAt(id: number | undefined): Promise<void> {
  if (id === lookedAt) return;
  lookedAt = id;
  setState({
    calls: undefined,
    purchases: undefined,
    faults: undefined,
    policies: {},
    clock: undefined,
  });
  await readWorld();
}

/** Goes to a merchant, leaving what was open of the one before. */
export function choose(id: number | undefined): void {
  const { tab, family } = getState().address;
  go({ merchant: id, tab, family, call: undefined, policy: '', page: 1, record: undefined });
  void lookAt(id);
}

/** Reads the World that is looked at from the beginning. */
export async function readWorld(): Promise<void> {
  await Promise.all([readCalls(), readClock(), readCounts()]);
}

/** So many are read before all of them, which takes longer. */
const FIRST_CALLS = 100;

/** The ids of calls that came while the journal was read. */
let came = new Set<string>();

async function readCalls(): Promise<void> {
  const id = getState().address.merchant;
  came = new Set();
  const arrived = came;
  try {
    if (getState().calls === undefined) {
      const first = await readJournal({ limit: FIRST_CALLS });
      if (id !== getState().address.merchant) return;
      const read = callsOf(id, first);
      // With none among the first, there may be some among the others.
      if (read.length > 0 || first.length < FIRST_CALLS) {
        setState({ calls: mergeRead(getState().calls ?? [], read, arrived) });
      }
      if (first.length < FIRST_CALLS) return;
    }
    const ofAll = await readJournal({ limit: MAX_CALLS });
    const ofMerchant =
      ofAll.length === MAX_CALLS && id !== undefined
        ? await readJournal({ limit: MAX_CALLS, merchant: id })
        : [];
    if (id !== getState().address.merchant) return;
    const read = callsOf(id, ofAll, ofMerchant);
    setState({ calls: mergeRead(getState().calls ?? [], read, arrived) });
  } catch (error) {
    if (getState().calls === undefined) setState({ calls: [] });
    refused(error as CallError);
  }
}

/** A World that was reset or put back has another journal; most changes leave it as it is. */
async function rereadCalls(): Promise<void> {
  const { address, calls } = getState();
  if (address.merchant === undefined) return;
  try {
    const [newest] = await readJournal({ limit: 1, merchant: address.merchant });
    const known = calls?.find(({ merchant }) => merchant?.id === address.merchant);
    if (newest?.id !== known?.id || newest?.at !== known?.at) await readCalls();
  } catch {
    // Whoever was removed is told of elsewhere.
  }
}

const readJournal = async (query: { limit: number; merchant?: number }): Promise<Call[]> =>
  (await answerOf(control.journal.all.$get({ query }, asAdmin()))).data;

/** Something over the chosen World; what belongs to a merchant that is looked at no longer is dropped. */
async function overWorld<Answer>(
  ask: (merchant: Merchant) => Promise<Answer>,
  take: (answer: Answer) => void,
): Promise<void> {
  const merchant = chosenMerchant(getState());
  if (!merchant) return;
  try {
    const answer = await ask(merchant);
    if (merchant.id === getState().address.merchant) take(answer);
  } catch (error) {
    // Its key was changed, or it was removed: the list of merchants tells.
    if ((error as CallError).status === 401) refreshMerchants();
  }
}

export const readClock = (): Promise<void> =>
  overWorld((merchant) => answerOf(control.clock.$get({}, asMerchant(merchant))), showClock);

export const showClock = ({ now, mode }: Merchant['clock']): void =>
  setState({ clock: { shown: Date.parse(now), readAt: browserNow(), mode } });

export async function readCounts(): Promise<void> {
  await overWorld(
    async (merchant) => {
      const how = asMerchant(merchant);
      const [purchases, faults, ...pages] = await Promise.all([
        answerOf(control.purchases.$get({}, how)),
        answerOf(control.faults.$get({}, how)),
        ...contract.families.map(({ key: family }) =>
          answerOf(control.records.$get({ query: { family, per_page: 1 } }, how)),
        ),
      ]);
      return {
        purchases: purchases.data,
        faults: faults.data,
        totals: pages.map(({ total }) => total),
      };
    },
    ({ purchases, faults, totals }) => {
      const { policies: before, revision } = getState();
      const policies = Object.fromEntries(
        contract.families.map(({ key }, place) => [key, totals[place] ?? 0]),
      );
      const isOther = JSON.stringify(before) !== JSON.stringify(policies);
      setState({
        purchases,
        faults,
        ...(isOther && { policies, revision: revision + 1 }),
      });
    },
  );
}

const refreshCounts = debounce(150, () => void readCounts());
const refreshCalls = debounce(50, () => void rereadCalls());
const refreshMerchants = debounce(300, () => void readMerchants());

/** Calls wait a moment for each other: a burst of them is drawn once. */
const FLUSH_MS = 16;
let waiting: Call[] = [];
const flush = debounce(FLUSH_MS, () => {
  const fresh = waiting.reverse();
  waiting = [];
  setState({ calls: addCalls(getState().calls ?? [], fresh) });
});

function happened(event: Happened): void {
  const { address } = getState();
  if (event.kind === 'merchants') refreshMerchants();
  else if (event.kind === 'entry') {
    if (!belongsTo(address.merchant, event.entry)) return;
    came.add(event.entry.id);
    waiting.push(event.entry);
    flush();
    if (event.entry.merchant) refreshCounts();
  } else if (event.merchant === address.merchant) {
    showClock(event.clock);
    setState({ revision: getState().revision + 1 });
    refreshCalls();
    refreshCounts();
  }
}

let wasOpen = false;

function opened(): void {
  setState({ live: 'live' });
  // What the stream does not tell again: Worlds and merchants that changed while it was broken.
  if (wasOpen) {
    refreshMerchants();
    void readWorld();
  }
  wasOpen = true;
}

const broke = (): void => setState({ live: 'reconnecting' });

/** Does something a person asked for, and says what the sandbox says against it. */
export async function attempt<Answer>(act: Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await act;
  } catch (error) {
    const { message, places = [], status } = error as CallError;
    if (status === 401) refreshMerchants();
    notify('bad', message, places);
    return undefined;
  }
}
