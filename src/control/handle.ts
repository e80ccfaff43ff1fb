/* The methods of a merchant for code in this process, over the features of this folder. */

import type {
  JournalEntry,
  Merchant,
  MerchantJournal,
  OperationId,
  Sandbox,
  SendChange,
} from '../types/public.ts';
import { atOnce } from '../world/clock.ts';
import { keepBoughtWorld } from '../world/kept-worlds.ts';
import { removeMerchant, rotateKey } from '../world/merchants.ts';
import { readArgument } from './arguments.ts';
import { listAssumptions } from './assumptions.ts';
import { type Buyer, buyPolicy, dataOf } from './buy.ts';
import { isRefusal, rejectingAtCaller, withCallerStack } from './caller.ts';
import { advanceClock, setClock, showClock } from './clock.ts';
import { ControlError } from './control-error.ts';
import { addFault, clearFaults, listFaults, removeFault } from './faults.ts';
import { clearJournal, findEntry, journalText, listJournal } from './journal.ts';
import { presentEntry } from './journal-entry.ts';
import { awaitJournal } from './journal-wait.ts';
import { callOperation, fetchWithKey } from './merchant-call.ts';
import type { MerchantAccount, MerchantStore } from './merchant-store.ts';
import { createMerchant, showMerchant } from './merchants.ts';
import { listProducts } from './products.ts';
import { listPurchases, listRecords } from './records.ts';
import { rewindMerchant } from './rewind.ts';
import { sendAgain } from './send.ts';
import { resetMerchant, restoreWorld, takeSnapshot } from './snapshot.ts';

/** Whether the stack of an error should begin where a call was made: `fetch` throws a TypeError. */
const isMistake = (error: unknown): error is Error =>
  isRefusal(error) || error instanceof TypeError;

/** Creates a merchant for code in this process. */
export function createMerchantFrom(store: MerchantStore, wanted: unknown): MerchantAccount {
  const merchant = createMerchant(store, readArgument.createMerchant(wanted));
  keepBoughtWorld(store, merchant);
  return merchant;
}

/**
 * The methods of a merchant. Each does what the control-plane operation of the same meaning does. The public types are
 * narrower: they know each operation by name, with its request and response.
 */
export function createHandle(
  store: MerchantStore,
  merchant: MerchantAccount,
  fetch: Sandbox['fetch'],
): Merchant {
  const live = (): MerchantAccount => {
    const { id, removed, removedBecause: why } = merchant;
    if (!removed) return merchant;
    throw new ControlError(
      404,
      `Merchant ${id} was removed${why === undefined ? '.' : `; ${why}`}`,
    );
  };
  const ownFetch = fetchWithKey(fetch, () => live().api_key);
  const buyer: Buyer = {
    call: (operation, input) => callOperation(ownFetch, operation, input),
    entry: (id) => presentEntry(findEntry(live().world, id)) as JournalEntry,
    products: () => listProducts(live().world),
    clock: () => showClock(live().world),
    records: (query) => listRecords(live().world, query),
  };
  return {
    id: merchant.id,
    get name() {
      return merchant.name;
    },
    get apiKey() {
      return merchant.api_key;
    },
    clock: withCallerStack<Merchant['clock']>({
      show: () => showClock(live().world),
      set: (change) => setClock(store, live(), readArgument.clockChange(change)),
      advance: (step) => advanceClock(store, live(), readArgument.advance(step)),
    }),
    faults: withCallerStack<Merchant['faults']>({
      add: (fault) => addFault(store, live(), readArgument.fault(fault)),
      list: () => listFaults(live().world),
      remove: (id) => removeFault(store, live(), String(id)),
      clear: () => clearFaults(store, live()),
    }),
    journal: {
      ...withCallerStack<Omit<MerchantJournal, 'await' | 'send'>>({
        list: ((query: unknown) =>
          listJournal(live().world, readArgument.journalList(query))) as MerchantJournal['list'],
        text: ((query: unknown) =>
          journalText(live().world, readArgument.journalText(query))) as MerchantJournal['text'],
        get: (id) => presentEntry(findEntry(live().world, String(id))) as JournalEntry,
        clear: () => clearJournal(store, live()),
      }),
      await: rejectingAtCaller(async (expectation: unknown) =>
        awaitJournal(live(), readArgument.expectation(expectation), store.closing),
      ) as MerchantJournal['await'],
      send: rejectingAtCaller(async (id: string, change: unknown) =>
        sendAgain(store, live(), String(id), readArgument.send(change) as SendChange),
      ) as MerchantJournal['send'],
    },
    fetch: rejectingAtCaller(ownFetch, isMistake),
    call: rejectingAtCaller(
      (operation: OperationId, input: unknown) => callOperation(ownFetch, operation, input),
      isMistake,
    ) as Merchant['call'],
    data: rejectingAtCaller(
      (operation: OperationId, input: unknown) => dataOf(buyer, operation, input),
      isMistake,
    ) as Merchant['data'],
    buy: rejectingAtCaller(
      (family: unknown, fields: unknown) => buyPolicy(buyer, family, fields),
      isMistake,
    ) as Merchant['buy'],
    ...withCallerStack<
      Omit<
        Merchant,
        | keyof MerchantAccount
        | 'apiKey'
        | 'clock'
        | 'faults'
        | 'journal'
        | 'fetch'
        | 'call'
        | 'data'
        | 'buy'
      >
    >({
      records: ((query: unknown) =>
        listRecords(live().world, readArgument.records(query))) as Merchant['records'],
      purchases: () => listPurchases(live().world),
      products: () => listProducts(live().world),
      reset: (start) => {
        resetMerchant(store, live(), readArgument.reset(start));
        keepBoughtWorld(store, merchant);
      },
      rewind: (to) => rewindMerchant(store, live(), readArgument.rewind(to)),
      snapshot: () => takeSnapshot(live().world),
      restore: (snapshot) => atOnce(restoreWorld(store, live(), readArgument.snapshot(snapshot))),
      assumptions: () => listAssumptions(live().world),
      rotateKey: () => {
        rotateKey(store, live());
        return merchant.api_key;
      },
      remove: () => removeMerchant(store, live()),
      show: () => showMerchant(live()),
    }),
  };
}
