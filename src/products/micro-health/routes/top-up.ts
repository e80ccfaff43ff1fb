import { createRoute } from '@hono/zod-openapi';
import { messageEnvelope } from '../../../api/envelope.ts';
import { failures } from '../../../api/failures.ts';
import { jsonBody } from '../../../api/request.ts';
import { respond } from '../../../api/respond.ts';
import { success } from '../../../api/responses.ts';
import { presentSubscription } from '../policies.ts';
import { checkRenewal, renewSubscription } from '../renewal.ts';
import { MicroHealthTopUpRequest, otherTopUpRequest } from '../requests.ts';
import { MicroHealthSubscription } from '../schemas.ts';
import { microHealthRoute, TAG } from './route.ts';

const envelope = messageEnvelope('Subscription renewed successfully');
const request = jsonBody(MicroHealthTopUpRequest);

const route = createRoute({
  operationId: 'topUpMicroHealthSubscription',
  tags: [TAG],
  summary: 'Renew a micro-health subscription',
  description: 'Pays one more period of a subscription, at the frequency chosen at subscription.',
  method: 'post',
  path: '/api/merchant/micro_health/top_up',
  request,
  responses: {
    200: success('MicroHealthTopUpResponse', envelope, MicroHealthSubscription),
    ...failures(envelope, request, 'policy_unknown'),
  },
});

export const topUp = microHealthRoute(
  route,
  {
    envelope,
    readOnly: false,
    requiredBy: ['micro-health-required'],
    otherInput: otherTopUpRequest,
    assumptions: [
      'top-up-dates',
      'top-up-frequency',
      'amount-check',
      'policy-no',
      'recurring',
      'subscription-dates',
      'subscriptions-no',
      'time-zone',
      'timestamp-precision',
      'success-messages',
    ],
    check: ({ world }, input) => checkRenewal(world, input),
  },
  (c) => {
    const world = c.get('world');
    const now = c.get('now');
    const subscription = renewSubscription(world, c.req.valid('json'), now);
    return respond(c, envelope, presentSubscription(world, subscription));
  },
);
