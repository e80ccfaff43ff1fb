/* Loads everything that the page shows of the chosen World. */

import type { FaultRule, PendingPurchase } from '../../../public.ts';
import { after, browserNow } from '../../layout/client/browser-time.ts';
import { admin, answerOf, type CallError, control } from './api.ts';
import type { ListedCall } from './call.ts';
import { addCalls, belongsTo, callsOf, keyOf, MAX_CALLS, mergeRead } from './call.ts';
import type { WorldEvent } from './events.ts';
import { findChosen, refreshMerchants, showRefusal } from './merchants.ts';
import {
  type Address,
  chosenMerchant,
  contract,
  getState,
  go,
  type LoadedMerchant,
  NOTHING_READ,
  type State,
  setState,
} from './store.ts';
import { describeMove } from './timeline.ts';

/** The page before a merchant's World, or the calls of all merchants, are loaded. Known calls are shown at once. */
export function beforeReading(id: number | undefined): Partial<State> {
  const { all } = getState();
  const known = id === undefined || all === undefined ? all : callsOf(id, all);
  // Older ones may have to be loaded.
  const isUnknown = known?.length === 0 && all?.length === MAX_CALLS;
  return { ...NOTHING_READ, calls: isUnknown ? undefined : known };
}

/** Shows another merchant, or all, and closes what was open of the previous one. */
export function choose(id: number | undefined): void {
  const isOther = id !== getState().address.merchant;
  const closed = { call: undefined, policy: '', page: 1, record: undefined };
  go({ ...closed, merchant: id }, 'push', { notice: undefined, ...(isOther && beforeReading(id)) });
  if (isOther) void readChosen();
}

/** Shows an address of the browser's history. */
export function goBack(address: Address): void {
  const isOther = address.merchant !== getState().address.merchant;
  setState({ address, ...(isOther && beforeReading(address.merchant)) });
  if (isOther) void readChosen();
}

/** With a stream per merchant, the World is loaded when the stream opens. */
const readChosen = (): Promise<void> => (contract.isSpread ? findChosen() : readWorld());

/** Loads everything of the chosen World. */
export async function readWorld(): Promise<void> {
  await Promise.all([readCalls(), readClock(), readCounts()]);
}

/** Loaded first, because loading all takes longer. */
const FIRST_CALLS = 100;

/** The keys of calls that arrived since the latest read of the journal began. */
let arrivals = new Set<string>();

/** Adds new calls, newest last. */
export function takeCalls(fresh: readonly ListedCall[]): void {
  for (const call of fresh) arrivals.add(keyOf(call));
  const { all, calls, address } = getState();
  const { merchant } = address;
  const newest = fresh.toReversed();
  const ownCalls = merchant === undefined ? newest : callsOf(merchant, newest);
  setState({
    ...(!contract.isSpread && { all: addCalls(all ?? [], newest) }),
    ...(ownCalls.length > 0 && { calls: addCalls(calls ?? [], ownCalls) }),
  });
}

/** Drops the calls of a merchant whose journal was emptied, and what changed before. */
export function dropCalls(merchant: number): void {
  const { all, calls, changes } = getState();
  const others = (each: readonly ListedCall[] | undefined) =>
    each?.filter((call) => !belongsTo(merchant, call));
  setState({
    all: others(all),
    calls: others(calls),
    changes: changes.filter((change) => change.merchant.id !== merchant),
  });
}

/** How many changes are kept. */
const MAX_CHANGES = 200;

/** How far this page is moving the clock of the chosen merchant, in words. The event may come before the response. */
let named:
  | { readonly merchant: number | undefined; readonly words: string; readonly move: number }
  | undefined;
let moves = 0;

/** An event that comes later tells another move. */
const NAMED_MS = 2000;

/** Moves the clock, and names the move in the list of calls. Returns its number, too. */
export async function nameMove<Answer>(
  words: string,
  moved: Promise<Answer>,
): Promise<{ readonly answer: Answer; readonly number: number }> {
  moves += 1;
  const move = { merchant: chosenMerchant(getState())?.id, words, move: moves };
  named = move;
  const forget = () => {
    if (named === move) named = undefined;
  };
  try {
    const answer = await moved;
    after(NAMED_MS, forget);
    return { answer, number: move.move };
  } catch (error) {
    // A move that was refused has no event.
    forget();
    throw error;
  }
}

/** The move that an event tells, once. */
function takeNamed(merchant: number): typeof named {
  if (named?.merchant !== merchant) return undefined;
  const told = named;
  named = undefined;
  return told;
}

/** Notes a change of a World, and the clock it left. */
export function takeChange({ merchant: id, change, clock }: WorldEvent, order: number): void {
  const { merchants, changes } = getState();
  const before = merchants.find((merchant) => merchant.id === id);
  // A merchant that is not loaded yet.
  if (!before) return;
  const readAt = browserNow();
  const changed = { ...before, clock, readAt };
  const told = change === 'clock' ? takeNamed(id) : undefined;
  const texts: Partial<Record<WorldEvent['change'], string | undefined>> = {
    clock:
      change === 'clock'
        ? describeMove(clockOf(before, readAt), clockOf(changed, readAt), told?.words)
        : undefined,
    reset: 'World reset',
    rewind: 'World rewound',
    snapshot: 'Snapshot restored',
  };
  const text = texts[change];
  const noted = { merchant: { id, name: before.name }, at: clock.now, order, move: told?.move };
  // A rewind undoes what came later by the clock.
  const isUndone = (each: (typeof changes)[number]) =>
    change === 'rewind' && each.merchant.id === id && each.at > clock.now;
  const left = changes.filter((each) => !isUndone(each));
  setState({
    merchants: merchants.map((merchant) => (merchant === before ? changed : merchant)),
    ...(text && { changes: [{ ...noted, text }, ...left].slice(0, MAX_CHANGES) }),
  });
}

