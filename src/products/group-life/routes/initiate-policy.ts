import { statusEnvelope } from '../../../http/envelope.ts';
import { checkPurchase, initiatePurchase } from '../purchase.ts';
import { InitiateRequest } from '../requests.ts';
import { PurchaseToken } from '../schemas.ts';
import { operation, TAG } from './operation.ts';

export const initiatePolicy = operation({
  operationId: 'initiateGroupLifePolicy',
  summary: 'Initiate a group-life policy',
  description:
    'Remembers a policy for 15 minutes and answers the token that verify completes it with.',
  method: 'post',
  path: '/api/merchant/group-life/policy/initiate-group-life-policy',
  readOnly: false,
  tag: TAG,
  envelope: statusEnvelope,
  request: { in: 'body', schema: InitiateRequest, requiredBy: ['group-life-initiate-body'] },
  data: PurchaseToken,
  message: 'Group life policy initiated successfully',
  refusals: ['invalid'],
  assumptions: [
    'group-life-initiate-body',
    'group-life-members',
    'token-format',
    'success-messages',
  ],
  check: ({ world, now }, input, malformed) => checkPurchase(world, input, now, malformed),
  handle: ({ world, now }, input) => ({ token: initiatePurchase(world, input, now) }),
});
