import { z } from '@hono/zod-openapi';
import { pageOf } from '../../api/pagination.ts';
import {
  boughtProductId,
  dateTime,
  issuedId,
  moneyText,
  timestamp,
  writtenFields,
} from '../../api/response-fields.ts';
import { productFields } from '../catalogue.ts';
import { assumed, namedResponse, withExample } from '../named-schemas.ts';
import { purchaseToken } from '../policy.ts';
import { subscriberFields, unsetNumber, unsetText } from '../subscriber.ts';
import { EXAMPLE_PRODUCT, EXAMPLE_SUBSCRIBER, EXAMPLE_SUBSCRIPTION } from './examples.ts';
import { EXAMPLE_TOKEN, policyNo } from './requests.ts';

export const MicroHealthQuote = namedResponse(
  'MicroHealthQuote',
  { description: 'The price of a plan.' },
  {
    quote_price: z.number().meta({
      description: 'The premium in naira.',
      examples: [700],
      'x-assumptions': ['price-config'],
      'x-provider': true,
      'x-documented': ['currency'],
    }),
  },
  { quote_price: 700 },
);

export const MicroHealthPurchaseToken = purchaseToken('MicroHealthPurchaseToken', EXAMPLE_TOKEN, {
  form: /^[0-9a-f]{40}$/,
  says: '40 lower-case hex digits',
});

const subscriptionFields = {
  id: issuedId('subscription'),
  user_id: issuedId('user', { description: 'The subscriber.' }),
  product_id: boughtProductId(),
  recurring: z
    .boolean()
    .meta(assumed('Whether the premium is paid more often than once a year.', 'recurring')),
  subscriptions_type: z
    .enum(['monthly', 'quarterly', 'annually'])
    .describe('How often the premium is paid, as chosen at subscription.'),
  subscriptions_no: z.int().min(1).meta(assumed('Periods paid.', 'subscriptions-no')),
  start_date: timestamp(
    assumed('When the subscription was verified.', 'subscription-dates', 'timestamp-precision'),
  ),
  end_date: timestamp(
    assumed('When the cover that was paid for ends.', 'subscription-dates', 'top-up-dates'),
  ),
  enable: z.int().meta(assumed('1 when enabled.', 'no-expiry-transition')),
  policy_no: policyNo,
  merchant_user_id: issuedId('merchant', { description: 'The merchant.' }),
  ...writtenFields,
  active_date: dateTime(
    assumed(
      'Y-m-d H:i:s in UTC: since when the cover has run without a gap.',
      'subscription-dates',
      'top-up-dates',
    ),
  ),
};

/** A product, without the service and the class that the catalogue holds. */
export const MicroHealthProduct = namedResponse(
  'MicroHealthProduct',
  { description: 'A product of the micro-health family.', 'x-provider': true },
  productFields,
);
export type MicroHealthProduct = z.output<typeof MicroHealthProduct>;

/** A subscription as it stands inside a subscriber of the list. */
export const MicroHealthListedSubscription = namedResponse(
  'MicroHealthListedSubscription',
  assumed('A subscription inside a listed subscriber.', 'subscriptions-key'),
  subscriptionFields,
);
export type MicroHealthListedSubscription = z.output<typeof MicroHealthListedSubscription>;

/** A subscription with its product, as verify, top_up and validate_policy answer it. */
export const MicroHealthSubscription = namedResponse(
  'MicroHealthSubscription',
  { description: 'A subscription with its product.' },
  { ...subscriptionFields, product: MicroHealthProduct },
  { ...EXAMPLE_SUBSCRIPTION, product: EXAMPLE_PRODUCT },
);
export type MicroHealthSubscription = z.output<typeof MicroHealthSubscription>;

export const MicroHealthBeneficiary = namedResponse(
  'MicroHealthBeneficiary',
  { description: 'Somebody covered besides the principal.' },
  {
    id: issuedId('beneficiary'),
    full_name: z.string().describe('Full name.'),
    surname: unsetText,
    email: unsetText,
    phone_no: unsetText,
    address: unsetText,
    gender: unsetText,
    date_of_birth: unsetText,
    product_id: unsetNumber,
    user_id: issuedId('user', { description: 'The subscriber.' }),
    ...writtenFields,
  },
);
export type MicroHealthBeneficiary = z.output<typeof MicroHealthBeneficiary>;

const commission = (description: string) =>
  moneyText({ description, 'x-assumptions': ['commissions'], 'x-provider': true });

export const MicroHealthTransaction = namedResponse(
  'MicroHealthTransaction',
  { description: 'A premium paid.' },
  {
    id: issuedId('transaction'),
    user_id: issuedId('user', { description: 'The subscriber.' }),
    amount: moneyText(withExample('The premium paid, naira.', '700.00')),
    product_id: boughtProductId(),
    status: z.string().meta(withExample('successful: no other is named.', 'successful')),
    type: z.string().meta(withExample('credit: no other is named.', 'credit')),
    subscriptions_id: issuedId('subscription', { description: 'The subscription.' }),
    merchant_user_id: issuedId('merchant', { description: 'The merchant.' }),
    ...writtenFields,
    partner_commission: commission("The provider side's commission, naira."),
    merchant_commission: commission("The merchant's commission, naira."),
    total_commission: commission('The sum of the two, naira.'),
  },
);
export type MicroHealthTransaction = z.output<typeof MicroHealthTransaction>;

const subscriberWith = <S extends z.ZodType>(subscriptions: S, example: object) =>
  namedResponse(
    'MicroHealthSubscriber',
    { description: 'A subscriber with its beneficiaries, its subscription and what was paid.' },
    {
      ...subscriberFields(policyNo),
      beneficiary: z.array(MicroHealthBeneficiary).describe('Those covered besides the principal.'),
      subscriptions,
      transactions: z.array(MicroHealthTransaction).describe('The premiums paid.'),
    },
    example,
  );

/** A subscriber as a World keeps it and the list answers it. */
export const MicroHealthSubscriber = subscriberWith(
  MicroHealthListedSubscription,
  EXAMPLE_SUBSCRIBER,
);
export type MicroHealthSubscriber = z.output<typeof MicroHealthSubscriber>;

const subscriberPage = <S extends z.ZodType>(subscriber: S) =>
  pageOf(subscriber).openapi('MicroHealthSubscriberPage').describe('One page of subscribers.');

export const MicroHealthSubscriberPage = subscriberPage(MicroHealthSubscriber);

/** The page where a profile makes a list of the one subscription (`subscriptions-key`). */
export const createPageWithLists = () =>
  subscriberPage(
    subscriberWith(
      z
        .array(MicroHealthListedSubscription)
        .length(1)
        .meta(assumed('The one subscription, in a list.', 'subscriptions-key')),
      { ...EXAMPLE_SUBSCRIBER, subscriptions: [EXAMPLE_SUBSCRIBER.subscriptions] },
    ),
  );
