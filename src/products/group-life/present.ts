import { type CatalogueProduct, productOf } from '../catalogue.ts';
import type {
  GroupLifeListedPolicy,
  GroupLifeListedUser,
  GroupLifePolicy,
  GroupLifePolicyRecord,
  GroupLifeProduct,
  GroupLifeUser,
} from './schemas.ts';
import type { GroupLifeWorld } from './state.ts';

/** A policy with its product. */
export function presentPolicy(
  world: GroupLifeWorld,
  policy: GroupLifePolicyRecord,
): GroupLifePolicy {
  const { user, group_life_members, ...fields } = policy;
  const product = presentProduct(productOf(world, policy.product_id));
  return { ...fields, user, product, group_life_members };
}

/** A policy of the list: its purchaser has fewer fields (`group-life-items`). */
export function presentListedPolicy(
  world: GroupLifeWorld,
  policy: GroupLifePolicyRecord,
): GroupLifeListedPolicy {
  return { ...presentPolicy(world, policy), user: presentListedUser(policy.user) };
}

const presentProduct = ({ family: _, ...product }: CatalogueProduct): GroupLifeProduct => product;

const presentListedUser = (user: GroupLifeUser): GroupLifeListedUser => ({
  id: user.id,
  first_name: user.first_name,
  middle_name: user.middle_name,
  surname: user.surname,
  phone_no: user.phone_no,
  email: user.email,
  address: user.address,
  gender: user.gender,
  created_at: user.created_at,
  updated_at: user.updated_at,
});
