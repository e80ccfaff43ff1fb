import type { Merchant, Moment } from '../public.ts';
import { listAssumptions } from './assumptions.ts';
import { Advance, advanceClock, ClockChange, changeClock, showClock } from './clock.ts';
import { ControlError } from './control-error.ts';
import { addFault, clearFaults, listFaults, NewFault, removeFault } from './faults.ts';
import { clearJournal, JournalQuery, listJournal } from './journal.ts';
import { awaitJournal, Expectation } from './journal-wait.ts';
import { type MerchantAccount, type MerchantStore, resetWorld } from './merchant-store.ts';
import {
  createMerchant,
  NewMerchant,
  removeMerchant,
  rotateKey,
  showMerchant,
} from './merchants.ts';
import { jsonRoundTrip, parseInput } from './request.ts';
import { MAX_SNAPSHOT_DEPTH, restoreWorld, Snapshot, takeSnapshot } from './snapshot.ts';

/** A moment as the control plane writes it. What is none stays one that will be refused. */
export function momentToText(moment: Moment): string {
  // Code without types may hand in null, which Date takes for 1970.
  const date = new Date(moment ?? Number.NaN);
  return typeof moment === 'string' || Number.isNaN(date.getTime())
    ? String(moment)
    : date.toISOString();
}

/** The fields of an input with its moment as a text. */
function withMomentText<Key extends 'now' | 'to'>(input: unknown, key: Key): unknown {
  if (typeof input !== 'object' || input === null) return input;
  const moment = Reflect.get(input, key) as Moment | undefined;
  return moment === undefined ? input : { ...input, [key]: momentToText(moment) };
}

/** Creates a merchant of what code in this process asks for. */
export const createMerchantFrom = (store: MerchantStore, wanted: unknown): MerchantAccount =>
  createMerchant(store, parseInput(NewMerchant, withMomentText(wanted, 'now')));

/** The methods of a merchant. Each is the call of the control plane of the same meaning. */
export function createHandle(store: MerchantStore, merchant: MerchantAccount): Merchant {
  const live = (): MerchantAccount => {
    if (!merchant.removed) return merchant;
    throw new ControlError(404, `Merchant ${merchant.id} was removed.`);
  };
  return {
    id: merchant.id,
    get name() {
      return merchant.name;
    },
    get apiKey() {
      return merchant.api_key;
    },
    clock: {
      show: () => showClock(live().world),
      set: (change) =>
        changeClock(live().world, parseInput(ClockChange, withMomentText(change, 'now'))),
      advance: (step) => {
        const input = typeof step === 'string' ? { by: step } : withMomentText(step, 'to');
        return advanceClock(live().world, parseInput(Advance, input));
      },
    },
    faults: {
      add: (fault) => addFault(live().world, parseInput(NewFault, jsonRoundTrip(fault))),
      list: () => listFaults(live().world),
      remove: (id) => removeFault(live().world, id),
      clear: () => clearFaults(live().world),
    },
    journal: {
      list: (query = {}) => listJournal(live().world, parseInput(JournalQuery, query)),
      clear: () => clearJournal(live()),
      await: async (expectation = {}) => awaitJournal(live(), parseInput(Expectation, expectation)),
    },
    reset: () => resetWorld(store, live()),
    snapshot: () => takeSnapshot(live().world),
    restore: (snapshot) =>
      restoreWorld(
        store,
        live(),
        parseInput(Snapshot, jsonRoundTrip(snapshot, MAX_SNAPSHOT_DEPTH)),
      ),
    assumptions: () => listAssumptions(live().world),
    rotateKey: () => {
      rotateKey(store, live());
      return merchant.api_key;
    },
    remove: () => removeMerchant(store, live()),
    show: () => showMerchant(live()),
  };
}
