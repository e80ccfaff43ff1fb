import { statusEnvelope } from '../../../http/envelope.ts';
import { paginate } from '../../../http/pagination.ts';
import { presentListedPolicy } from '../present.ts';
import { ListRequest } from '../requests.ts';
import { PolicyPage } from '../schemas.ts';
import { operation, TAG } from './operation.ts';

export const listPolicies = operation({
  operationId: 'listGroupLifePolicies',
  summary: "List the merchant's group-life policies",
  description: 'Answers the policies of the merchant, 15 a page, each with product and members.',
  method: 'get',
  path: '/api/merchant/group-life/policy/merchant-group-life-policies',
  readOnly: true,
  tag: TAG,
  envelope: statusEnvelope,
  request: { in: 'query', schema: ListRequest },
  data: PolicyPage,
  message: 'Group Life Policies retrieved successfully',
  refusals: ['invalid'],
  assumptions: ['list-selection', 'page-out-of-range', 'success-messages'],
  elementAssumptions: [
    'list-order',
    'group-life-items',
    'group-life-policy-number',
    'group-life-dates',
    'subscriber-per-purchase',
    'timestamp-precision',
  ],
  handle: ({ world, address }, input) => {
    const { list } = world.group_life.policies;
    return paginate(
      list,
      { start: 0, end: list.length },
      input,
      { address, settings: world.settings },
      (policy) => presentListedPolicy(world, policy),
    );
  },
});
