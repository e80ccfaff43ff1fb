import { createRoute } from '@hono/zod-openapi';
import { messageEnvelope } from '../../../api/envelope.ts';
import { failures } from '../../../api/failures.ts';
import { jsonBody } from '../../../api/request.ts';
import { respond } from '../../../api/respond.ts';
import { success } from '../../../api/responses.ts';
import { presentSubscription } from '../policies.ts';
import { verifyPurchase } from '../purchase.ts';
import { MicroHealthVerifyRequest } from '../requests.ts';
import { MicroHealthSubscription } from '../schemas.ts';
import { microHealthRoute, TAG } from './route.ts';

const envelope = messageEnvelope('Subscription verified successfully');
const request = jsonBody(MicroHealthVerifyRequest);

const route = createRoute({
  operationId: 'verifyMicroHealthSubscription',
  tags: [TAG],
  summary: 'Complete a micro-health subscription',
  description:
    'Turns a pending subscription into a policy. The token is valid for 15 minutes from initiate.',
  method: 'post',
  path: '/api/merchant/micro_health/verify',
  request,
  responses: {
    200: success('MicroHealthVerifyResponse', envelope, MicroHealthSubscription),
    ...failures(envelope, request, 'token_unknown', 'token_used', 'token_expired'),
  },
});

export const verify = microHealthRoute(
  route,
  {
    envelope,
    readOnly: false,
    requiredBy: ['token-unknown'],
    assumptions: [
      'token-boundary',
      'policy-no',
      'recurring',
      'subscription-dates',
      'subscriptions-no',
      'subscriber-per-purchase',
      'time-zone',
      'timestamp-precision',
      'success-messages',
    ],
  },
  (c) => {
    const world = c.get('world');
    const now = c.get('now');
    const { subscriptions } = verifyPurchase(world, c.req.valid('json').token, now);
    return respond(c, envelope, presentSubscription(world, subscriptions));
  },
);
