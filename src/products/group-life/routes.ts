/* The operations of group life: each route with its handler and its check. */

import { statusEnvelope } from '../../api/envelope.ts';
import { merchantOperations } from '../../api/operation.ts';
import { listAddress, paginate } from '../../api/pagination.ts';
import {
  detailsDescription,
  findRequested,
  INITIATE_DESCRIPTION,
  VERIFY_DESCRIPTION,
} from '../policy.ts';
import { presentListedPolicy, presentPolicy } from './policies.ts';
import { checkPurchase, initiatePurchase, verifyPurchase } from './purchase.ts';
import type { GroupLifeWorld } from './records.ts';
import { LOOKUP } from './requests.ts';
import type { SCHEMAS } from './schemas.ts';

export const TAG = 'Group life';
const groupLifeOperation = merchantOperations<GroupLifeWorld, typeof SCHEMAS>(TAG);

/** The assumptions of every response that shows policies. */
const OF_POLICY = [
  'group-life-policy-number',
  'group-life-dates',
  'month-end',
  'group-life-items',
  'subscriber-per-purchase',
  'subscriber-defaults',
  'time-zone',
  'timestamp-precision',
] as const;

export const initiatePolicy = groupLifeOperation(
  {
    operationId: 'initiateGroupLifePolicy',
    role: 'initiate',
    summary: 'Start a group-life purchase',
    description: INITIATE_DESCRIPTION,
    method: 'post',
    path: '/api/merchant/group-life/policy/initiate-group-life-policy',
    input: 'GroupLifeInitiateRequest',
    data: 'GroupLifePurchaseToken',
    response: 'GroupLifeInitiateResponse',
    envelope: statusEnvelope('Group life policy initiated successfully'),
    assumptions: ['group-life-initiate-body', 'group-life-members', 'token-format', 'phone-digits'],
  },
  ({ world, now }, input) => ({ token: initiatePurchase(world, input, now) }),
  ({ world, now }, input, malformed) => checkPurchase(world, input, now, malformed),
);

export const verifyPolicy = groupLifeOperation(
  {
    operationId: 'verifyGroupLifePolicy',
    role: 'verify',
    summary: 'Complete a group-life purchase',
    description: VERIFY_DESCRIPTION,
    method: 'post',
    path: '/api/merchant/group-life/policy/verify-group-life-policy',
    input: 'GroupLifeVerifyRequest',
    data: 'GroupLifePolicy',
    response: 'GroupLifeVerifyResponse',
    envelope: statusEnvelope('Group life policy verified successfully'),
    assumptions: [
      'group-life-verify-body',
      'group-life-verify-response',
      ...OF_POLICY,
      'token-boundary',
      'group-life-user',
      'token-unknown',
    ],
  },
  ({ world, now }, { token }) => presentPolicy(world, verifyPurchase(world, token, now)),
);

export const listPolicies = groupLifeOperation(
  {
    operationId: 'listGroupLifePolicies',
    role: 'list',
    summary: 'List group-life policies',
    description:
      'Returns the policies of the merchant page by page. Each policy includes its purchaser, product and members.',
    method: 'get',
    path: '/api/merchant/group-life/policy/merchant-group-life-policies',
    input: 'GroupLifeListRequest',
    data: 'GroupLifePolicyPage',
    response: 'GroupLifeListResponse',
    envelope: statusEnvelope('Group Life Policies retrieved successfully'),
    assumptions: ['list-selection', 'page-out-of-range', 'page-urls', 'list-order', ...OF_POLICY],
  },
  (call, query) => {
    const { world } = call;
    const { list } = world.group_life.policies;
    return paginate(
      list,
      { start: 0, end: list.length },
      query,
      { address: listAddress(call), settings: world.settings },
      (policy) => presentListedPolicy(world, policy),
    );
  },
);

export const policyDetails = groupLifeOperation(
  {
    operationId: 'getGroupLifePolicyDetails',
    role: 'lookup',
    summary: 'Look up a group-life policy',
    description: detailsDescription(', including its purchaser, product and members', LOOKUP),
    method: 'post',
    path: '/api/merchant/group-life/policy/group-life-policy-details',
    input: 'GroupLifeDetailsRequest',
    data: 'GroupLifePolicy',
    response: 'GroupLifeDetailsResponse',
    envelope: statusEnvelope('Group life policy retrieved successfully'),
    assumptions: ['group-life-details-field', ...OF_POLICY, 'group-life-user'],
  },
  ({ world }, input) =>
    presentPolicy(world, findRequested(world.group_life.policies, input, LOOKUP)),
);

/** The operations of the family, in the order in which documents show them. */
export const OPERATIONS = [initiatePolicy, verifyPolicy, listPolicies, policyDetails];
