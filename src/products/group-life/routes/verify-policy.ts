import { statusEnvelope } from '../../../http/envelope.ts';
import { presentPolicy } from '../present.ts';
import { verifyPurchase } from '../purchase.ts';
import { VerifyRequest } from '../requests.ts';
import { GroupLifePolicy } from '../schemas.ts';
import { operation, TAG } from './operation.ts';

export const verifyPolicy = operation({
  operationId: 'verifyGroupLifePolicy',
  summary: 'Complete a group-life purchase',
  description:
    'Turns a pending purchase into a policy. The token is valid for 15 minutes from initiate.',
  method: 'post',
  path: '/api/merchant/group-life/policy/verify-group-life-policy',
  readOnly: false,
  tag: TAG,
  envelope: statusEnvelope,
  request: {
    in: 'body',
    schema: VerifyRequest,
    requiredBy: ['group-life-verify-body', 'token-unknown'],
  },
  data: GroupLifePolicy,
  message: 'Group life policy verified successfully',
  refusals: ['invalid', 'token_unknown', 'token_used', 'token_expired'],
  assumptions: [
    'group-life-verify-body',
    'group-life-verify-response',
    'group-life-policy-number',
    'group-life-dates',
    'group-life-items',
    'token-boundary',
    'subscriber-per-purchase',
    'timestamp-precision',
    'success-messages',
  ],
  handle: ({ world, now }, { token }) => presentPolicy(world, verifyPurchase(world, token, now)),
});
