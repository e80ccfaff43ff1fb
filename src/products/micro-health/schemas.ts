import * as z from 'zod/mini';
import { component, describe, type Infer, type Meta } from '../../core/schema.ts';
import { pageFields, pageOf } from '../../http/pagination.ts';
import {
  amount,
  count,
  date,
  dateTime,
  email,
  id,
  moneyText,
  nin,
  phone,
  productId,
  text,
  timestamp,
  url,
  word,
} from '../../http/wire.ts';
import { Product } from '../product.ts';

/** Payment frequencies a subscription may have, and `yearly`, answered as `annually` (`frequency-words`). */
const FREQUENCY_WORDS = {
  monthly: 'monthly',
  quarterly: 'quarterly',
  annually: 'annually',
  yearly: 'annually',
} as const;

const frequency = () =>
  word(FREQUENCY_WORDS, {
    description: 'How often the premium is paid; yearly means annually.',
    examples: ['monthly'],
    'x-assumptions': ['frequency-words'],
  });

const POLICY_NO: Meta = {
  description: 'The policy number, 10 digits.',
  examples: ['4017395826'],
  'x-assumptions': ['policy-no'],
};
const policyNo = () => describe(z.string(), POLICY_NO);

/* Requests */

export const QuoteRequest = component(
  'MicroHealthQuoteRequest',
  () =>
    z.object({
      no_of_users: count({
        description: 'The principal and the beneficiaries: one beneficiary makes 2 users.',
        examples: [2],
        'x-assumptions': ['users-count'],
      }),
      subscription_type: frequency(),
      product_id: productId({ description: 'A micro-health product.', examples: ['1'] }),
    }),
  {
    description: 'What to price.',
    examples: [{ no_of_users: 2, subscription_type: 'monthly', product_id: '1' }],
  },
);
export type QuoteRequest = Infer<typeof QuoteRequest>;

const beneficiaryName = (which: string) =>
  z.optional(
    text({ description: `Full name of the ${which} beneficiary.`, examples: ['Bola Ade'] }),
  );

export const InitiateRequest = component(
  'MicroHealthInitiateRequest',
  () =>
    z.object({
      first_name: text({ description: 'First name of the principal.', examples: ['Ada'] }),
      surname: text({ description: 'Surname of the principal.', examples: ['Obi'] }),
      email: email({
        description: 'E-mail address of the principal.',
        examples: ['ada@example.com'],
      }),
      phone_no: phone({ description: '11 digits.', examples: ['08031234567'] }),
      date_of_birth: date({ description: 'Y-m-d, not after today.', examples: ['1990-04-12'] }),
      product_id: productId({ description: 'A micro-health product.', examples: [1] }),
      subscription_type: frequency(),
      amount: amount({
        description: 'The premium in naira for this number of users and frequency.',
        examples: [700],
        'x-assumptions': ['amount-check'],
      }),
      nin_number: nin({
        description: 'National identity number, 11 digits.',
        examples: [12345678901],
      }),
      first_beneficiary_full_name: beneficiaryName('first'),
      second_beneficiary_full_name: beneficiaryName('second'),
      third_beneficiary_full_name: beneficiaryName('third'),
      id_url: url({
        description: 'URL of an image of an identity document.',
        examples: ['https://files.example.com/id.png'],
      }),
      profile_url: z.optional(
        text({ description: 'URL of a portrait.', examples: ['https://files.example.com/me.png'] }),
      ),
    }),
  {
    description: 'A first-time subscription.',
    examples: [
      {
        first_name: 'Ada',
        surname: 'Obi',
        email: 'ada@example.com',
        phone_no: '08031234567',
        date_of_birth: '1990-04-12',
        product_id: 1,
        subscription_type: 'monthly',
        amount: 700,
        nin_number: 12345678901,
        first_beneficiary_full_name: 'Bola Ade',
        id_url: 'https://files.example.com/id.png',
        profile_url: 'https://files.example.com/me.png',
      },
    ],
    'x-assumptions': ['micro-health-required'],
  },
);
export type InitiateRequest = Infer<typeof InitiateRequest>;

const EXAMPLE_TOKEN = '3f7a1c9be20d4586a7b1c3d5e7f90123456789ab';

export const VerifyRequest = component(
  'MicroHealthVerifyRequest',
  () =>
    z.object({
      token: text({ description: 'The token that initiate answered.', examples: [EXAMPLE_TOKEN] }),
    }),
  { description: 'The purchase to complete.', examples: [{ token: EXAMPLE_TOKEN }] },
);

