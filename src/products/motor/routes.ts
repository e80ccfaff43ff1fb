/* The operations of motor: each route with its handler and its check. */

import { codedEnvelope, dataLastEnvelope } from '../../api/envelope.ts';
import { merchantOperations } from '../../api/operation.ts';
import { TOKEN_MINUTES } from '../../world/limits.ts';
import { detailsDescription, findRequested, VERIFY_DESCRIPTION } from '../policy.ts';
import {
  listPolicies as listRecords,
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
import { LOOKUP } from './requests.ts';
import type { SCHEMAS } from './schemas.ts';

export const TAG = 'Comprehensive motor';
const motorOperation = merchantOperations<MotorWorld, typeof SCHEMAS>(TAG);

/** The assumptions of every response that shows a whole policy. */
const OF_POLICY = [
  'motor-policy-number',
  'motor-slug',
  'motor-vehicle-value',
  'motor-duration',
  'motor-dates',
  'month-end',
  'motor-make-model',
  'motor-year-make',
  'currency',
] as const;

export const getQuote = motorOperation(
  {
    operationId: 'getMotorQuote',
    role: 'quote',
    summary: 'Get a motor quote',
    description: 'Returns the premium for a vehicle of this value.',
    method: 'post',
    path: '/api/merchant/get_comprehensive_motor_policy_quote',
    input: 'MotorQuoteRequest',
    data: 'MotorQuote',
    response: 'MotorQuoteResponse',
    envelope: codedEnvelope('', 'Comprehensive motor quote retrieved successfully'),
    assumptions: ['motor-quote', 'currency', 'product-id-type', 'motor-product'],
  },
  ({ world }, input) => ({
    premium: quotePremium(world, input),
    amount_insured: input.vehicle_value,
  }),
  ({ world }, input) => checkQuote(world, input),
);

export const initiatePolicy = motorOperation(
  {
    operationId: 'initiateMotorPolicy',
    role: 'initiate',
    summary: 'Start a motor purchase',
    description: `Saves the purchase details for ${TOKEN_MINUTES} minutes. Returns the token for verify and the policy as it will be, including its policy number. There is no policy until verify succeeds.`,
    method: 'post',
    path: '/api/merchant/comprehensive_motor_initiate_policy',
    input: 'MotorInitiateRequest',
    data: 'MotorInitiatedPolicy',
    response: 'MotorInitiateResponse',
    envelope: codedEnvelope('', 'Comprehensive motor policy initiated successfully'),
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
    ],
  },
  ({ world, now }, input) => initiatePurchase(world, input, now),
  ({ world, now }, input) => checkPurchase(world, input, now),
);

export const verifyPolicy = motorOperation(
  {
    operationId: 'verifyMotorPolicy',
    role: 'verify',
    summary: 'Complete a motor purchase',
    description: VERIFY_DESCRIPTION,
    method: 'post',
    path: '/api/merchant/comprehensive_motor_verify_policy',
    input: 'MotorVerifyRequest',
    data: 'MotorVerifiedPolicy',
    response: 'MotorVerifyResponse',
    envelope: dataLastEnvelope('', 'Comprehensive motor policy verified successfully'),
    assumptions: [
      'token-boundary',
      ...OF_POLICY,
      'time-zone',
      'timestamp-precision',
      'token-unknown',
    ],
  },
  ({ world, now }, { token }) => presentVerified(verifyPurchase(world, token, now)),
);

export const listPolicies = motorOperation(
  {
    operationId: 'listMotorPolicies',
    role: 'list',
    summary: 'List motor policies',
    description:
      'Returns all motor policies of the merchant in one array, without pages. Pending purchases are not included.',
    method: 'get',
    path: '/api/merchant/get_comprehensive_motor_policies',
    data: 'MotorPolicyList',
    response: 'MotorListResponse',
    envelope: codedEnvelope('', 'Comprehensive motor policies retrieved successfully'),
    assumptions: [
      'motor-list',
      'list-order',
      'motor-policy-number',
      'motor-slug',
      'motor-vehicle-value',
      'motor-duration',
      'motor-dates',
      'month-end',
      'currency',
    ],
  },
  ({ world }) => listRecords(world).map(presentListed),
);

// No `check`: its only rule is that a number is required, and a malformed number is not a missing one.
export const getPolicyDetails = motorOperation(
  {
    operationId: 'getMotorPolicyDetails',
    role: 'lookup',
    summary: 'Look up a motor policy',
    description: detailsDescription('', LOOKUP),
    method: 'post',
    path: '/api/merchant/get_comprehensive_motor_policy_details',
    input: 'MotorDetailsRequest',
    data: 'MotorPolicy',
    response: 'MotorDetailsResponse',
    envelope: codedEnvelope('', 'Comprehensive motor policy retrieved successfully'),
    assumptions: ['motor-details-field', ...OF_POLICY],
  },
  ({ world }, input) => presentPolicy(findRequested(world.motor.policies, input, LOOKUP)),
);

/** The operations of the family, in the order in which documents show them. */
export const OPERATIONS = [initiatePolicy, verifyPolicy, listPolicies, getPolicyDetails, getQuote];