/** What the clock of a merchant shows at a time of the browser. */
const clockOf = ({ clock: { now, mode }, readAt }: LoadedMerchant, at: number) => ({
  at: Date.parse(now) + (mode === 'running' ? at - readAt : 0),
  mode,
});

/** Loads the calls from the journals. */
export async function readCalls(): Promise<void> {
  const { gate, address } = getState();
  const id = address.merchant;
  arrivals = new Set();
  const arrived = arrivals;
  const showOwn = (read: readonly ListedCall[]) => {
    if (arrived !== arrivals || id !== getState().address.merchant) return;
    setState({ calls: mergeRead(getState().calls ?? [], read, arrived) });
  };
  try {
    if (gate.kind === 'open' && gate.to === 'world') showOwn(await readOwnJournal());
    // On several machines no journal has the calls of all merchants.
    else if (contract.isSpread) {
      if (id !== undefined) showOwn(await readJournal({ limit: MAX_CALLS, merchant: id }));
    } else await readAll(id, arrived);
  } catch (error) {
    if (getState().calls === undefined) setState({ calls: [] });
    showRefusal(error as CallError);
  }
}

async function readAll(id: number | undefined, arrived: ReadonlySet<string>): Promise<void> {
  const show = (read: readonly ListedCall[], older: readonly ListedCall[] | undefined) => {
    // A later read knows more.
    if (arrived !== arrivals) return;
    const all = mergeRead(getState().all ?? [], read, arrived);
    setState({ all });
    const ownCalls = id === undefined ? all : callsOf(id, all, older);
    // Older calls of the merchant may follow.
    if (ownCalls.length > 0 || older !== undefined) setState({ calls: ownCalls });
  };
  if (getState().all === undefined) {
    const first = await readJournal({ limit: FIRST_CALLS });
    const isWhole = first.length < FIRST_CALLS;
    show(first, isWhole ? [] : undefined);
    if (isWhole) return;
  }
  const read = await readJournal({ limit: MAX_CALLS });
  const isWhole = read.length < MAX_CALLS || id === undefined;
  show(read, isWhole ? [] : await readJournal({ limit: MAX_CALLS, merchant: id }));
}

const readJournal = async (query: { limit: number; merchant?: number }): Promise<ListedCall[]> =>
  (await answerOf(admin.journal.all.$get({ query }))).data;

/** The calls that a merchant's key may read, as calls of the merchant that the page shows. */
async function readOwnJournal(limit = MAX_CALLS): Promise<ListedCall[]> {
  const { data } = await answerOf(control.journal.$get({ query: { limit } }));
  const { id = 0, name = '' } = chosenMerchant(getState()) ?? {};
  return data.map((entry) => ({ ...entry, merchant: { id, name } }));
}

/** How many times the counts stay as they were before they are loaded anyway. */
const COUNTS_EVERY = 5;
let asked = 0;

/** Loads what changed in the World of a merchant's key. Returns whether the sandbox responded. */
export async function readChanges(): Promise<boolean> {
  const { calls, clock: before } = getState();
  try {
    const [newest] = await readOwnJournal(1);
    await readClock();
    const known = calls?.[0];
    const isOther = calls === undefined || newest?.id !== known?.id || newest?.at !== known?.at;
    if (isOther) await readCalls();
    asked += 1;
    if (isOther || before === undefined || asked % COUNTS_EVERY === 0) await readCounts();
    return true;
  } catch (error) {
    const { status } = error as CallError;
    if (status === 401) refreshMerchants();
    return status !== 0;
  }
}

/** Loads something of the chosen World. Drops the result if another World is chosen by then. */
async function readOfWorld<Answer>(
  read: () => Promise<Answer>,
  take: (answer: Answer) => void,
): Promise<void> {
  const id = chosenMerchant(getState())?.id;
  if (id === undefined) return;
  try {
    const answer = await read();
    if (id === chosenMerchant(getState())?.id) take(answer);
  } catch (error) {
    // The key was rotated or the merchant removed; the list of merchants shows it.
    if ((error as CallError).status === 401) refreshMerchants();
  }
}

export async function readClock(): Promise<void> {
  const { clock: before } = getState();
  await readOfWorld(
    () => answerOf(control.clock.$get()),
    (clock) => {
      // An event brought a newer one in the meantime.
      if (getState().clock === before) showClock(clock);
    },
  );
}

export const showClock = ({ now, mode }: LoadedMerchant['clock']): void =>
  setState({ clock: { shown: Date.parse(now), readAt: browserNow(), mode } });

/** Loads pending purchases, faults and the number of policies per family. */
export async function readCounts(): Promise<void> {
  await readOfWorld(
    () =>
      Promise.all([
        answerOf(control.purchases.$get()),
        answerOf(control.faults.$get()),
        ...contract.families.map(({ key: family }) =>
          answerOf(control.records.$get({ query: { family, per_page: 1 } })),
        ),
      ]),
    ([purchases, faults, ...pages]) => {
      const { policies: before, revision } = getState();
      const policies = Object.fromEntries(
        contract.families.map(({ key }, place) => [key, pages[place]?.total ?? 0]),
      );
      const isOther = JSON.stringify(before) !== JSON.stringify(policies);
      setState({
        purchases: purchases.data as PendingPurchase[],
        faults: faults.data as FaultRule[],
        ...(isOther && { policies, revision: revision + 1 }),
      });
    },
  );
}
