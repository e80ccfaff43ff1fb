/* Which merchant a key opens, which keys a merchant can have, and why a key opens none. */

import { type MerchantOf, nameAfter } from './merchant.ts';
import { addMerchant, isFull, type Merchants, tooManyMerchants } from './merchants.ts';
import type { WorldCore } from './world.ts';

/** The merchant of a key. With `autoMerchants` an unknown key gets one. Throws `NotStoredError`. */
export function findByKey<W extends WorldCore>(
  store: Merchants<W>,
  key: string | undefined,
): MerchantOf<W> | undefined {
  if (key === undefined) return undefined;
  const known = store.byKey.get(key);
  if (known || !store.defaults.autoMerchants) return known;
  if (store.blocked.has(key) || key === store.adminToken) return undefined;
  if (!isFull(store)) return addMerchant(store, { name: nameAfter(key) }, key);
  if (!store.warnedFull) {
    store.warn?.(`${tooManyMerchants(store)} Until then, unknown keys are refused with 401.`);
  }
  store.warnedFull = true;
  return undefined;
}

/** Whether a new merchant cannot have this key: it is a merchant's, was replaced, or is the admin token. */
export const isKeyTaken = ({ byKey, blocked, adminToken }: Merchants, key: string): boolean =>
  byKey.has(key) || blocked.has(key) || key === adminToken;

/**
 * Why an unknown key opens no World, and how to make unknown keys open one. Without that option it tells keys of nobody
 * from replaced ones no more than a real service would.
 */
export function unknownKeyReason(store: Merchants, key: string): string {
  if (!store.defaults.autoMerchants) {
    return `No merchant has this key. Start the sandbox with ${store.autoMerchantsOption} to give every unknown key a World of its own.`;
  }
  return store.blocked.has(key) || key === store.adminToken
    ? 'No merchant can have this key: it was replaced, or it is the admin token.'
    : tooManyMerchants(store);
}
