import { codedEnvelope } from '../../../http/envelope.ts';
import { findPolicy } from '../policies.ts';
import { presentPolicy } from '../present.ts';
import { DetailsRequest } from '../requests.ts';
import { MotorPolicy } from '../schemas.ts';
import { operation, TAG } from './operation.ts';

// No `check`: a malformed number is a number given, and then none is missing.
export const getPolicyDetails = operation({
  operationId: 'getMotorPolicyDetails',
  summary: 'Look a motor policy up by its policy number',
  description:
    'Answers one verified policy of the merchant. The policy number may be sent as Policy_number, policyNumber or policy_number; the first of these that is present counts.',
  method: 'post',
  path: '/api/merchant/get_comprehensive_motor_policy_details',
  readOnly: true,
  tag: TAG,
  envelope: codedEnvelope(''),
  request: { in: 'body', schema: DetailsRequest },
  data: MotorPolicy,
  message: 'Comprehensive motor policy retrieved successfully',
  refusals: ['invalid', 'policy_unknown'],
  assumptions: [
    'motor-details-field',
    'motor-policy-number',
    'motor-slug',
    'motor-vehicle-value',
    'motor-duration',
    'motor-dates',
    'success-messages',
  ],
  handle: ({ world }, input) => presentPolicy(findPolicy(world, input)),
});
