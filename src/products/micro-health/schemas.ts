import * as z from 'zod/mini';
import { component, describe, type Infer } from '../../core/schema.ts';
import { pageOf } from '../../http/pagination.ts';
import { dateTime, id, moneyText, timestamp } from '../../http/record-fields.ts';
import { productFields } from '../product.ts';
import { purchaseToken } from '../purchase-token.ts';
import { subscriberFields } from '../subscriber.ts';
import {
  EXAMPLE_PRODUCT,
  EXAMPLE_SUBSCRIBER,
  EXAMPLE_SUBSCRIPTION,
  EXAMPLE_TOKEN,
} from './examples.ts';
import { policyNo } from './policy-no.ts';

export const Quote = component(
  'MicroHealthQuote',
  () =>
    z.strictObject({
      quote_price: describe(z.number(), { description: 'The premium in naira.', examples: [700] }),
    }),
  { description: 'The price of a plan.', examples: [{ quote_price: 700 }] },
);

export const PurchaseToken = purchaseToken('MicroHealthPurchaseToken', EXAMPLE_TOKEN);

const subscriptionFields = () => ({
  id: id(),
  user_id: id({ description: 'The subscriber.' }),
  product_id: id(),
  recurring: describe(z.boolean(), {
    description: 'Whether the premium is paid more often than once a year.',
    'x-assumptions': ['recurring'],
  }),
  subscriptions_type: describe(z.enum(['monthly', 'quarterly', 'annually']), {
    description: 'How often the premium is paid, as chosen at subscription.',
  }),
  subscriptions_no: describe(z.int().check(z.gte(1)), {
    description: 'Periods paid.',
    'x-assumptions': ['subscriptions-no'],
  }),
  start_date: timestamp({
    description: 'When the subscription was verified.',
    'x-assumptions': ['subscription-dates', 'timestamp-precision'],
  }),
  end_date: timestamp({
    description: 'When the cover that was paid for ends.',
    'x-assumptions': ['subscription-dates', 'top-up-dates'],
  }),
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

/** A product, without the service and the class that the catalogue holds. */
export const Product = component('Product', () => z.strictObject(productFields()), {
  description: 'A product of the micro-health family.',
});
export type Product = Infer<typeof Product>;

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
    examples: [{ ...EXAMPLE_SUBSCRIPTION, product: EXAMPLE_PRODUCT }],
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
      status: describe(z.string(), {
        description: 'successful for every premium paid.',
        examples: ['successful'],
      }),
      type: describe(z.string(), {
        description: 'credit for every premium paid.',
        examples: ['credit'],
      }),
      subscriptions_id: id({ description: 'The subscription.' }),
      merchant_user_id: id({ description: 'The merchant.' }),
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
      ...subscriberFields(policyNo()),
      beneficiary: z.array(Beneficiary()),
      subscriptions: describe(ListedSubscription(), { 'x-assumptions': ['subscriptions-key'] }),
      transactions: z.array(Transaction()),
    }),
  {
    description: 'A subscriber with its beneficiaries, its subscription and what was paid.',
    examples: [EXAMPLE_SUBSCRIBER],
  },
);
export type Subscriber = Infer<typeof Subscriber>;

export const SubscriberPage = component('MicroHealthSubscriberPage', () => pageOf(Subscriber()), {
  description: 'One page of subscribers.',
});
