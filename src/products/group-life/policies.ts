/* Finds group-life policies, and presents them in details and in the list. */

import { type CatalogueProduct, productOf } from '../catalogue.ts';
import type { FamilyWorld } from '../family.ts';
import { shownOf } from '../named-schemas.ts';
import {
  type GroupLifeListedPolicy,
  type GroupLifePolicy,
  type GroupLifePolicyRecord,
  type GroupLifeProduct,
  SCHEMAS,
} from './schemas.ts';

/** A policy with its product. */
export function presentPolicy(world: FamilyWorld, policy: GroupLifePolicyRecord): GroupLifePolicy {
  const { user, group_life_members, ...fields } = policy;
  const product = presentProduct(productOf(world, policy.product_id));
  return { ...fields, user, product, group_life_members };
}

interface Listed {
  readonly product: CatalogueProduct;
  readonly element: GroupLifeListedPolicy;
}

/** Records never change, so each element is made once. It may have thousands of members, and its JSON is cached with it. */
const listed = new WeakMap<GroupLifePolicyRecord, Listed>();

/** A policy in the list. Its purchaser has fewer fields (`group-life-items`). */
export function presentListedPolicy(
  world: FamilyWorld,
  policy: GroupLifePolicyRecord,
): GroupLifeListedPolicy {
  const product = productOf(world, policy.product_id);
  const known = listed.get(policy);
  if (known?.product === product) return known.element;
  const element = {
    ...presentPolicy(world, policy),
    user: shownOf(SCHEMAS.responses().GroupLifeListedUser, policy.user),
  };
  listed.set(policy, { product, element });
  return element;
}

const presentProduct = ({ family: _, ...product }: CatalogueProduct): GroupLifeProduct => product;
