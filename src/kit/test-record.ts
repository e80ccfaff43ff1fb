/* What happens in the sandbox of a worker while a test runs, for the report of its failure. */

import type { MerchantAccount, MerchantStore } from '../control/merchant-store.ts';
import { storeOf } from '../open-sandbox.ts';
import type { Merchant, Sandbox } from '../public.ts';
import type { Activity } from '../world/activity.ts';
import type { StoredEntry } from '../world/journal.ts';
import { removeMerchant } from '../world/merchants.ts';

/** The newest calls that a report shows of each merchant. */
const MAX_CALLS = 20;

/** Calls of one merchant, or without a valid key. */
export interface Calls {
  count: number;
  /** Oldest first. */
  readonly newest: StoredEntry[];
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
}

/** The records of the tests that run in a worker. */
export interface TestRecords {
  /** Records what happens in a sandbox. */
  watch(sandbox: Sandbox): void;
  begin(): TestRecord;
  /** Makes a merchant that of a test. Returns a function that removes it when the test has ended. */
  own(record: TestRecord, sandbox: Sandbox, merchant: Merchant): () => void;
  end(record: TestRecord): void;
}

export function createTestRecords(): TestRecords {
  const running = new Set<TestRecord>();
  const record = (happened: Activity, { byId }: MerchantStore): void => {
    if (happened.kind === 'page') {
      for (const { blocked } of running) blocked.set(happened.origin, happened.allow);
    }
    if (happened.kind !== 'entry') return;
    const { entry } = happened;
    if (!happened.merchant) {
      for (const { keyless } of running) addCall(keyless, entry);
      return;
    }
    const merchant = byId.get(happened.merchant.id);
    // It was removed during the call.
    if (!merchant) return;
    const owner = [...running].find(({ own }) => own === merchant);
    for (const { calls } of owner ? [owner] : running) {
      const known = calls.get(merchant) ?? noCalls();
      calls.set(merchant, known);
      addCall(known, entry);
    }
  };
  const watched = new WeakSet<MerchantStore>();
  const watch = (store: MerchantStore | undefined): void => {
    if (!store || watched.has(store)) return;
    watched.add(store);
    store.activity.listeners.add((happened) => record(happened, store));
  };
  return {
    watch: (sandbox) => watch(storeOf(sandbox)),
    begin() {
      const isShared = running.size > 0;
      for (const other of running) other.isShared = true;
      const own = undefined;
      const begun = { own, calls: new Map(), keyless: noCalls(), blocked: new Map(), isShared };
      running.add(begun);
      return begun;
    },
    own(owner, sandbox, { id }) {
      const store = storeOf(sandbox);
      // The sandbox may be from a fixture of the project.
      watch(store);
      owner.own = store?.byId.get(id);
      return () => {
        // The test may have removed it itself.
        const merchant = store?.byId.get(id);
        if (store && merchant) {
          removeMerchant(store, merchant, 'its test has ended. Is an await missing?');
        }
      };
    },
    end: (ended) => void running.delete(ended),
  };
}

const noCalls = (): Calls => ({ count: 0, newest: [] });

function addCall(calls: Calls, entry: StoredEntry): void {
  calls.count += 1;
  calls.newest.push(entry);
  if (calls.newest.length > MAX_CALLS) calls.newest.shift();
}
