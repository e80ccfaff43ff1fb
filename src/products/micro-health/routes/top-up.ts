import { messageEnvelope } from '../../../http/envelope.ts';
import { presentSubscription } from '../present.ts';
import { checkRenewal, renewSubscription } from '../renewal.ts';
import { TopUpRequest } from '../requests.ts';
import { SubscriptionWithProduct } from '../schemas.ts';
import { operation, TAG } from './operation.ts';

export const topUp = operation({
  operationId: 'topUpMicroHealthSubscription',
  summary: 'Renew a micro-health subscription',
  description: 'Pays one more period of a subscription, at the frequency chosen at subscription.',
  method: 'post',
  path: '/api/merchant/micro_health/top_up',
  readOnly: false,
  tag: TAG,
  envelope: messageEnvelope,
  request: { in: 'body', schema: TopUpRequest, requiredBy: ['micro-health-required'] },
  data: SubscriptionWithProduct,
  message: 'Subscription renewed successfully',
  refusals: ['invalid', 'policy_unknown'],
  assumptions: [
    'top-up-dates',
    'top-up-frequency',
    'amount-check',
    'policy-no',
    'recurring',
    'subscription-dates',
    'subscriptions-no',
    'timestamp-precision',
    'success-messages',
  ],
  check: ({ world }, input) => checkRenewal(world, input),
  handle: ({ world, now }, input) =>
    presentSubscription(world, renewSubscription(world, input, now)),
});
