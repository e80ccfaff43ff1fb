import { createRoute } from '@hono/zod-openapi';
import { statusEnvelope } from '../../../api/envelope.ts';
import { failures } from '../../../api/failures.ts';
import { jsonBody } from '../../../api/request.ts';
import { respond } from '../../../api/respond.ts';
import { success } from '../../../api/responses.ts';
import { presentPolicy } from '../policies.ts';
import { verifyPurchase } from '../purchase.ts';
import { GroupLifeVerifyRequest } from '../requests.ts';
import { GroupLifePolicy } from '../schemas.ts';
import { groupLifeRoute, TAG } from './route.ts';

const envelope = statusEnvelope('Group life policy verified successfully');
const request = jsonBody(GroupLifeVerifyRequest);

const route = createRoute({
  operationId: 'verifyGroupLifePolicy',
  tags: [TAG],
  summary: 'Complete a group-life purchase',
  description:
    'Turns a pending purchase into a policy. The token is valid for 15 minutes from initiate.',
  method: 'post',
  path: '/api/merchant/group-life/policy/verify-group-life-policy',
  request,
  responses: {
    200: success('GroupLifeVerifyResponse', envelope, GroupLifePolicy),
    ...failures(envelope, request, 'token_unknown', 'token_used', 'token_expired'),
  },
});

export const verifyPolicy = groupLifeRoute(
  route,
  {
    envelope,
    readOnly: false,
    requiredBy: ['group-life-verify-body', 'token-unknown'],
    assumptions: [
      'group-life-verify-body',
      'group-life-verify-response',
      'group-life-policy-number',
      'group-life-dates',
      'group-life-items',
      'token-boundary',
      'subscriber-per-purchase',
      'group-life-user',
      'subscriber-defaults',
      'time-zone',
      'timestamp-precision',
      'success-messages',
    ],
  },
  (c) => {
    const world = c.get('world');
    const now = c.get('now');
    const policy = verifyPurchase(world, c.req.valid('json').token, now);
    return respond(c, envelope, presentPolicy(world, policy));
  },
);
