import { DomainError, problem, refuse } from '../../core/errors.ts';
import { findRecord } from '../../core/records.ts';
import type { DetailsRequest } from './requests.ts';
import type { GroupLifePolicyRecord } from './schemas.ts';
import type { GroupLifeWorld } from './state.ts';

/** The policy a request names, by the first spelling it uses (`group-life-details-field`). Throws `policy_unknown`. */
export function findPolicy(world: GroupLifeWorld, input: DetailsRequest): GroupLifePolicyRecord {
  const number = input.policy_number ?? input.Policy_number ?? input.policyNumber ?? '';
  if (number === '') refuse([problem('policy_number', 'is required.', 'group-life-details-field')]);
  const policy = findRecord(world.group_life.policies, number);
  if (policy) return policy;
  throw new DomainError('policy_unknown', ['The policy was not found.'], ['foreign-policy']);
}
