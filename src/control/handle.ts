import type { Merchant, Moment } from '../public.ts';
import { listAssumptions } from './assumptions.ts';
import { advanceClock, changeClock, showClock } from './clock.ts';
import { addFault, clearFaults, listFaults, removeFault } from './faults.ts';
import { awaitJournal, clearJournal, listJournal } from './journal.ts';
import {
  removeTenant,
  resetWorld,
  restoreWorld,
  rotateKey,
  showMerchant,
  type Tenant,
  type Tenants,
} from './merchants.ts';
import { checked } from './route.ts';
import { Expectation, JournalQuery, NewFault } from './schemas.ts';
import { takeSnapshot } from './snapshot.ts';

/** A moment as the control plane writes it. */
export const momentText = (moment: Moment): string =>
  typeof moment === 'string' ? moment : new Date(moment).toISOString();

/** The methods of a merchant. Each is the call of the control plane of the same meaning. */
export function createHandle(tenants: Tenants, tenant: Tenant): Merchant {
  return {
    id: tenant.id,
    name: tenant.name,
    get apiKey() {
      return tenant.api_key;
    },
    clock: {
      show: () => showClock(tenant.world),
      set: ({ now, mode }) =>
        changeClock(tenant.world, { mode, now: now === undefined ? now : momentText(now) }),
      advance: (step) => {
        if (typeof step === 'string') return advanceClock(tenant.world, { by: step });
        return advanceClock(tenant.world, 'to' in step ? { to: momentText(step.to) } : step);
      },
    },
    faults: {
      add: (fault) => addFault(tenant.world, checked(NewFault(), fault)),
      list: () => listFaults(tenant.world),
      remove: (id) => removeFault(tenant.world, id),
      clear: () => clearFaults(tenant.world),
    },
    journal: {
      list: (query = {}) => listJournal(tenant.world, checked(JournalQuery(), query)),
      clear: () => clearJournal(tenant.world),
      await: async (expectation = {}) => awaitJournal(tenant, checked(Expectation(), expectation)),
    },
    reset: () => resetWorld(tenants, tenant),
    snapshot: () => takeSnapshot(tenant.world),
    restore: (snapshot) => restoreWorld(tenants, tenant, snapshot),
    assumptions: () => listAssumptions(tenant.world),
    rotateKey: () => {
      rotateKey(tenants, tenant);
      return tenant.api_key;
    },
    remove: () => removeTenant(tenants, tenant),
    show: () => showMerchant(tenant),
  };
}