export const TopUpRequest = component(
  'MicroHealthTopUpRequest',
  () =>
    z.object({
      subscription_type: word(FREQUENCY_WORDS, {
        description: 'The frequency chosen at subscription.',
        examples: ['monthly'],
        'x-assumptions': ['top-up-frequency', 'frequency-words'],
      }),
      amount: amount({
        description: 'The premium in naira for one period.',
        examples: [700],
        'x-assumptions': ['amount-check'],
      }),
      policy_no: text(POLICY_NO),
    }),
  {
    description: 'The renewal of a subscription for one more period.',
    examples: [{ subscription_type: 'monthly', amount: 700, policy_no: '4017395826' }],
  },
);
export type TopUpRequest = Infer<typeof TopUpRequest>;

export const PERIODS = ['day', 'week', 'month', 'quarter', 'year'] as const;
export type Period = (typeof PERIODS)[number];

export const ListRequest = component('MicroHealthListRequest', () =>
  z.object({
    ...pageFields(),
    period: z.optional(
      describe(z.enum(PERIODS, { error: `must be one of ${PERIODS.join(', ')}.` }), {
        description:
          'Only subscriptions of the current day, week (from Monday), month, quarter or year, UTC.',
        'x-assumptions': ['list-selection'],
      }),
    ),
    start_date: z.optional(
      date({
        description: 'Only subscriptions from this day on, UTC.',
        examples: ['2023-09-01'],
        'x-assumptions': ['list-selection'],
      }),
    ),
    end_date: z.optional(
      date({
        description: 'Only subscriptions up to and including this day, UTC.',
        examples: ['2023-11-30'],
        'x-assumptions': ['list-selection'],
      }),
    ),
  }),
);
export type ListRequest = Infer<typeof ListRequest>;

export const ValidateRequest = component('MicroHealthPolicyPath', () =>
  z.object({ policy_no: policyNo() }),
);

/* Resources */

export const Quote = component(
  'MicroHealthQuote',
  () =>
    z.strictObject({
      quote_price: describe(z.number(), { description: 'The premium in naira.', examples: [700] }),
    }),
  { description: 'The price of a plan.', examples: [{ quote_price: 700 }] },
);

export const PurchaseToken = component(
  'MicroHealthPurchaseToken',
  () =>
    z.strictObject({
      token: describe(z.string(), {
        description: 'Completes the purchase within 15 minutes.',
        examples: [EXAMPLE_TOKEN],
        'x-assumptions': ['token-format'],
      }),
    }),
  { description: 'The token of a pending purchase.', examples: [{ token: EXAMPLE_TOKEN }] },
);

const subscriptionFields = () => ({
  id: id(),
  user_id: id({ description: 'The subscriber.' }),
  product_id: id(),
  recurring: describe(z.boolean(), {
    description: 'Whether the premium is paid more often than once a year.',
    'x-assumptions': ['recurring'],
  }),
  subscriptions_type: z.enum(['monthly', 'quarterly', 'annually']),
  subscriptions_no: describe(z.int().check(z.gte(1)), {
    description: 'Periods paid.',
    'x-assumptions': ['subscriptions-no'],
  }),
  start_date: timestamp({ 'x-assumptions': ['subscription-dates', 'timestamp-precision'] }),
  end_date: timestamp({ 'x-assumptions': ['subscription-dates', 'top-up-dates'] }),
  enable: describe(z.int(), {
    description: '1 when enabled.',
    'x-assumptions': ['no-expiry-transition'],
  }),
  policy_no: policyNo(),
  merchant_user_id: id({ description: 'The merchant.' }),
  created_at: timestamp(),
  updated_at: timestamp(),
  active_date: dateTime({
    description: 'Y-m-d H:i:s in UTC: since when the cover has run without a gap.',
    'x-assumptions': ['subscription-dates', 'top-up-dates'],
  }),
});

const EXAMPLE_SUBSCRIPTION = {
  id: 33,
  user_id: 50,
  product_id: 1,
  recurring: true,
  subscriptions_type: 'monthly',
  subscriptions_no: 1,
  start_date: '2026-01-31T10:00:00.000000Z',
  end_date: '2026-02-28T10:00:00.000000Z',
  enable: 1,
  policy_no: '4017395826',
  merchant_user_id: 1,
  created_at: '2026-01-31T10:00:00.000000Z',
  updated_at: '2026-01-31T10:00:00.000000Z',
  active_date: '2026-01-31 10:00:00',
};

/** A subscription as it stands inside a subscriber of the list. */
export const ListedSubscription = component(
  'MicroHealthListedSubscription',
  () => z.strictObject(subscriptionFields()),
  { description: 'A subscription inside a listed subscriber.' },
);
export type Subscription = Infer<typeof ListedSubscription>;

/** A subscription with its product, as verify, top_up and validate_policy answer it. */
export const SubscriptionWithProduct = component(
  'MicroHealthSubscription',
  () => z.strictObject({ ...subscriptionFields(), product: Product() }),
  {
    description: 'A subscription with its product.',
    examples: [
      {
        ...EXAMPLE_SUBSCRIPTION,
        product: {
          id: 1,
          name: 'Malaria Care Plan',
          details: '<p>Treatment of malaria at any partner hospital.</p>',
          beneficiaries: true,
          max_beneficiaries: 3,
          provider_id: 1,
          logo_url: null,
          enable: true,
          created_at: '2023-01-09T08:00:00.000000Z',
          updated_at: '2023-01-09T08:00:00.000000Z',
        },
      },
    ],
  },
);

