import { createRoute } from '@hono/zod-openapi';
import { codedEnvelope } from '../../../api/envelope.ts';
import { failures } from '../../../api/failures.ts';
import { jsonBody } from '../../../api/request.ts';
import { respond } from '../../../api/respond.ts';
import { success } from '../../../api/responses.ts';
import { checkPurchase, initiatePurchase } from '../purchase.ts';
import { MicroHealthInitiateRequest, otherInitiateRequest } from '../requests.ts';
import { MicroHealthPurchaseToken } from '../schemas.ts';
import { microHealthRoute, TAG } from './route.ts';

const envelope = codedEnvelope('FRT008', 'Insurance Policy subscription initiate Successfully');
const request = jsonBody(MicroHealthInitiateRequest);

const route = createRoute({
  operationId: 'initiateMicroHealthSubscription',
  tags: [TAG],
  summary: 'Initiate a micro-health subscription',
  description:
    'Remembers a first-time subscription for 15 minutes and answers the token that verify completes it with.',
  method: 'post',
  path: '/api/merchant/micro_health/initiate',
  request,
  responses: {
    200: success('MicroHealthInitiateResponse', envelope, MicroHealthPurchaseToken),
    ...failures(envelope, request),
  },
});

export const initiate = microHealthRoute(
  route,
  {
    envelope,
    readOnly: false,
    requiredBy: ['micro-health-required'],
    otherInput: otherInitiateRequest,
    assumptions: [
      'token-format',
      'price-config',
      'users-count',
      'amount-check',
      'success-messages',
    ],
    check: ({ world, now }, input, malformed) => checkPurchase(world, input, now, malformed),
  },
  (c) => {
    const world = c.get('world');
    const now = c.get('now');
    return respond(c, envelope, { token: initiatePurchase(world, c.req.valid('json'), now) });
  },
);
