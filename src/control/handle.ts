/* The methods of a merchant for code in this process: those of the calls over its World, and those that are more. */

import type { Merchant, OperationId, Sandbox } from '../types/public.ts';
import { keepBoughtWorld } from '../world/kept-worlds.ts';
import { removeMerchant, rotateKey } from '../world/merchants.ts';
import { type Buyer, buyPolicy, dataOf } from './buy.ts';
import { inputOf, methodsOf } from './call.ts';
import { isRefusal, refusingAtCaller, rejectingAtCaller } from './caller.ts';
import { type MethodsOfCalls, WORLD_CALLS } from './calls.ts';
import { ControlError } from './control-error.ts';
import { callOperation, fetchWithKey } from './merchant-call.ts';
import type { MerchantAccount, MerchantStore } from './merchant-store.ts';
import { createMerchant, readNewMerchant } from './merchants.ts';

/** Whether the stack of an error should begin where a call was made: `fetch` throws a TypeError. */
const isMistake = (error: unknown): error is Error =>
  isRefusal(error) || error instanceof TypeError;

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
    return call.isAsync
      ? rejectingAtCaller(async (...given: unknown[]) => run(...given))
      : refusingAtCaller(run);
  });
  const call: Buyer['call'] = (operation, input) => callOperation(ownFetch, operation, input);
  const buyer: Buyer = { call, ...methods };
  return {
    id: merchant.id,
    get name() {
      return merchant.name;
    },
    get apiKey() {
      return merchant.api_key;
    },
    ...methods,
    fetch: rejectingAtCaller(ownFetch, isMistake),
    call: rejectingAtCaller(call, isMistake) as Merchant['call'],
    data: rejectingAtCaller(
      (operation: OperationId, input: unknown) => dataOf(buyer, operation, input),
      isMistake,
    ) as Merchant['data'],
    buy: rejectingAtCaller(
      (family: unknown, fields: unknown) => buyPolicy(buyer, family, fields),
      isMistake,
    ) as Merchant['buy'],
    rotateKey: refusingAtCaller(() => {
      rotateKey(store, live());
      return merchant.api_key;
    }),
    remove: refusingAtCaller(() => removeMerchant(store, live())),
  };
}
