/* Every call of the control plane. Routes, documents and methods come from these tables. */

import type {
  Merchant,
  MerchantClock,
  MerchantFaults,
  MerchantJournal,
  SandboxPlace,
} from '../types/public.ts';
import { assumptionCalls } from './assumptions.ts';
import type { SandboxCall, WorldCall } from './call.ts';
import { clockCalls } from './clock.ts';
import { eventsCall } from './events.ts';
import { faultCalls } from './faults.ts';
import { journalAllCall, journalCalls } from './journal.ts';
import { journalWaitCalls } from './journal-wait.ts';
import { allMerchantCalls, merchantCalls } from './merchants.ts';
import { productCalls } from './products.ts';
import { purchaseCalls, recordCalls } from './records.ts';
import { rewindCalls } from './rewind.ts';
import { sendCalls } from './send.ts';
import { snapshotCalls } from './snapshot.ts';

/** The methods of a merchant that are more than a call of the control plane over its World. */
type OtherMethod =
  | 'id'
  | 'name'
  | 'apiKey'
  | 'call'
  | 'data'
  | 'buy'
  | 'fetch'
  | 'rotateKey'
  | 'remove';

/** The methods of a merchant that are calls over its World, as they are grouped. */
export type MethodsOfCalls<Place extends SandboxPlace = 'process'> = Omit<
  Merchant<Place>,
  OtherMethod
>;

/** The same by name: `clock.advance`, `reset`. */
type WorldMethod =
  | `clock.${keyof MerchantClock}`
  | `faults.${keyof MerchantFaults}`
  | `journal.${keyof MerchantJournal}`
  | Exclude<keyof Merchant, OtherMethod | 'clock' | 'faults' | 'journal'>;

/** The calls over one World, each by the method of a merchant that does the same. */
export const WORLD_CALLS: Readonly<Record<WorldMethod, WorldCall>> = {
  ...clockCalls,
  ...snapshotCalls,
  ...rewindCalls,
  ...faultCalls,
  ...journalCalls,
  ...journalWaitCalls,
  ...sendCalls,
  ...recordCalls,
  ...purchaseCalls,
  ...productCalls,
  ...assumptionCalls,
  ...merchantCalls,
};

/** The calls over the sandbox. */
export const SANDBOX_CALLS: readonly SandboxCall[] = [
  ...allMerchantCalls,
  journalAllCall,
  eventsCall,
];
