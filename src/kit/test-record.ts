/* What happens in the sandbox of a worker while a test runs, for the report of its failure. */

import type { MerchantAccount, MerchantStore } from '../control/merchant-store.ts';
import { storeOf } from '../sandbox/open-sandbox.ts';
import type { Merchant, Sandbox } from '../types/public.ts';
import type { Activity } from '../world/activity.ts';
import { describeFault } from '../world/faults.ts';
import type { JournalItem, StoredEntry } from '../world/journal.ts';
import { removeMerchant } from '../world/merchants.ts';

/** The newest calls that a report shows of each merchant. */
const MAX_CALLS = 20;

/** Calls of one merchant, or without a valid key. */
export interface Calls {
  count: number;
  /** The newest, oldest first, with what changed their World between them. */
  readonly newest: JournalItem[];
}

/** What happened while a test ran. */
export interface TestRecord {
  /** The merchant that the kit created for the test. */
  own: MerchantAccount | undefined;
  /** The calls of each merchant, of removed ones too. */
  readonly calls: Map<MerchantAccount, Calls>;
  /** The calls without a valid key. */
  readonly keyless: Calls;
  /** The origins that `cors` has to have for a blocked page, by the origin of the page. */
  readonly blocked: Map<string, readonly string[]>;
  /** Whether another test of this worker ran meanwhile. Then only the calls of `own` are certainly of this test. */
  isShared: boolean;
  /** How often each fault rule may act, as it was added. */
  readonly faults: Map<string, number>;
  /** Whether the last hook of the test has run. */
  readonly isOver: () => boolean;
  /** Removes the merchant that the kit created. */
  remove: () => void;
}

/** The records of the tests that run in a worker. */
export interface TestRecords {
  /** Records what happens in a sandbox. */
  watch(sandbox: Sandbox): void;
  /**
   * Begins the record of a test, and removes the merchants of those that are over.
   *
   * @param isOver whether the last hook of the test has run
   */
  begin(isOver: () => boolean): TestRecord;
  /** Makes a merchant that of a test. */
  own(record: TestRecord, sandbox: Sandbox, merchant: Merchant): void;
  /** What happens from now on is not of this test, apart from the calls of its merchant. */
  end(record: TestRecord): void;
}

export function createTestRecords(): TestRecords {
  const running = new Set<TestRecord>();
  const ended = new Set<TestRecord>();
  const ownerOf = (merchant: MerchantAccount) =>
    [...running, ...ended].find(({ own }) => own === merchant);
  const record = (happened: Activity, { byId }: MerchantStore): void => {
    if (happened.kind === 'page') {
      for (const { blocked } of running) blocked.set(happened.origin, happened.allow);
    }
    if (happened.kind !== 'entry' && happened.kind !== 'world') return;
    if (!happened.merchant) {
      for (const { keyless } of running) addCall(keyless, happened.entry);
      return;
    }
    const merchant = byId.get(happened.merchant.id);
    // It was removed during the call.
    if (!merchant) return;
    const owner = ownerOf(merchant);
    if (happened.kind === 'world') {
      const { event } = happened;
      // The calls of a fault tell what it did.
      if (!('rule' in event) && owner) addNewest(callsOf(owner, merchant), event);
      if (event.kind === 'fault_added' && owner) noteFaults(owner, merchant);
      return;
    }
    for (const each of owner ? [owner] : running) addCall(callsOf(each, merchant), happened.entry);
  };
  const watched = new WeakSet<MerchantStore>();
  const watch = (store: MerchantStore | undefined): void => {
    if (!store || watched.has(store)) return;
    watched.add(store);
    store.activity.listeners.add((happened) => record(happened, store));
  };
  return {
    watch: (sandbox) => watch(storeOf(sandbox)),
    begin(isOver) {
      for (const over of [...ended].filter((each) => each.isOver())) {
        over.remove();
        ended.delete(over);
      }
      const isShared = running.size > 0;
      for (const other of running) other.isShared = true;
      const begun: TestRecord = {
        ...{ own: undefined, calls: new Map(), keyless: noCalls(), blocked: new Map(), isShared },
        ...{ faults: new Map(), isOver, remove: () => undefined },
      };
      running.add(begun);
      return begun;
    },
    own(owner, sandbox, { id }) {
      const store = storeOf(sandbox);
      // The sandbox may be from a fixture of the project.
      watch(store);
      owner.own = store?.byId.get(id);
      owner.remove = () => {
        // The test may have removed it itself.
        const merchant = store?.byId.get(id);
        if (store && merchant) {
          removeMerchant(store, merchant, 'its test has ended. Is an await missing?');
        }
      };
    },
    end(record) {
      if (running.delete(record)) ended.add(record);
    },
  };
}

/** The fault rules that a test gave its merchant and that have not acted. */
export function unusedFaults({ own, faults }: TestRecord): readonly string[] {
  if (!own?.hasWorld || own.removed) return [];
  return [...own.world.faults.values()]
    .filter(({ id, times, probability }) => probability === 1 && faults.get(id) === times)
    .map(({ match, stage, effect }) =>
      [match.operation, describeFault({ stage, effect })].filter(Boolean).join(' '),
    );
}

/** Notes the fault rules of a merchant that are new. */
function noteFaults({ faults }: TestRecord, { world }: MerchantAccount): void {
  for (const { id, times } of world.faults.values()) if (!faults.has(id)) faults.set(id, times);
}

const noCalls = (): Calls => ({ count: 0, newest: [] });

function callsOf({ calls }: TestRecord, merchant: MerchantAccount): Calls {
  const known = calls.get(merchant) ?? noCalls();
  calls.set(merchant, known);
  return known;
}

function addCall(calls: Calls, entry: StoredEntry): void {
  calls.count += 1;
  addNewest(calls, entry);
}

function addNewest({ newest }: Calls, item: JournalItem): void {
  newest.push(item);
  if (newest.length > MAX_CALLS) newest.shift();
}
