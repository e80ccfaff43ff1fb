/* A World with all families in it: created, priced, and freed of purchases that expired. */

import type { Role } from '../api/operation.ts';
import { personalNames } from '../api/request-fields.ts';
import type { InitiateOperationId } from '../types/public.ts';
import { type Assumption, type AssumptionId, SHARED_AREAS } from '../world/assumptions.ts';
import { PUBLISHED } from '../world/settings.ts';
import type { Instant } from '../world/time.ts';
import { type Expiry, firstExpiry, rememberExpired, takeExpired } from '../world/tokens.ts';
import { createWorldCore, nowOf, type WorldCore, type WorldValues } from '../world/world.ts';
import { catalogueOf, type PriceList } from './catalogue.ts';
import { type FamilyWorld, highestIds, type ProductFamily, withMerchant } from './family.ts';
import { families, serve } from './index.ts';

/** A World with the part of every family in it, under the family's key. */
export type World = FamilyWorld;

/** The families, for code that treats all of them alike. */
export const anyFamilies: readonly ProductFamily[] = families;

/** Every assumption there is, by area: those that every family rests on, then those of each family. */
export const ASSUMPTION_AREAS: Readonly<Record<string, Readonly<Record<string, Assumption>>>> = {
  ...SHARED_AREAS,
  ...Object.fromEntries(anyFamilies.map(({ tag, assumptions }) => [tag, assumptions])),
};

/** Every assumption there is, by id. */
export const ASSUMPTIONS: Readonly<Record<AssumptionId, Assumption>> = Object.assign(
  {},
  ...Object.values(ASSUMPTION_AREAS),
);

/** The families of a sandbox without a profile. */
export const publishedFamilies = serve(PUBLISHED, families);

/** The published operations of all families. */
export const { operations } = publishedFamilies;

/** The fields of requests that identify a person, under all their names. */
export const personalFields: readonly string[] = [
  ...new Set(operations.flatMap(({ input }) => personalNames(input))),
];

const ROLES: ReadonlyMap<string, Role> = new Map(
  operations.map(({ operationId, role }) => [operationId, role]),
);

/** The role of an operation; undefined for an unknown one. */
export const roleOf = (operationId: string): Role | undefined => ROLES.get(operationId);

/** The quotes and initiates of all families: they name no token and no policy. */
export const sampledOperations = operations.filter(
  ({ role }) => role === 'quote' || role === 'initiate',
);

type AnyState = ReturnType<ProductFamily['createState']>;

/** A family's part of a World. */
export function stateOf(world: WorldCore, family: ProductFamily): AnyState {
  return Reflect.get(world, family.key) as AnyState;
}

/** Policies by family, oldest first. */
export type PoliciesByFamily = Readonly<Record<string, readonly object[]>>;

/** A new World with these policies. */
export function createWorld(
  priceList: PriceList,
  shared: Pick<WorldCore, 'settings' | 'time'>,
  start: Partial<WorldValues>,
  policies: PoliciesByFamily,
): World {
  const world = addFamilies(createWorldCore(shared, start), priceList);
  for (const family of anyFamilies) {
    const own = policies[family.key] ?? [];
    stateOf(world, family).policies.loadAll(own);
    for (const [sequence, highest] of Object.entries(highestIds(family, own))) {
      world.sequences.load(sequence, Math.max(world.sequences.get(sequence) ?? 0, highest));
    }
  }
  return world;
}

/** Adds the catalogue and the empty tables of every family to a World. */
export function addFamilies(core: WorldCore, { products, prices }: PriceList): World {
  const states = anyFamilies.map((family) => [
    family.key,
    family.createState(prices[family.key] as object, core),
  ]);
  return Object.assign(core, catalogueOf(products), Object.fromEntries(states));
}

/** The price list of a World. */
export const priceListOf = (world: World): PriceList => ({
  products: [...world.products.values()],
  prices: Object.fromEntries(
    anyFamilies.map((family) => {
      const state = stateOf(world, family);
      const lists = Object.keys(family.priceLists).map((name) => [name, Reflect.get(state, name)]);
      return [family.key, Object.fromEntries(lists)];
    }),
  ),
});

/** Replaces the price list of a World. */
export function setPrices(world: World, { products, prices }: PriceList): void {
  Object.assign(world, catalogueOf(products));
  for (const family of anyFamilies) Object.assign(stateOf(world, family), prices[family.key]);
}

/** The policies of an owner, as another merchant starts with them. */
export const startPolicies = (
  policies: PoliciesByFamily,
  owner: number,
  merchantId: number,
): PoliciesByFamily =>
  Object.fromEntries(
    anyFamilies.map((family) => {
      const own = (policies[family.key] ?? []).filter(
        (policy) => family.merchantOf(policy) === owner,
      );
      const isSame = owner === merchantId;
      return [family.key, isSame ? own : own.map((policy) => withMerchant(policy, merchantId))];
    }),
  );

/** A pending purchase that expired. */
export interface ExpiredPurchase {
  readonly kind: 'purchase_expired';
  /** The operation that initiated the purchase. */
  readonly operation: InitiateOperationId;
  readonly token: string;
  readonly at: Instant;
}

/**
 * Deletes expired purchases, oldest first, so that a World does not depend on how often it was read.
 */
export function expirePending(world: WorldCore, now: Instant): ExpiredPurchase[] {
  const expired: (Expiry & { readonly family: ProductFamily })[] = [];
  for (const family of anyFamilies) {
    const { tokens } = stateOf(world, family);
    for (const { token, at } of takeExpired(tokens, now)) expired.push({ token, at, family });
  }
  if (expired.length === 0) return [];
  expired.sort((a, b) => a.at - b.at);
  rememberExpired(
    world.expired_tokens,
    expired.map(({ token, family, at }) => ({ token, family: family.key, at })),
  );
  return expired.map(({ token, at, family }) => ({
    kind: 'purchase_expired',
    operation: family.initiateOperation,
    token,
    at,
  }));
}

/** When the next pending purchase expires; undefined if none is pending. */
export function nextExpiry(world: WorldCore): Instant | undefined {
  const ends = anyFamilies.flatMap((family) => firstExpiry(stateOf(world, family).tokens) ?? []);
  return ends.length > 0 ? Math.min(...ends) : undefined;
}

/** The time of a World, after deleting what has expired. */
export function settledNow(world: WorldCore): Instant {
  const now = nowOf(world);
  expirePending(world, now);
  return now;
}
