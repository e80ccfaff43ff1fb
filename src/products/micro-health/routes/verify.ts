import { messageEnvelope } from '../../../http/envelope.ts';
import { presentSubscription } from '../present.ts';
import { verifyPurchase } from '../purchase.ts';
import { VerifyRequest } from '../requests.ts';
import { SubscriptionWithProduct } from '../schemas.ts';
import { operation, TAG } from './operation.ts';

export const verify = operation({
  operationId: 'verifyMicroHealthSubscription',
  summary: 'Complete a micro-health subscription',
  description:
    'Turns a pending subscription into a policy. The token is valid for 15 minutes from initiate.',
  method: 'post',
  path: '/api/merchant/micro_health/verify',
  readOnly: false,
  tag: TAG,
  envelope: messageEnvelope,
  request: { in: 'body', schema: VerifyRequest, requiredBy: ['token-unknown'] },
  data: SubscriptionWithProduct,
  message: 'Subscription verified successfully',
  refusals: ['invalid', 'token_unknown', 'token_used', 'token_expired'],
  assumptions: [
    'token-boundary',
    'policy-no',
    'recurring',
    'subscription-dates',
    'subscriptions-no',
    'subscriber-per-purchase',
    'timestamp-precision',
    'success-messages',
  ],
  handle: ({ world, now }, { token }) =>
    presentSubscription(world, verifyPurchase(world, token, now).subscriptions),
});
