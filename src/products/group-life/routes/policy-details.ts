import { statusEnvelope } from '../../../http/envelope.ts';
import { findPolicy } from '../policies.ts';
import { presentPolicy } from '../present.ts';
import { DetailsRequest } from '../requests.ts';
import { GroupLifePolicy } from '../schemas.ts';
import { operation, TAG } from './operation.ts';

export const policyDetails = operation({
  operationId: 'getGroupLifePolicyDetails',
  summary: 'Look a group-life policy up by its policy number',
  description: 'Answers one policy with its purchaser, its product and its members.',
  method: 'post',
  path: '/api/merchant/group-life/policy/group-life-policy-details',
  readOnly: true,
  tag: TAG,
  envelope: statusEnvelope,
  request: { in: 'body', schema: DetailsRequest },
  data: GroupLifePolicy,
  message: 'Group life policy retrieved successfully',
  refusals: ['invalid', 'policy_unknown'],
  assumptions: [
    'group-life-details-field',
    'group-life-policy-number',
    'group-life-dates',
    'group-life-items',
    'subscriber-per-purchase',
    'timestamp-precision',
    'success-messages',
  ],
  handle: ({ world }, input) => presentPolicy(world, findPolicy(world, input)),
});
