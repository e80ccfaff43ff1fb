import { createRoute } from '@hono/zod-openapi';
import { merchantRoutes } from '../../api/endpoint.ts';
import { codedEnvelope, dataLastEnvelope, success } from '../../api/envelope.ts';
import { jsonBody } from '../../api/request.ts';
import { respond } from '../../api/respond.ts';
import { minutesText } from '../../world/time.ts';
import { verifyDescription } from '../policy.ts';
import {
  findPolicy,
  listPolicies as listRecords,
  presentInitiated,
  presentListed,
  presentPolicy,
  presentVerified,
} from './policies.ts';
import {
  checkPurchase,
  checkQuote,
  initiatePurchase,
  quotePremium,
  verifyPurchase,
} from './purchase.ts';
import type { MotorWorld } from './records.ts';
import {
  MotorDetailsRequest,
  MotorInitiateRequest,
  MotorQuoteRequest,
  MotorVerifyRequest,
  otherInitiateRequest,
  SAMPLE_FIELDS,
} from './requests.ts';
import {
  MotorInitiatedPolicy,
  MotorPolicy,
  MotorPolicyList,
  MotorQuote,
  MotorVerifiedPolicy,
} from './schemas.ts';
import { TOKENS } from './tokens.ts';

export const TAG = 'Comprehensive motor';
const motorRoute = merchantRoutes<MotorWorld>(TAG);

/** The assumptions of every response that shows a whole policy. */
const OF_POLICY = [
  'motor-policy-number',
  'motor-slug',
  'motor-vehicle-value',
  'motor-duration',
  'motor-dates',
  'motor-make-model',
  'motor-year-make',
  'currency',
] as const;

const getQuoteEnvelope = codedEnvelope('', 'Comprehensive motor quote retrieved successfully');
export const getQuote = motorRoute(
  createRoute({
    operationId: 'getMotorQuote',
    summary: 'Get a motor quote',
    description: 'Returns the premium for a vehicle of this value.',
    method: 'post',
    path: '/api/merchant/get_comprehensive_motor_policy_quote',
    request: jsonBody(MotorQuoteRequest),
    responses: {
      200: success('MotorQuoteResponse', getQuoteEnvelope, MotorQuote),
    },
  }),
  {
    envelope: getQuoteEnvelope,
    readOnly: true,
    assumptions: [
      'motor-quote',
      'currency',
      'product-id-type',
      'motor-product',
      'success-messages',
    ],
    check: ({ world }, input) => checkQuote(world, input),
  },
  (c) => {
    const input = c.req.valid('json');
    const premium = quotePremium(c.get('world'), input);
    return respond(c, getQuoteEnvelope, { premium, amount_insured: input.vehicle_value });
  },
);

const initiatePolicyEnvelope = codedEnvelope(
  '',
  'Comprehensive motor policy initiated successfully',
);
export const initiatePolicy = motorRoute(
  createRoute({
    operationId: 'initiateMotorPolicy',
    summary: 'Start a motor purchase',
    description: `Saves the purchase details for ${minutesText(TOKENS.lifetimeMinutes)}. Returns the token for verify and the policy as it will be, including its policy number. There is no policy until verify succeeds.`,
    method: 'post',
    path: '/api/merchant/comprehensive_motor_initiate_policy',
    request: jsonBody(MotorInitiateRequest),
    responses: {
      200: success('MotorInitiateResponse', initiatePolicyEnvelope, MotorInitiatedPolicy),
    },
  }),
  {
    envelope: initiatePolicyEnvelope,
    readOnly: false,
    otherInput: otherInitiateRequest,
    ignoredFields: SAMPLE_FIELDS,
    assumptions: [
      'motor-initiate-token',
      'token-format',
      ...OF_POLICY,
      'motor-product',
      'product-id-type',
      'motor-frequency',
      'motor-gender',
      'motor-sample-fields',
      'frequency-words',
      'motor-images',
      'success-messages',
    ],
    check: ({ world, now }, input) => checkPurchase(world, input, now),
  },
  (c) => {
    const world = c.get('world');
    const now = c.get('now');
    const purchase = initiatePurchase(world, c.req.valid('json'), now);
    return respond(c, initiatePolicyEnvelope, presentInitiated(world, purchase));
  },
);

const verifyPolicyEnvelope = dataLastEnvelope(
  '',
  'Comprehensive motor policy verified successfully',
);
export const verifyPolicy = motorRoute(
  createRoute({
    operationId: 'verifyMotorPolicy',
    summary: 'Complete a motor purchase',
    description: verifyDescription(TOKENS),
    method: 'post',
    path: '/api/merchant/comprehensive_motor_verify_policy',
    request: jsonBody(MotorVerifyRequest),
    responses: {
      200: success('MotorVerifyResponse', verifyPolicyEnvelope, MotorVerifiedPolicy),
    },
  }),
  {
    envelope: verifyPolicyEnvelope,
    readOnly: false,
    errors: ['token_unknown', 'token_used', 'token_expired'],
    assumptions: [
      'token-boundary',
      ...OF_POLICY,
      'time-zone',
      'timestamp-precision',
      'token-unknown',
      'success-messages',
    ],
  },
  (c) => {
    const world = c.get('world');
    const now = c.get('now');
    const policy = verifyPurchase(world, c.req.valid('json').token, now);
    return respond(c, verifyPolicyEnvelope, presentVerified(policy));
  },
);

const listPoliciesEnvelope = codedEnvelope(
  '',
  'Comprehensive motor policies retrieved successfully',
);
export const listPolicies = motorRoute(
  createRoute({
    operationId: 'listMotorPolicies',
    summary: 'List motor policies',
    description:
      'Returns all motor policies of the merchant in one array, without pages. Pending purchases are not included.',
    method: 'get',
    path: '/api/merchant/get_comprehensive_motor_policies',
    responses: {
      200: success('MotorListResponse', listPoliciesEnvelope, MotorPolicyList),
    },
  }),
  {
    envelope: listPoliciesEnvelope,
    readOnly: true,
    assumptions: [
      'motor-list',
      'list-order',
      'motor-policy-number',
      'motor-slug',
      'motor-vehicle-value',
      'motor-duration',
      'motor-dates',
      'currency',
      'success-messages',
    ],
  },
  (c) => {
    return respond(c, listPoliciesEnvelope, listRecords(c.get('world')).map(presentListed));
  },
);

const getPolicyDetailsEnvelope = codedEnvelope(
  '',
  'Comprehensive motor policy retrieved successfully',
);
// No `check`: its only rule is that a number is required, and a malformed number is not a missing one.
export const getPolicyDetails = motorRoute(
  createRoute({
    operationId: 'getMotorPolicyDetails',
    summary: 'Look up a motor policy',
    description:
      'Returns the policy with this policy number. Send the number as `Policy_number`, `policyNumber` or `policy_number`. If a request has several of them, the first in this order is used.',
    method: 'post',
    path: '/api/merchant/get_comprehensive_motor_policy_details',
    request: jsonBody(MotorDetailsRequest),
    responses: {
      200: success('MotorDetailsResponse', getPolicyDetailsEnvelope, MotorPolicy),
    },
  }),
  {
    envelope: getPolicyDetailsEnvelope,
    readOnly: true,
    errors: ['policy_unknown'],
    assumptions: ['motor-details-field', ...OF_POLICY, 'success-messages'],
  },
  (c) => {
    const policy = findPolicy(c.get('world'), c.req.valid('json'));
    return respond(c, getPolicyDetailsEnvelope, presentPolicy(policy));
  },
);
