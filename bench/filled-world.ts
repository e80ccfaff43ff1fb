import type { MerchantAccount, MerchantStore } from '../src/control/merchant-store.ts';
import { initiatePurchase, verifyPurchase } from '../src/products/micro-health/purchase.ts';
import type { MicroHealthWorld } from '../src/products/micro-health/records.ts';
import { SCHEMAS } from '../src/products/micro-health/schemas.ts';
import { openCore } from '../src/sandbox/core.ts';
import { addMerchant } from '../src/world/merchants.ts';
import { DAY_MS } from '../src/world/time.ts';
import { PURCHASE } from './calls.ts';

/** The first day of the subscriptions' year. The clock is frozen at the end of the year. */
const START = Date.UTC(2024, 0, 1);
const END = START + 365 * DAY_MS;

/** A sandbox with access to its Worlds. */
export interface OpenSandbox {
  readonly merchants: MerchantStore;
  readonly fetch: (request: Request) => Response | Promise<Response>;
}

export function openSandbox(): OpenSandbox {
  const { store, handle } = openCore({ now: END, clock: 'frozen' });
  return { merchants: store, fetch: (request) => handle(request, {}) };
}

/** A merchant with a number of subscriptions, bought over a year. */
export function fillMerchant({ merchants }: OpenSandbox, subscriptions: number): MerchantAccount {
  const merchant = addMerchant(merchants);
  const world = merchant.world as MicroHealthWorld;
  const sent = JSON.stringify(PURCHASE);
  for (let bought = 0; bought < subscriptions; bought++) {
    const now = START + Math.floor((bought / subscriptions) * 365 * DAY_MS);
    const input = SCHEMAS.MicroHealthInitiateRequest.parse(JSON.parse(sent));
    verifyPurchase(world, initiatePurchase(world, input, now), now);
  }
  return merchant;
}

export const subscribersOf = ({ world }: MerchantAccount) =>
  (world as MicroHealthWorld).micro_health.policies.list;
