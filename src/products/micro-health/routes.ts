import { createRoute, type z } from '@hono/zod-openapi';
import { merchantRoutes } from '../../api/endpoint.ts';
import {
  codedEnvelope,
  dataLastEnvelope,
  messageEnvelope,
  success,
  successSchema,
} from '../../api/envelope.ts';
import { listAddress, paginate } from '../../api/pagination.ts';
import { jsonBody } from '../../api/request.ts';
import { respond } from '../../api/respond.ts';
import type { Settings } from '../../world/settings.ts';
import { initiateDescription, verifyDescription } from '../policy.ts';
import {
  checkSelection,
  findSubscriber,
  presentSubscription,
  selectSubscribers,
  subscriberPresenter,
} from './policies.ts';
import { checkQuote, quotePremium } from './pricing.ts';
import { checkPurchase, initiatePurchase, verifyPurchase } from './purchase.ts';
import type { MicroHealthWorld } from './records.ts';
import { checkRenewal, renewSubscription } from './renewal.ts';
import {
  MicroHealthInitiateRequest,
  MicroHealthListRequest,
  MicroHealthQuoteRequest,
  MicroHealthTopUpRequest,
  MicroHealthValidateRequest,
  MicroHealthVerifyRequest,
  otherInitiateRequest,
  otherQuoteRequest,
  otherTopUpRequest,
} from './requests.ts';
import {
  createPageWithLists,
  MicroHealthPurchaseToken,
  MicroHealthQuote,
  MicroHealthSubscriberPage,
  MicroHealthSubscription,
} from './schemas.ts';
import type { MicroHealthSettings } from './settings.ts';
import { TOKENS } from './tokens.ts';

export const TAG = 'Micro-health';
const microHealthRoute = merchantRoutes<MicroHealthWorld>(TAG);

/** The assumptions of every response that shows a subscription. */
const OF_SUBSCRIPTION = [
  'policy-no',
  'recurring',
  'subscription-dates',
  'subscriptions-no',
  'time-zone',
  'timestamp-precision',
] as const;

const getQuoteEnvelope = dataLastEnvelope('QOT101', 'Quote price get successful');
export const getQuote = microHealthRoute(
  createRoute({
    operationId: 'getMicroHealthQuote',
    summary: 'Get a micro-health quote',
    description:
      'Returns the premium for a product, a number of users and a payment frequency. Send this premium as the `amount` of the purchase.',
    method: 'post',
    path: '/api/merchant/micro_health/get_quote',
    request: jsonBody(MicroHealthQuoteRequest),
    responses: {
      200: success('MicroHealthQuoteResponse', getQuoteEnvelope, MicroHealthQuote),
    },
  }),
  {
    envelope: getQuoteEnvelope,
    readOnly: true,
    otherInput: otherQuoteRequest,
    assumptions: [
      'price-config',
      'currency',
      'micro-health-required',
      'frequency-words',
      'product-id-type',
      'success-messages',
    ],
    check: ({ world }, input) => checkQuote(world, input),
  },
  (c) => {
    const world = c.get('world');
    return respond(c, getQuoteEnvelope, { quote_price: quotePremium(world, c.req.valid('json')) });
  },
);

const initiateEnvelope = codedEnvelope(
  'FRT008',
  'Insurance Policy subscription initiate Successfully',
);
export const initiate = microHealthRoute(
  createRoute({
    operationId: 'initiateMicroHealthSubscription',
    summary: 'Start a micro-health purchase',
    description: initiateDescription(TOKENS),
    method: 'post',
    path: '/api/merchant/micro_health/initiate',
    request: jsonBody(MicroHealthInitiateRequest),
    responses: {
      200: success('MicroHealthInitiateResponse', initiateEnvelope, MicroHealthPurchaseToken),
    },
  }),
  {
    envelope: initiateEnvelope,
    readOnly: false,
    otherInput: otherInitiateRequest,
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
      'success-messages',
    ],
    check: ({ world, now }, input, malformed) => checkPurchase(world, input, now, malformed),
  },
  (c) => {
    const world = c.get('world');
    const now = c.get('now');
    return respond(c, initiateEnvelope, {
      token: initiatePurchase(world, c.req.valid('json'), now),
    });
  },
);

const verifyEnvelope = messageEnvelope('Subscription verified successfully');
export const verify = microHealthRoute(
  createRoute({
    operationId: 'verifyMicroHealthSubscription',
    summary: 'Complete a micro-health purchase',
    description: verifyDescription(TOKENS),
    method: 'post',
    path: '/api/merchant/micro_health/verify',
    request: jsonBody(MicroHealthVerifyRequest),
    responses: {
      200: success('MicroHealthVerifyResponse', verifyEnvelope, MicroHealthSubscription),
    },
  }),
  {
    envelope: verifyEnvelope,
    readOnly: false,
    errors: ['token_unknown', 'token_used', 'token_expired'],
    assumptions: [
      'token-boundary',
      ...OF_SUBSCRIPTION,
      'subscriber-per-purchase',
      'token-unknown',
      'success-messages',
    ],
  },
  (c) => {
    const world = c.get('world');
    const now = c.get('now');
    const { subscriptions } = verifyPurchase(world, c.req.valid('json').token, now);
    return respond(c, verifyEnvelope, presentSubscription(world, subscriptions));
  },
);

