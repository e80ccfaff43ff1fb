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

/* The World that is looked at: all that the page shows of it is read here. */

let lookedAt: number | undefined;

/** Shows another merchant's World. */
export async function lookAt(id: number | undefined): Promise<void> {
  if (id === lookedAt) return;
  clearWorld(id);
  // Where there is a stream for each merchant, the World is read once the stream is open.
  await (contract.isSpread ? findChosen() : readWorld());
}

/** Forgets what was shown, before the World of a merchant is read. */
export function clearWorld(id: number | undefined): void {
  lookedAt = id;
  setState(NOTHING_READ);
}

/** Goes to a merchant, leaving what was open of the one before. */
export function choose(id: number | undefined): void {
  go({ merchant: id, call: undefined, policy: '', page: 1, record: undefined });
  void lookAt(id);
}

/** Reads the World that is looked at from the beginning. */
export async function readWorld(): Promise<void> {
  await Promise.all([readCalls(), readClock(), readCounts()]);
}

/** So many are read before all of them, which takes longer. */
const FIRST_CALLS = 100;

/** The ids of calls that came since the journal was read last. */
let came = new Set<string>();

/** Adds calls that came, the newest last. */
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
  // Where the Worlds are spread, no journal has the calls of all.
  const whose = contract.isSpread && id !== undefined ? { merchant: id } : {};
  try {
    if (getState().calls === undefined) {
      const first = await readJournal({ limit: FIRST_CALLS, ...whose });
      const read = callsOf(id, first);
      // With none among the first, there may be some among the others.
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

/** A World that was reset or restored has another journal; most changes leave it as it is. */
export async function rereadCalls(): Promise<void> {
  const { address, calls } = getState();
  if (address.merchant === undefined) return;
  try {
    const [newest] = await readJournal({ limit: 1, merchant: address.merchant });
    const known = calls?.find(({ merchant }) => merchant?.id === address.merchant);
    if (newest?.id !== known?.id || newest?.at !== known?.at) await readCalls();
  } catch {
    // That a merchant was removed is shown by the list of merchants.
  }
}

const readJournal = async (query: { limit: number; merchant?: number }): Promise<Call[]> =>
  (await answerOf(admin.journal.all.$get({ query }))).data;

/** Reads something of the chosen World, and drops it if another one is looked at by then. */
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
    // Its key was changed, or it was removed: the list of merchants tells.
    if ((error as CallError).status === 401) refreshMerchants();
  }
}

export async function readClock(): Promise<void> {
  const { clock: before } = getState();
  await readOfWorld(
    () => answerOf(control.clock.$get()),
    (clock) => {
      // An event that came meanwhile told a newer one.
      if (getState().clock === before) showClock(clock);
    },
  );
}

export const showClock = ({ now, mode }: Merchant['clock']): void =>
  setState({ clock: { shown: Date.parse(now), readAt: browserNow(), mode } });

/** Reads what is pending, which faults are set, and how many policies each family has. */
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
