import { fieldError, throwIfInvalid } from '../../world/errors.ts';
import { findByPolicyNumber } from '../policy.ts';
import type { MotorDetailsRequest } from './requests.ts';
import type { MotorPolicyRecord } from './schemas.ts';
import type { MotorWorld } from './state.ts';

/** The policies of the merchant, oldest first unless a profile says otherwise (`motor-list`). */
export function listPolicies({ motor, settings }: MotorWorld): readonly MotorPolicyRecord[] {
  const { list } = motor.policies;
  return settings.listOrder === 'newest-first' ? list.toReversed() : list;
}

/**
 * The policy a request names, by the first spelling it uses (`motor-details-field`). Refuses a request
 * that names none; throws `policy_unknown`.
 */
export function findPolicy({ motor }: MotorWorld, input: MotorDetailsRequest): MotorPolicyRecord {
  const number = input.Policy_number ?? input.policyNumber ?? input.policy_number ?? '';
  if (number === '')
    throwIfInvalid([fieldError('Policy_number', 'is required.', 'motor-details-field')]);
  return findByPolicyNumber(motor.policies, number);
}
