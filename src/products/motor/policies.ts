/* Lists and finds motor policies, and presents what each operation shows of one. */

import { LIST_ORDER } from '../../api/pagination.ts';
import { midnight } from '../../world/time.ts';
import { shownOf } from '../named-schemas.ts';
import type { MotorWorld } from './records.ts';
import {
  MotorListedPolicy,
  type MotorPolicy,
  type MotorPolicyRecord,
  type MotorVerifiedPolicy,
} from './schemas.ts';

/** The policies of the merchant, oldest first unless a profile says otherwise (`motor-list`). */
export function listPolicies({ motor, settings }: MotorWorld): readonly MotorPolicyRecord[] {
  const { list } = motor.policies;
  return LIST_ORDER.in(settings) === 'newest-first' ? list.toReversed() : list;
}

/** A new policy. In verify the field of the merchant is `merchant_id`, and days are midnights. */
export function presentVerified({
  slug,
  product_id,
  merchant_user_id,
  ...rest
}: MotorPolicyRecord): MotorVerifiedPolicy {
  return {
    slug,
    product_id,
    merchant_id: merchant_user_id,
    ...rest,
    start_date: midnight(rest.start_date),
    end_date: midnight(rest.end_date),
  };
}

/** A policy without the fields that only verify returns. */
export function presentPolicy(record: MotorPolicyRecord): MotorPolicy {
  const {
    id: _id,
    user_id: _user,
    status: _status,
    created_at: _c,
    updated_at: _u,
    ...policy
  } = record;
  return policy;
}

/** Records never change, so each element is made once. Lists are long, and the JSON of an element is cached with it. */
const listed = new WeakMap<MotorPolicyRecord, MotorListedPolicy>();

export function presentListed(policy: MotorPolicyRecord): MotorListedPolicy {
  const known = listed.get(policy);
  if (known) return known;
  const element = shownOf(MotorListedPolicy(), { ...policy, status: 'activated' });
  listed.set(policy, element);
  return element;
}
