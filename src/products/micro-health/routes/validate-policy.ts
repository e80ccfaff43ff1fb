import { messageEnvelope } from '../../../http/envelope.ts';
import { presentSubscription } from '../present.ts';
import { ValidateRequest } from '../requests.ts';
import { SubscriptionWithProduct } from '../schemas.ts';
import { findSubscriber } from '../subscriptions.ts';
import { operation, TAG } from './operation.ts';

export const validatePolicy = operation({
  operationId: 'validateMicroHealthPolicy',
  summary: 'Look a subscription up by its policy number',
  description:
    'Answers the subscription of one policy number; its end_date tells whether it lapsed.',
  method: 'get',
  path: '/api/merchant/micro_health/validate_policy/:policy_no',
  readOnly: true,
  tag: TAG,
  envelope: messageEnvelope,
  request: { in: 'params', schema: ValidateRequest },
  data: SubscriptionWithProduct,
  message: 'Policy retrieved successfully',
  refusals: ['policy_unknown'],
  assumptions: [
    'no-expiry-transition',
    'policy-no',
    'recurring',
    'subscription-dates',
    'top-up-dates',
    'subscriptions-no',
    'timestamp-precision',
    'success-messages',
  ],
  handle: ({ world }, { policy_no }) =>
    presentSubscription(world, findSubscriber(world, policy_no).subscriptions),
});
