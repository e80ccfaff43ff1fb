import { fieldError, throwIfInvalid } from '../../world/errors.ts';
import { findByPolicyNumber } from '../policy.ts';
import type { GroupLifeDetailsRequest } from './requests.ts';
import type { GroupLifePolicyRecord } from './schemas.ts';
import type { GroupLifeWorld } from './state.ts';

/** The policy a request names, by the first spelling it uses (`group-life-details-field`). Throws `policy_unknown`. */
export function findPolicy(
  world: GroupLifeWorld,
  input: GroupLifeDetailsRequest,
): GroupLifePolicyRecord {
  const number = input.policy_number ?? input.Policy_number ?? input.policyNumber ?? '';
  if (number === '')
    throwIfInvalid([fieldError('policy_number', 'is required.', 'group-life-details-field')]);
  return findByPolicyNumber(world.group_life.policies, number);
}
