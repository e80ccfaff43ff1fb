import { type CatalogueProduct, productOf } from '../catalogue.ts';
import type { FamilyWorld } from '../family.ts';
import { findRequested } from '../policy.ts';
import type { GroupLifeWorld } from './records.ts';
import { type GroupLifeDetailsRequest, LOOKUP } from './requests.ts';
import type {
  GroupLifeListedPolicy,
  GroupLifeListedUser,
  GroupLifePolicy,
  GroupLifePolicyRecord,
  GroupLifeProduct,
  GroupLifeUser,
} from './schemas.ts';

/** The policy a request names (`group-life-details-field`). Throws `policy_unknown`. */
export const findPolicy = (
  { group_life }: GroupLifeWorld,
  input: GroupLifeDetailsRequest,
): GroupLifePolicyRecord => findRequested(group_life.policies, input, LOOKUP);

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

/** Records never change, so each element is made once: it may have thousands of members, and its JSON is cached with it. */
const listed = new WeakMap<GroupLifePolicyRecord, Listed>();

/** A policy of the list: its purchaser has fewer fields (`group-life-items`). */
export function presentListedPolicy(
  world: FamilyWorld,
  policy: GroupLifePolicyRecord,
): GroupLifeListedPolicy {
  const product = productOf(world, policy.product_id);
  const known = listed.get(policy);
  if (known?.product === product) return known.element;
  const element = { ...presentPolicy(world, policy), user: presentListedUser(policy.user) };
  listed.set(policy, { product, element });
  return element;
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
