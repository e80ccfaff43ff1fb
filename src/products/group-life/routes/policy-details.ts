import { createRoute } from '@hono/zod-openapi';
import { statusEnvelope } from '../../../api/envelope.ts';
import { failures } from '../../../api/failures.ts';
import { jsonBody } from '../../../api/request.ts';
import { respond } from '../../../api/respond.ts';
import { success } from '../../../api/responses.ts';
import { findPolicy, presentPolicy } from '../policies.ts';
import { GroupLifeDetailsRequest } from '../requests.ts';
import { GroupLifePolicy } from '../schemas.ts';
import { groupLifeRoute, TAG } from './route.ts';

const envelope = statusEnvelope('Group life policy retrieved successfully');
const request = jsonBody(GroupLifeDetailsRequest);

const route = createRoute({
  operationId: 'getGroupLifePolicyDetails',
  tags: [TAG],
  summary: 'Look a group-life policy up by its policy number',
  description: 'Answers one policy with its purchaser, its product and its members.',
  method: 'post',
  path: '/api/merchant/group-life/policy/group-life-policy-details',
  request,
  responses: {
    200: success('GroupLifeDetailsResponse', envelope, GroupLifePolicy),
    ...failures(envelope, request, 'policy_unknown'),
  },
});

export const policyDetails = groupLifeRoute(
  route,
  {
    envelope,
    readOnly: true,
    assumptions: [
      'group-life-details-field',
      'group-life-policy-number',
      'group-life-dates',
      'group-life-items',
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
    const policy = findPolicy(world, c.req.valid('json'));
    return respond(c, envelope, presentPolicy(world, policy));
  },
);
