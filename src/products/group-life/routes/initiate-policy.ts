import { createRoute } from '@hono/zod-openapi';
import { statusEnvelope } from '../../../api/envelope.ts';
import { failures } from '../../../api/failures.ts';
import { jsonBody } from '../../../api/request.ts';
import { respond } from '../../../api/respond.ts';
import { success } from '../../../api/responses.ts';
import { checkPurchase, initiatePurchase } from '../purchase.ts';
import { GroupLifeInitiateRequest, otherInitiateRequest } from '../requests.ts';
import { GroupLifePurchaseToken } from '../schemas.ts';
import { groupLifeRoute, TAG } from './route.ts';

const envelope = statusEnvelope('Group life policy initiated successfully');
const request = jsonBody(GroupLifeInitiateRequest);

const route = createRoute({
  operationId: 'initiateGroupLifePolicy',
  tags: [TAG],
  summary: 'Initiate a group-life policy',
  description:
    'Remembers a policy for 15 minutes and answers the token that verify completes it with.',
  method: 'post',
  path: '/api/merchant/group-life/policy/initiate-group-life-policy',
  request,
  responses: {
    200: success('GroupLifeInitiateResponse', envelope, GroupLifePurchaseToken),
    ...failures(envelope, request),
  },
});

export const initiatePolicy = groupLifeRoute(
  route,
  {
    envelope,
    readOnly: false,
    otherInput: otherInitiateRequest,
    requiredBy: ['group-life-initiate-body'],
    assumptions: [
      'group-life-initiate-body',
      'group-life-members',
      'token-format',
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
