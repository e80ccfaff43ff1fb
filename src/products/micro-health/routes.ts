/* The operations of micro-health: each route with its handler and its check. */

import { codedEnvelope, dataLastEnvelope, messageEnvelope } from '../../api/envelope.ts';
import { merchantOperations } from '../../api/operation.ts';
import { listAddress, paginate } from '../../api/pagination.ts';
import { INITIATE_DESCRIPTION, VERIFY_DESCRIPTION } from '../policy.ts';
import {
  checkSelection,
  findSubscriber,
  presentSubscriber,
  presentSubscription,
  selectSubscribers,
} from './policies.ts';
import { checkQuote, quotePremium } from './pricing.ts';
import { checkPurchase, initiatePurchase, verifyPurchase } from './purchase.ts';
import type { MicroHealthWorld } from './records.ts';
import { checkRenewal, renewSubscription } from './renewal.ts';
import type { SCHEMAS } from './schemas.ts';

export const TAG = 'Micro-health';
const microHealthOperation = merchantOperations<MicroHealthWorld, typeof SCHEMAS>(TAG);

/** The assumptions of every response that shows a subscription. */
const OF_SUBSCRIPTION = [
  'policy-no',
  'recurring',
  'subscription-dates',
  'month-end',
  'subscriptions-no',
  'time-zone',
  'timestamp-precision',
] as const;

export const getQuote = microHealthOperation(
  {
    operationId: 'getMicroHealthQuote',
    role: 'quote',
    summary: 'Get a micro-health quote',
    description:
      'Returns the premium for a product, a number of users and a payment frequency. Send this premium as the `amount` of the purchase.',
    method: 'post',
    path: '/api/merchant/micro_health/get_quote',
    input: 'MicroHealthQuoteRequest',
    data: 'MicroHealthQuote',
    response: 'MicroHealthQuoteResponse',
    envelope: dataLastEnvelope('QOT101', 'Quote price get successful'),
    assumptions: [
      'price-config',
      'currency',
      'micro-health-required',
      'frequency-words',
      'product-id-type',
    ],
  },
  ({ world }, input) => ({ quote_price: quotePremium(world, input) }),
  ({ world }, input) => checkQuote(world, input),
);

export const initiate = microHealthOperation(
  {
    operationId: 'initiateMicroHealthSubscription',
    role: 'initiate',
    summary: 'Start a micro-health purchase',
    description: INITIATE_DESCRIPTION,
    method: 'post',
    path: '/api/merchant/micro_health/initiate',
    input: 'MicroHealthInitiateRequest',
    data: 'MicroHealthPurchaseToken',
    response: 'MicroHealthInitiateResponse',
    envelope: codedEnvelope('FRT008', 'Insurance Policy subscription initiate Successfully'),
    assumptions: [
      'token-format',
      'price-config',
      'users-count',
      'amount-check',
      'micro-health-required',
      'frequency-words',
      'nin-number',
      'product-id-type',
      'phone-digits',
      'motor-images',
    ],
  },
  ({ world, now }, input) => ({ token: initiatePurchase(world, input, now) }),
  ({ world, now }, input, malformed) => checkPurchase(world, input, now, malformed),
);

export const verify = microHealthOperation(
  {
    operationId: 'verifyMicroHealthSubscription',
    role: 'verify',
    summary: 'Complete a micro-health purchase',
    description: VERIFY_DESCRIPTION,
    method: 'post',
    path: '/api/merchant/micro_health/verify',
    input: 'MicroHealthVerifyRequest',
    data: 'MicroHealthSubscription',
    response: 'MicroHealthVerifyResponse',
    envelope: messageEnvelope('Subscription verified successfully'),
    assumptions: ['token-boundary', ...OF_SUBSCRIPTION, 'subscriber-per-purchase', 'token-unknown'],
  },
  ({ world, now }, { token }) => {
    const { subscriptions } = verifyPurchase(world, token, now);
    return presentSubscription(world, subscriptions);
  },
);

export const topUp = microHealthOperation(
  {
    operationId: 'topUpMicroHealthSubscription',
    role: 'renew',
    summary: 'Renew a micro-health policy',
    description:
      'Pays for one more period and returns the renewed policy. The new period starts when the current one ends, or now if the policy has lapsed. The payment frequency stays the same.',
    method: 'post',
    path: '/api/merchant/micro_health/top_up',
    input: 'MicroHealthTopUpRequest',
    data: 'MicroHealthSubscription',
    response: 'MicroHealthTopUpResponse',
    envelope: messageEnvelope('Subscription renewed successfully'),
    assumptions: [
      'top-up-dates',
      'top-up-anchor',
      'top-up-frequency',
      'amount-check',
      ...OF_SUBSCRIPTION,
      'micro-health-required',
      'frequency-words',
    ],
  },
  ({ world, now }, input) => presentSubscription(world, renewSubscription(world, input, now)),
  ({ world }, input) => checkRenewal(world, input),
);

export const allSubscriptions = microHealthOperation(
  {
    operationId: 'listMicroHealthSubscriptions',
    role: 'list',
    summary: 'List micro-health policies',
    description:
      'Returns the policies of the merchant page by page. Each item is a subscriber with the subscription, the beneficiaries and the premiums paid. Filter by `period`, or by `start_date` and `end_date`.',
    method: 'get',
    path: '/api/merchant/micro_health/all_subscriptions',
    input: 'MicroHealthListRequest',
    data: 'MicroHealthSubscriberPage',
    response: 'MicroHealthListResponse',
    envelope: messageEnvelope('Subscriptions retrieved successfully'),
    assumptions: [
      'list-selection',
      'page-out-of-range',
      'page-urls',
      'list-order',
      'subscriptions-key',
      'subscriber-per-purchase',
      'no-expiry-transition',
      ...OF_SUBSCRIPTION,
      'top-up-dates',
      'top-up-anchor',
      'commissions',
      'currency',
      'subscriber-defaults',
    ],
  },
  (call, query) => {
    const { world, now } = call;
    const { page, per_page, ...selection } = query;
    return paginate(
      world.micro_health.policies.list,
      selectSubscribers(world, query, now),
      { page, per_page },
      { address: listAddress(call), settings: world.settings, kept: selection },
      (subscriber) => presentSubscriber(world, subscriber),
    );
  },
  (_scope, query) => checkSelection(query),
);

export const validatePolicy = microHealthOperation(
  {
    operationId: 'validateMicroHealthPolicy',
    role: 'lookup',
    summary: 'Look up a micro-health policy',
    description:
      'Returns the policy with this policy number. Lapsed policies are returned too: check `end_date`.',
    method: 'get',
    path: '/api/merchant/micro_health/validate_policy/{policy_no}',
    input: 'MicroHealthValidateRequest',
    data: 'MicroHealthSubscription',
    response: 'MicroHealthValidateResponse',
    envelope: messageEnvelope('Policy retrieved successfully'),
    assumptions: ['no-expiry-transition', ...OF_SUBSCRIPTION, 'top-up-dates', 'top-up-anchor'],
  },
  ({ world }, { policy_no }) =>
    presentSubscription(world, findSubscriber(world, policy_no).subscriptions),
);

/** The operations of the family, in the order in which documents show them. */
export const OPERATIONS = [getQuote, initiate, verify, topUp, allSubscriptions, validatePolicy];
