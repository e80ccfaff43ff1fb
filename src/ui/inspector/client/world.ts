import { browserNow } from '../../layout/client/browser-time.ts';
import { answerOf, asAdmin, asMerchant, type CallError, control } from './api.ts';
import type { Call } from './call.ts';
import { addCalls, callsOf, MAX_CALLS, mergeRead } from './call-list.ts';
import { findChosen, refreshMerchants, showRefusal } from './merchants.ts';
import { go } from './navigation.ts';
import { chosenMerchant, contract, getState, type Merchant, setState } from './store.ts';

/* The World that is looked at: what the page shows of it is read here. */

let lookedAt: number | undefined;

/** Shows another merchant, as it is read. */
export async function lookAt(id: number | undefined): Promise<void> {
  if (id === lookedAt) return;
  clearWorld(id);
  // Where there is a stream for each merchant, its World is read once the stream stands.
  await (contract.isSpread ? findChosen() : readWorld());
}

/** Forgets what was shown, before the World of a merchant is read. */
export function clearWorld(id: number | undefined): void {
  lookedAt = id;
  setState({
    calls: undefined,
    purchases: undefined,
    faults: undefined,
    policies: {},
    clock: undefined,
  });
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

/** The ids of calls that came since the journal was read last. */
let came = new Set<string>();

/** Calls that came, the newest last. */
export function takeCalls(fresh: readonly Call[]): void {
  for (const { id } of fresh) came.add(id);
  setState({ calls: addCalls(getState().calls ?? [], fresh.toReversed()) });
}

async function readCalls(): Promise<void> {
  const id = getState().address.merchant;
  came = new Set();
  const arrived = came;
  // Where the Worlds are spread, no journal has the calls of all.
  const whose = contract.isSpread && id !== undefined ? { merchant: id } : {};
  try {
    if (getState().calls === undefined) {
      const first = await readJournal({ limit: FIRST_CALLS, ...whose });
      if (id !== getState().address.merchant) return;
      const read = callsOf(id, first);
      // With none among the first, there may be some among the others.
      if (read.length > 0 || first.length < FIRST_CALLS) {
        setState({ calls: mergeRead(getState().calls ?? [], read, arrived) });
      }
      if (first.length < FIRST_CALLS) return;
    }
    const ofAll = await readJournal({ limit: MAX_CALLS, ...whose });
    const ofMerchant =
      ofAll.length === MAX_CALLS && id !== undefined && !contract.isSpread
        ? await readJournal({ limit: MAX_CALLS, merchant: id })
        : [];
    if (id !== getState().address.merchant) return;
    const read = callsOf(id, ofAll, ofMerchant);
    setState({ calls: mergeRead(getState().calls ?? [], read, arrived) });
  } catch (error) {
    if (getState().calls === undefined) setState({ calls: [] });
    showRefusal(error as CallError);
  }
}

/** A World that was reset or put back has another journal; most changes leave it as it is. */
export async function rereadCalls(): Promise<void> {
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

export async function readClock(): Promise<void> {
  const { clock: before } = getState();
  await overWorld(
    (merchant) => answerOf(control.clock.$get({}, asMerchant(merchant))),
    (clock) => {
      // An event that came meanwhile told a newer one.
      if (getState().clock === before) showClock(clock);
    },
  );
}

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
