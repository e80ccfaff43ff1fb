import { codedEnvelope } from '../../../http/envelope.ts';
import { listPolicies as listRecords } from '../policies.ts';
import { presentListed } from '../present.ts';
import { MotorPolicyList } from '../schemas.ts';
import { operation, TAG } from './operation.ts';

export const listPolicies = operation({
  operationId: 'listMotorPolicies',
  summary: 'List the motor policies of the merchant',
  description: 'Answers every verified motor policy of the merchant, in one array.',
  method: 'get',
  path: '/api/merchant/get_comprehensive_motor_policies',
  readOnly: true,
  tag: TAG,
  envelope: codedEnvelope(''),
  data: MotorPolicyList,
  message: 'Comprehensive motor policies retrieved successfully',
  refusals: [],
  assumptions: ['motor-list', 'success-messages'],
  elementAssumptions: [
    'list-order',
    'motor-policy-number',
    'motor-slug',
    'motor-vehicle-value',
    'motor-duration',
    'motor-dates',
  ],
  handle: ({ world }) => listRecords(world).map(presentListed),
});
