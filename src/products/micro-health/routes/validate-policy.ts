import { createRoute } from '@hono/zod-openapi';
import { messageEnvelope } from '../../../api/envelope.ts';
import { failures } from '../../../api/failures.ts';
import { respond } from '../../../api/respond.ts';
import { success } from '../../../api/responses.ts';
import { findSubscriber, presentSubscription } from '../policies.ts';
import { MicroHealthValidateRequest } from '../requests.ts';
import { MicroHealthSubscription } from '../schemas.ts';
import { microHealthRoute, TAG } from './route.ts';

const envelope = messageEnvelope('Policy retrieved successfully');
const request = { params: MicroHealthValidateRequest };

const route = createRoute({
  operationId: 'validateMicroHealthPolicy',
  tags: [TAG],
  summary: 'Look a subscription up by its policy number',
  description:
    'Answers the subscription of one policy number; its end_date tells whether it lapsed.',
  method: 'get',
  path: '/api/merchant/micro_health/validate_policy/{policy_no}',
  request,
  responses: {
    200: success('MicroHealthValidateResponse', envelope, MicroHealthSubscription),
    ...failures(envelope, request, 'policy_unknown'),
  },
});

export const validatePolicy = microHealthRoute(
  route,
  {
    envelope,
    readOnly: true,
    assumptions: [
      'no-expiry-transition',
      'policy-no',
      'recurring',
      'subscription-dates',
      'top-up-dates',
      'subscriptions-no',
      'time-zone',
      'timestamp-precision',
      'success-messages',
    ],
  },
  (c) => {
    const world = c.get('world');
    const { subscriptions } = findSubscriber(world, c.req.valid('param').policy_no);
    return respond(c, envelope, presentSubscription(world, subscriptions));
  },
);
