import { codedEnvelope } from '../../../http/envelope.ts';
import { checkPurchase, initiatePurchase } from '../purchase.ts';
import { InitiateRequest } from '../requests.ts';
import { PurchaseToken } from '../schemas.ts';
import { operation, TAG } from './operation.ts';

export const initiate = operation({
  operationId: 'initiateMicroHealthSubscription',
  summary: 'Initiate a micro-health subscription',
  description:
    'Remembers a first-time subscription for 15 minutes and answers the token that verify completes it with.',
  method: 'post',
  path: '/api/merchant/micro_health/initiate',
  readOnly: false,
  tag: TAG,
  envelope: codedEnvelope('FRT008'),
  request: { in: 'body', schema: InitiateRequest, requiredBy: ['micro-health-required'] },
  data: PurchaseToken,
  message: 'Insurance Policy subscription initiate Successfully',
  refusals: ['invalid'],
  assumptions: ['token-format', 'price-config', 'users-count', 'amount-check', 'success-messages'],
  check: ({ world, now }, input, malformed) => checkPurchase(world, input, now, malformed),
  handle: ({ world, now }, input) => ({ token: initiatePurchase(world, input, now) }),
});
