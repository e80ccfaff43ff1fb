import type { ChangeLine } from '../core/change-log.ts';
import type { LoggedRule } from './change.ts';
import { advanceClock, setClock } from './clock.ts';
import { ControlError } from './control-error.ts';
import { clearFaults, removeFault, storeFault } from './faults.ts';
import { clearJournal } from './journal.ts';
import {
  addAutoMerchant,
  type MerchantAccount,
  type MerchantStore,
  resetWorld,
} from './merchant-store.ts';
import { createMerchant, removeMerchant, resetAll, rotateKey } from './merchants.ts';
import { LOAD_SANDBOX, loadSandbox } from './sandbox-state.ts';
import { PUT_SNAPSHOT, restoreWorld, type Snapshot } from './snapshot.ts';

/** Every change that a log can hold, by its name. */
const RULES: ReadonlyMap<string, LoggedRule> = new Map(
  [
    setClock,
    advanceClock,
    resetWorld,
    storeFault,
    removeFault,
    clearFaults,
    clearJournal,
    createMerchant,
    addAutoMerchant,
    removeMerchant,
    rotateKey,
    resetAll,
  ].map(({ rule }) => [rule.name, rule]),
);

/** Makes a change again as a log has it. Throws an `Error` that says why the line can't be right. */
export function* makeAgain(
  store: MerchantStore,
  { change, merchant: id, input }: ChangeLine,
  document: unknown,
): Generator<void, void> {
  const merchant = id === undefined ? undefined : store.byId.get(id);
  if (id !== undefined && !merchant) throw new Error(`there is no merchant ${id}`);
  if (change === LOAD_SANDBOX) return yield* loadSandbox(store, document);
  if (change === PUT_SNAPSHOT) {
    return yield* restoreWorld(store, merchant as MerchantAccount, document as Snapshot);
  }
  const rule = RULES.get(change);
  if (!rule) throw new Error(`there is no change "${change}"`);
  const given = rule.input?.safeParse(input);
  if (given && !given.success) throw new Error(`${change} does not take ${JSON.stringify(input)}`);
  try {
    rule.make(store, merchant, given?.data);
  } catch (error) {
    // What was refused then is refused again.
    if (!(error instanceof ControlError)) throw error;
  }
}
