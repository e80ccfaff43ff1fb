import { createRoute } from '@hono/zod-openapi';
import { merchantRoutes } from '../../api/endpoint.ts';
import { statusEnvelope, success } from '../../api/envelope.ts';
import { listAddress, paginate } from '../../api/pagination.ts';
import { jsonBody } from '../../api/request.ts';
import { respond } from '../../api/respond.ts';
import { initiateDescription, verifyDescription } from '../policy.ts';
import { findPolicy, presentListedPolicy, presentPolicy } from './policies.ts';
import { checkPurchase, initiatePurchase, verifyPurchase } from './purchase.ts';
import type { GroupLifeWorld } from './records.ts';
import {
  GroupLifeDetailsRequest,
  GroupLifeInitiateRequest,
  GroupLifeListRequest,
  GroupLifeVerifyRequest,
  otherInitiateRequest,
} from './requests.ts';
import { GroupLifePolicy, GroupLifePolicyPage, GroupLifePurchaseToken } from './schemas.ts';
import { TOKENS } from './tokens.ts';

export const TAG = 'Group life';
const groupLifeRoute = merchantRoutes<GroupLifeWorld>(TAG);

/** The assumptions of every response that shows policies. */
const OF_POLICY = [
  'group-life-policy-number',
  'group-life-dates',
  'group-life-items',
  'subscriber-per-purchase',
  'subscriber-defaults',
  'time-zone',
  'timestamp-precision',
] as const;

const initiatePolicyEnvelope = statusEnvelope('Group life policy initiated successfully');
export const initiatePolicy = groupLifeRoute(
  createRoute({
    operationId: 'initiateGroupLifePolicy',
    summary: 'Start a group-life purchase',
    description: initiateDescription(TOKENS),
    method: 'post',
    path: '/api/merchant/group-life/policy/initiate-group-life-policy',
    request: jsonBody(GroupLifeInitiateRequest),
    responses: {
      200: success('GroupLifeInitiateResponse', initiatePolicyEnvelope, GroupLifePurchaseToken),
    },
  }),
  {
    envelope: initiatePolicyEnvelope,
    readOnly: false,
    otherInput: otherInitiateRequest,
    assumptions: [
      'group-life-initiate-body',
      'group-life-members',
      'token-format',
      'phone-digits',
      'success-messages',
    ],
    check: ({ world, now }, input, malformed) => checkPurchase(world, input, now, malformed),
  },
  (c) => {
    const world = c.get('world');
    const now = c.get('now');
    return respond(c, initiatePolicyEnvelope, {
      token: initiatePurchase(world, c.req.valid('json'), now),
    });
  },
);

const verifyPolicyEnvelope = statusEnvelope('Group life policy verified successfully');
export const verifyPolicy = groupLifeRoute(
  createRoute({
    operationId: 'verifyGroupLifePolicy',
    summary: 'Complete a group-life purchase',
    description: verifyDescription(TOKENS),
    method: 'post',
    path: '/api/merchant/group-life/policy/verify-group-life-policy',
    request: jsonBody(GroupLifeVerifyRequest),
    responses: {
      200: success('GroupLifeVerifyResponse', verifyPolicyEnvelope, GroupLifePolicy),
    },
  }),
  {
    envelope: verifyPolicyEnvelope,
    readOnly: false,
    errors: ['token_unknown', 'token_used', 'token_expired'],
    assumptions: [
      'group-life-verify-body',
      'group-life-verify-response',
      ...OF_POLICY,
      'token-boundary',
      'group-life-user',
      'token-unknown',
      'success-messages',
    ],
  },
  (c) => {
    const world = c.get('world');
    const now = c.get('now');
    const policy = verifyPurchase(world, c.req.valid('json').token, now);
    return respond(c, verifyPolicyEnvelope, presentPolicy(world, policy));
  },
);

const listPoliciesEnvelope = statusEnvelope('Group Life Policies retrieved successfully');
export const listPolicies = groupLifeRoute(
  createRoute({
    operationId: 'listGroupLifePolicies',
    summary: 'List group-life policies',
    description:
      'Returns the policies of the merchant page by page. Each policy includes its purchaser, product and members.',
    method: 'get',
    path: '/api/merchant/group-life/policy/merchant-group-life-policies',
    request: { query: GroupLifeListRequest },
    responses: {
      200: success('GroupLifeListResponse', listPoliciesEnvelope, GroupLifePolicyPage),
    },
  }),
  {
    envelope: listPoliciesEnvelope,
    readOnly: true,
    assumptions: [
      'list-selection',
      'page-out-of-range',
      'page-urls',
      'list-order',
      ...OF_POLICY,
      'success-messages',
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
    return respond(c, listPoliciesEnvelope, page);
  },
);

const policyDetailsEnvelope = statusEnvelope('Group life policy retrieved successfully');
export const policyDetails = groupLifeRoute(
  createRoute({
    operationId: 'getGroupLifePolicyDetails',
    summary: 'Look up a group-life policy',
    description:
      'Returns the policy with this policy number, including its purchaser, product and members. Send the number as `policy_number`, `Policy_number` or `policyNumber`. If a request has several of them, the first in this order is used.',
    method: 'post',
    path: '/api/merchant/group-life/policy/group-life-policy-details',
    request: jsonBody(GroupLifeDetailsRequest),
    responses: {
      200: success('GroupLifeDetailsResponse', policyDetailsEnvelope, GroupLifePolicy),
    },
  }),
  {
    envelope: policyDetailsEnvelope,
    readOnly: true,
    errors: ['policy_unknown'],
    assumptions: ['group-life-details-field', ...OF_POLICY, 'group-life-user', 'success-messages'],
  },
  (c) => {
    const world = c.get('world');
    const policy = findPolicy(world, c.req.valid('json'));
    return respond(c, policyDetailsEnvelope, presentPolicy(world, policy));
  },
);