const topUpEnvelope = messageEnvelope('Subscription renewed successfully');
export const topUp = microHealthRoute(
  createRoute({
    operationId: 'topUpMicroHealthSubscription',
    summary: 'Renew a micro-health policy',
    description:
      'Pays for one more period and returns the renewed policy. The new period starts when the current one ends, or now if the policy has lapsed. The payment frequency stays the same.',
    method: 'post',
    path: '/api/merchant/micro_health/top_up',
    request: jsonBody(MicroHealthTopUpRequest),
    responses: {
      200: success('MicroHealthTopUpResponse', topUpEnvelope, MicroHealthSubscription),
    },
  }),
  {
    envelope: topUpEnvelope,
    readOnly: false,
    errors: ['policy_unknown'],
    otherInput: otherTopUpRequest,
    assumptions: [
      'top-up-dates',
      'top-up-frequency',
      'amount-check',
      ...OF_SUBSCRIPTION,
      'micro-health-required',
      'frequency-words',
      'success-messages',
    ],
    check: ({ world }, input) => checkRenewal(world, input),
  },
  (c) => {
    const world = c.get('world');
    const now = c.get('now');
    const subscription = renewSubscription(world, c.req.valid('json'), now);
    return respond(c, topUpEnvelope, presentSubscription(world, subscription));
  },
);

const allSubscriptionsEnvelope = messageEnvelope('Subscriptions retrieved successfully');
const RESPONSE = 'MicroHealthListResponse';

let withLists: z.ZodObject | undefined;

function otherSuccess({ subscriptionsKey }: Settings & MicroHealthSettings) {
  if (subscriptionsKey === 'object') return undefined;
  withLists ??= successSchema(RESPONSE, allSubscriptionsEnvelope, createPageWithLists());
  return withLists;
}

export const allSubscriptions = microHealthRoute(
  createRoute({
    operationId: 'listMicroHealthSubscriptions',
    summary: 'List micro-health policies',
    description:
      'Returns the policies of the merchant page by page. Each item is a subscriber with the subscription, the beneficiaries and the premiums paid. Filter by `period`, or by `start_date` and `end_date`.',
    method: 'get',
    path: '/api/merchant/micro_health/all_subscriptions',
    request: { query: MicroHealthListRequest },
    responses: {
      200: success(RESPONSE, allSubscriptionsEnvelope, MicroHealthSubscriberPage),
    },
  }),
  {
    envelope: allSubscriptionsEnvelope,
    readOnly: true,
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
      'commissions',
      'currency',
      'subscriber-defaults',
      'success-messages',
    ],
    otherSuccess,
    check: (_scope, query) => checkSelection(query),
  },
  (c) => {
    const world = c.get('world');
    const now = c.get('now');
    const query = c.req.valid('query');
    const { list } = world.micro_health.subscribers;
    const page = paginate(
      list,
      selectSubscribers(world, query, now),
      query,
      {
        address: listAddress(c),
        settings: world.settings,
        kept: { period: query.period, start_date: query.start_date, end_date: query.end_date },
      },
      subscriberPresenter(world),
    );
    return respond(c, allSubscriptionsEnvelope, page);
  },
);

const validatePolicyEnvelope = messageEnvelope('Policy retrieved successfully');
export const validatePolicy = microHealthRoute(
  createRoute({
    operationId: 'validateMicroHealthPolicy',
    summary: 'Look up a micro-health policy',
    description:
      'Returns the policy with this policy number. Lapsed policies are returned too: check `end_date`.',
    method: 'get',
    path: '/api/merchant/micro_health/validate_policy/{policy_no}',
    request: { params: MicroHealthValidateRequest },
    responses: {
      200: success('MicroHealthValidateResponse', validatePolicyEnvelope, MicroHealthSubscription),
    },
  }),
  {
    envelope: validatePolicyEnvelope,
    readOnly: true,
    errors: ['policy_unknown'],
    assumptions: ['no-expiry-transition', ...OF_SUBSCRIPTION, 'top-up-dates', 'success-messages'],
  },
  (c) => {
    const world = c.get('world');
    const { subscriptions } = findSubscriber(world, c.req.valid('param').policy_no);
    return respond(c, validatePolicyEnvelope, presentSubscription(world, subscriptions));
  },
);
