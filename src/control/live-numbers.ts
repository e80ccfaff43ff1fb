import { anyFamilies, stateOf, type World } from '../products/world.ts';
import { countStartPolicies } from './fresh-world.ts';
import type { MerchantStore } from './merchant-store.ts';

/** How much a sandbox holds. */
export interface LiveNumbers {
  readonly merchants: number;
  readonly policies: number;
  /** Of the merchant API, with or without a valid key; those of a World since it was last reset. */
  readonly calls: number;
}

/** Counts what a sandbox holds. Makes no World, so that it costs little however many merchants there are. */
export function liveNumbers(store: MerchantStore): LiveNumbers {
  let policies = 0;
  let calls = store.anonymousRequests;
  for (const merchant of store.byId.values()) {
    if (!merchant.hasWorld) {
      policies += countStartPolicies(store, merchant);
      continue;
    }
    policies += countPolicies(merchant.world);
    calls += merchant.world.requests;
  }
  return { merchants: store.byId.size, policies, calls };
}

function countPolicies(world: World): number {
  let policies = 0;
  for (const family of anyFamilies)
    policies += family.policiesOf(stateOf(world, family)).list.length;
  return policies;
}
