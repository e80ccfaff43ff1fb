/* Watches the sandbox of one run, and makes one of its calls fail. */

import { advanceClock } from '../../control/clock.ts';
import { addFault } from '../../control/faults.ts';
import type { MerchantAccount, MerchantStore } from '../../control/merchant-store.ts';
import type { OperationId } from '../../public.ts';
import { ruleOf } from './failures.ts';
import type { Bought, Failure } from './public.ts';
import { createPurchaseCounter } from './purchases.ts';

/** The failure of a run. */
export interface PlannedFailure {
  readonly operation: OperationId;
  readonly failure: Failure;
  /** The delay of `slow`. */
  readonly slowMs: number;
  /** Called when the program begins to wait for a delayed response. */
  onDelay(ms: number): void;
}

/** Watches a sandbox that one run has for itself, and makes its failure happen. */
export interface RunObserver {
  /** Takes every call with a valid key before the sandbox handles it. */
  onArrival(store: MerchantStore, merchant: MerchantAccount, operation: OperationId): void;
  /** The operations that were called, in the order of their first calls. */
  readonly operations: ReadonlySet<OperationId>;
  bought(): readonly Bought[];
}

export function createRunObserver(planned?: PlannedFailure): RunObserver {
  const operations = new Set<OperationId>();
  const purchases = createPurchaseCounter();
  return {
    onArrival(store, merchant, operation) {
      // What a World holds before its first call was not bought by this run.
      purchases.look(merchant.world);
      const isFirst = !operations.has(operation);
      operations.add(operation);
      if (isFirst && operation === planned?.operation) {
        inflict(planned, store, merchant);
      }
    },
    operations,
    bought: purchases.bought,
  };
}

/**
 * Makes the call that is arriving fail. A rule that was set before the start of the program would be lost when the
 * program resets its World or creates merchants of its own.
 */
function inflict(
  { operation, failure, slowMs, onDelay }: PlannedFailure,
  store: MerchantStore,
  merchant: MerchantAccount,
): void {
  const { does } = ruleOf(failure);
  if ('passes' in does) {
    advanceClock(store, merchant, { by: does.passes(operation) });
    return;
  }
  const effect = does.effect(slowMs);
  addFault(store, merchant, { match: { operation }, stage: does.stage, effect });
  if (effect.kind === 'delay') onDelay(effect.ms);
}
