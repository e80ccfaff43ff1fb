import type { FaultRule, PendingPurchase } from '../../../public.ts';
import { browserNow } from '../../layout/client/browser-time.ts';
import { admin, answerOf, type CallError, control } from './api.ts';
import type { Call } from './call.ts';
import { addCalls, callsOf, MAX_CALLS, mergeRead } from './call.ts';
import { findChosen, refreshMerchants, showRefusal } from './merchants.ts';
import {
  chosenMerchant,
  contract,
  getState,
  go,
  type Merchant,
  NOTHING_READ,
  setState,
} from './store.ts';

/* Loads everything that the page shows of the chosen World. */

let lookedAt: number | undefined;

/** Shows another merchant's World. */
export async function lookAt(id: number | undefined): Promise<void> {
  if (id === lookedAt) return;
  clearWorld(id);
  // With a stream per merchant, the World is loaded when the stream opens.
  await (contract.isSpread ? findChosen() : readWorld());
}

/** Clears the page before a merchant's World is loaded. */
export function clearWorld(id: number | undefined): void {
  lookedAt = id;
  setState(NOTHING_READ);
}

/** Chooses a merchant and closes what was open of the previous one. */
export function choose(id: number | undefined): void {
  go({ merchant: id, call: undefined, policy: '', page: 1, record: undefined });
  void lookAt(id);
}

/** Loads everything of the chosen World. */
export async function readWorld(): Promise<void> {
  await Promise.all([readCalls(), readClock(), readCounts()]);
}

/** Loaded first, because loading all takes longer. */
const FIRST_CALLS = 100;

/** The ids of calls that arrived since the journal was loaded. */
let came = new Set<string>();

/** Adds new calls, newest last. */
export function takeCalls(fresh: readonly Call[]): void {
  for (const { id } of fresh) came.add(id);
  setState({ calls: addCalls(getState().calls ?? [], fresh.toReversed()) });
}

async function readCalls(): Promise<void> {
  const id = getState().address.merchant;
  came = new Set();
  const arrived = came;
  const show = (read: readonly Call[]) => {
    if (id !== getState().address.merchant) return;
    setState({ calls: mergeRead(getState().calls ?? [], read, arrived) });
  };
  // On several machines no journal has the calls of all merchants.
  const whose = contract.isSpread && id !== undefined ? { merchant: id } : {};
  try {
    if (getState().calls === undefined) {
      const first = await readJournal({ limit: FIRST_CALLS, ...whose });
      const read = callsOf(id, first);
      // The merchant's calls may come after the first ones.
      if (read.length > 0 || first.length < FIRST_CALLS) show(read);
      if (first.length < FIRST_CALLS) return;
    }
    const ofAll = await readJournal({ limit: MAX_CALLS, ...whose });
    const isWhole = ofAll.length < MAX_CALLS || id === undefined || contract.isSpread;
    show(callsOf(id, ofAll, isWhole ? [] : await readJournal({ limit: MAX_CALLS, merchant: id })));
  } catch (error) {
    if (getState().calls === undefined) setState({ calls: [] });
    showRefusal(error as CallError);
  }
}

/** After a reset or a restore the journal is another one; most changes leave it as it is. */
export async function rereadCalls(): Promise<void> {
  const { address, calls } = getState();
  if (address.merchant === undefined) return;
  try {
    const [newest] = await readJournal({ limit: 1, merchant: address.merchant });
    const known = calls?.find(({ merchant }) => merchant?.id === address.merchant);
    if (newest?.id !== known?.id || newest?.at !== known?.at) await readCalls();
  } catch {
    // If the merchant was removed, the list of merchants shows it.
  }
}

const readJournal = async (query: { limit: number; merchant?: number }): Promise<Call[]> =>
  (await answerOf(admin.journal.all.$get({ query }))).data;

/** Loads something of the chosen World. Drops the result if another World is chosen by then. */
async function readOfWorld<Answer>(
  read: () => Promise<Answer>,
  take: (answer: Answer) => void,
): Promise<void> {
  const id = chosenMerchant(getState())?.id;
  if (id === undefined) return;
  try {
    const answer = await read();
    if (id === getState().address.merchant) take(answer);
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

export const showClock = ({ now, mode }: Merchant['clock']): void =>
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
