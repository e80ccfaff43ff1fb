import { createRoute } from '@hono/zod-openapi';
import { statusEnvelope } from '../../../api/envelope.ts';
import { failures } from '../../../api/failures.ts';
import { listAddress, paginate } from '../../../api/pagination.ts';
import { respond } from '../../../api/respond.ts';
import { success } from '../../../api/responses.ts';
import { presentListedPolicy } from '../policies.ts';
import { GroupLifeListRequest } from '../requests.ts';
import { GroupLifePolicyPage } from '../schemas.ts';
import { groupLifeRoute, TAG } from './route.ts';

const envelope = statusEnvelope('Group Life Policies retrieved successfully');
const request = { query: GroupLifeListRequest };

const route = createRoute({
  operationId: 'listGroupLifePolicies',
  tags: [TAG],
  summary: "List the merchant's group-life policies",
  description: 'Answers the policies of the merchant, 15 a page, each with product and members.',
  method: 'get',
  path: '/api/merchant/group-life/policy/merchant-group-life-policies',
  request,
  responses: {
    200: success('GroupLifeListResponse', envelope, GroupLifePolicyPage),
    ...failures(envelope, request, 'invalid'),
  },
});

export const listPolicies = groupLifeRoute(
  route,
  {
    envelope,
    readOnly: true,
    assumptions: ['list-selection', 'page-out-of-range', 'page-urls', 'success-messages'],
    elementAssumptions: [
      'list-order',
      'group-life-items',
      'group-life-policy-number',
      'group-life-dates',
      'subscriber-per-purchase',
      'subscriber-defaults',
      'time-zone',
      'timestamp-precision',
    ],
  },
  (c) => {
    const world = c.get('world');
    const { list } = world.group_life.policies;
    const page = paginate(
      list,
      { start: 0, end: list.length },
      c.req.valid('query'),
      { address: listAddress(c), settings: world.settings },
      (policy) => presentListedPolicy(world, policy),
    );
    return respond(c, envelope, page);
  },
);
