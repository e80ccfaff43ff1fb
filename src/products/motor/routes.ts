import { createRoute } from '@hono/zod-openapi';
import { merchantRoutes } from '../../api/endpoint.ts';
import { codedEnvelope, dataLastEnvelope, success } from '../../api/envelope.ts';
import { jsonBody } from '../../api/request.ts';
import { respond } from '../../api/respond.ts';
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
} from './requests.ts';
import {
  MotorInitiatedPolicy,
  MotorPolicy,
  MotorPolicyList,
  MotorQuote,
  MotorVerifiedPolicy,
} from './schemas.ts';

export const TAG = 'Comprehensive motor';
const motorRoute = merchantRoutes<MotorWorld>(TAG);

/** What an answer that shows a whole policy rests on. */
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
    summary: 'Price a motor policy',
    description: 'Answers the premium for a vehicle of a given value.',
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
    summary: 'Initiate a motor policy',
    description:
      'Remembers a purchase for 15 minutes and answers the policy to come, with the token that verify completes it with.',
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
    description:
      'Turns a pending purchase into a policy. The token is valid for 15 minutes from initiate.',
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
    summary: 'List the motor policies of the merchant',
    description: 'Answers every verified motor policy of the merchant, in one array.',
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
// No `check`: a malformed number is a number given, and then none is missing.
export const getPolicyDetails = motorRoute(
  createRoute({
    operationId: 'getMotorPolicyDetails',
    summary: 'Look a motor policy up by its policy number',
    description:
      'Answers one verified policy of the merchant. The policy number may be sent as Policy_number, policyNumber or policy_number; the first of these that is present counts.',
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