export const Beneficiary = component(
  'Beneficiary',
  () =>
    z.strictObject({
      id: id(),
      full_name: z.string(),
      surname: z.nullable(z.string()),
      email: z.nullable(z.string()),
      phone_no: z.nullable(z.string()),
      address: z.nullable(z.string()),
      gender: z.nullable(z.string()),
      date_of_birth: z.nullable(z.string()),
      product_id: z.nullable(z.int()),
      user_id: id({ description: 'The subscriber.' }),
      created_at: timestamp(),
      updated_at: timestamp(),
    }),
  { description: 'Somebody covered besides the principal.' },
);
export type Beneficiary = Infer<typeof Beneficiary>;

export const Transaction = component(
  'Transaction',
  () =>
    z.strictObject({
      id: id(),
      user_id: id({ description: 'The subscriber.' }),
      amount: moneyText({ description: 'The premium paid, naira.', examples: ['700.00'] }),
      product_id: id(),
      status: describe(z.string(), { examples: ['successful'] }),
      type: describe(z.string(), { examples: ['credit'] }),
      subscriptions_id: id(),
      merchant_user_id: id(),
      created_at: timestamp(),
      updated_at: timestamp(),
      partner_commission: moneyText({
        description: "The provider side's commission, naira.",
        'x-assumptions': ['commissions'],
      }),
      merchant_commission: moneyText({
        description: "The merchant's commission, naira.",
        'x-assumptions': ['commissions'],
      }),
      total_commission: moneyText({
        description: 'The sum of the two, naira.',
        'x-assumptions': ['commissions'],
      }),
    }),
  { description: 'A premium paid.' },
);
export type Transaction = Infer<typeof Transaction>;

/** A subscriber as a World keeps it and the list answers it. */
export const Subscriber = component(
  'MicroHealthSubscriber',
  () =>
    z.strictObject({
      id: id(),
      first_name: z.string(),
      middle_name: z.nullable(z.string()),
      surname: z.string(),
      phone_no: z.string(),
      email: z.string(),
      address: z.nullable(z.string()),
      gender: z.nullable(z.string()),
      date_of_birth: timestamp(),
      password: describe(z.null(), { description: 'Always null.' }),
      policy_no: policyNo(),
      have_beneficiaries: z.boolean(),
      enable: z.boolean(),
      next_of_kin_full_name: z.nullable(z.string()),
      merchant_user_id: z.nullable(id()),
      user_type: z.string(),
      created_at: timestamp(),
      updated_at: timestamp(),
      beneficiary: z.array(Beneficiary()),
      subscriptions: describe(ListedSubscription(), { 'x-assumptions': ['subscriptions-key'] }),
      transactions: z.array(Transaction()),
    }),
  {
    description: 'A subscriber with its beneficiaries, its subscription and what was paid.',
    examples: [
      {
        id: 50,
        first_name: 'Ada',
        middle_name: null,
        surname: 'Obi',
        phone_no: '08031234567',
        email: 'ada@example.com',
        address: null,
        gender: null,
        date_of_birth: '1990-04-12T00:00:00.000000Z',
        password: null,
        policy_no: '4017395826',
        have_beneficiaries: true,
        enable: true,
        next_of_kin_full_name: null,
        merchant_user_id: 1,
        user_type: 'principal',
        created_at: '2026-01-31T10:00:00.000000Z',
        updated_at: '2026-01-31T10:00:00.000000Z',
        beneficiary: [
          {
            id: 41,
            full_name: 'Bola Ade',
            surname: null,
            email: null,
            phone_no: null,
            address: null,
            gender: null,
            date_of_birth: null,
            product_id: null,
            user_id: 50,
            created_at: '2026-01-31T10:00:00.000000Z',
            updated_at: '2026-01-31T10:00:00.000000Z',
          },
        ],
        subscriptions: EXAMPLE_SUBSCRIPTION,
        transactions: [
          {
            id: 61,
            user_id: 50,
            amount: '700.00',
            product_id: 1,
            status: 'successful',
            type: 'credit',
            subscriptions_id: 33,
            merchant_user_id: 1,
            created_at: '2026-01-31T10:00:00.000000Z',
            updated_at: '2026-01-31T10:00:00.000000Z',
            partner_commission: '70.00',
            merchant_commission: '35.00',
            total_commission: '105.00',
          },
        ],
      },
    ],
  },
);
export type Subscriber = Infer<typeof Subscriber>;

export const SubscriberPage = component('MicroHealthSubscriberPage', () => pageOf(Subscriber()), {
  description: 'One page of subscribers.',
});
