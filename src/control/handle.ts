import type { Merchant, Moment } from '../public.ts';
import { listAssumptions } from './assumptions.ts';
import { advanceClock, changeClock, showClock } from './clock.ts';
import { addFault, clearFaults, listFaults, removeFault } from './faults.ts';
import { checked, overTheWire } from './input.ts';
import { awaitJournal, clearJournal, listJournal } from './journal.ts';
import { removeTenant, rotateKey, showMerchant, type Tenant, type Tenants } from './merchants.ts';
import { ControlError } from './problems.ts';
import { Advance, ClockChange } from './schemas/clock.ts';
import { NewFault } from './schemas/faults.ts';
import { Expectation, JournalQuery } from './schemas/journal.ts';
import { Snapshot } from './schemas/snapshot.ts';
import { MOST_SNAPSHOT_LEVELS, takeSnapshot } from './snapshot.ts';
import { resetWorld, restoreWorld } from './worlds.ts';

/** A moment as the control plane writes it. What is none stays one that will be refused. */
export function momentText(moment: Moment): string {
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
  return moment === undefined ? input : { ...input, [key]: momentText(moment) };
}

/** What mints a merchant, as the control plane takes it. */
export const mintInput = (wanted: unknown): unknown => withMomentText(wanted, 'now');

/** The methods of a merchant. Each is the call of the control plane of the same meaning. */
export function createHandle(tenants: Tenants, tenant: Tenant): Merchant {
  const live = (): Tenant => {
    if (!tenant.removed) return tenant;
    throw new ControlError(404, `Merchant ${tenant.id} was removed.`);
  };
  return {
    id: tenant.id,
    get name() {
      return tenant.name;
    },
    get apiKey() {
      return tenant.api_key;
    },
    clock: {
      show: () => showClock(live().world),
      set: (change) =>
        changeClock(live().world, checked(ClockChange(), withMomentText(change, 'now'))),
      advance: (step) => {
        const sent = typeof step === 'string' ? { by: step } : withMomentText(step, 'to');
        return advanceClock(live().world, checked(Advance(), sent));
      },
    },
    faults: {
      add: (fault) => addFault(live().world, checked(NewFault(), overTheWire(fault))),
      list: () => listFaults(live().world),
      remove: (id) => removeFault(live().world, id),
      clear: () => clearFaults(live().world),
    },
    journal: {
      list: (query = {}) => listJournal(live().world, checked(JournalQuery(), query)),
      clear: () => clearJournal(live().world),
      await: async (expectation = {}) => awaitJournal(live(), checked(Expectation(), expectation)),
    },
    reset: () => resetWorld(tenants, live()),
    snapshot: () => takeSnapshot(live().world),
    restore: (snapshot) =>
      restoreWorld(
        tenants,
        live(),
        checked(Snapshot(), overTheWire(snapshot, MOST_SNAPSHOT_LEVELS)),
      ),
    assumptions: () => listAssumptions(live().world),
    rotateKey: () => {
      rotateKey(tenants, live());
      return tenant.api_key;
    },
    remove: () => removeTenant(tenants, live()),
    show: () => showMerchant(live()),
  };
}
