/* The methods of a merchant for code in this process: those of the calls over its World, and those that are more. */

import type { Merchant, Sandbox } from '../types/public.ts';
import { keepBoughtWorld } from '../world/kept-worlds.ts';
import { removeMerchant, rotateKey } from '../world/merchants.ts';
import { inputOf, methodsOf } from './call.ts';
import { atCallersLine, methodsAtCallersLine } from './caller.ts';
import { type MethodsOfCalls, WORLD_CALLS } from './calls.ts';
import { ControlError } from './control-error.ts';
import { type Buyer, callOperation, fetchWithKey, purchaseMethods } from './merchant-call.ts';
import type { MerchantAccount, MerchantStore } from './merchant-store.ts';
import { createMerchant, readNewMerchant } from './merchants.ts';

/** Creates a merchant for code in this process. */
export function createMerchantFrom(store: MerchantStore, wanted: unknown): MerchantAccount {
  const merchant = createMerchant(store, readNewMerchant(wanted));
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
  const methods = methodsOf<MethodsOfCalls>(WORLD_CALLS, (name, call) => {
    const run = (...given: unknown[]) => {
      const merchant = live();
      const result = call.run(inputOf(name, call, given), merchant, store);
      return call.isSilent ? undefined : result;
    };
    return atCallersLine(call.isAsync ? async (...given: unknown[]) => run(...given) : run);
  });
  const call: Buyer['call'] = (operation, input) => callOperation(ownFetch, operation, input);
  return {
    id: merchant.id,
    get name() {
      return merchant.name;
    },
    get apiKey() {
      return merchant.api_key;
    },
    ...methods,
    ...methodsAtCallersLine({
      fetch: ownFetch,
      call: call as Merchant['call'],
      ...purchaseMethods({ call, ...methods }),
      rotateKey: () => {
        rotateKey(store, live());
        return merchant.api_key;
      },
      remove: () => removeMerchant(store, live()),
    }),
  };
}
