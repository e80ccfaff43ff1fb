/* The responses of micro-health: what each operation shows of a subscriber. */

import { z } from '@hono/zod-openapi';
import { pageOf } from '../../api/pagination.ts';
import {
  boughtProductId,
  dateTime,
  id,
  moneyText,
  timestamp,
  writtenFields,
} from '../../api/response-fields.ts';
import { onFirstUse } from '../../world/on-first-use.ts';
import { PUBLISHED, type Settings } from '../../world/settings.ts';
import { TIME_ZONE } from '../../world/time-zone.ts';
import { productFields } from '../catalogue.ts';
import { assumed, namedResponse, withExample } from '../named-schemas.ts';
import { purchaseToken } from '../policy.ts';
import { subscriberFields, unsetNumber, unsetText } from '../subscriber.ts';
import { createRequests, FREQUENCIES, policyNo, TOKENS } from './requests.ts';
import { SUBSCRIPTIONS_KEY } from './settings.ts';

const MicroHealthQuote = onFirstUse(() =>
  namedResponse(
    'MicroHealthQuote',
    { description: 'A quote for a micro-health plan.' },
    {
      quote_price: z.number().meta({
        description: 'The premium for one period, in naira.',
        examples: [700],
        'x-assumptions': ['price-config'],
        'x-documented': ['currency'],
      }),
    },
  ),
);

const subscriptionFields = (settings: Settings) => ({
  id: id(),
  user_id: id({ description: 'Id of the subscriber.' }),
  product_id: boughtProductId(),
  recurring: z
    .boolean()
    .meta(assumed('Whether the premium is paid more often than once a year.', 'recurring')),
  subscriptions_type: z
    .enum(FREQUENCIES)
    .describe('How often the premium is paid, as chosen at purchase.'),
  subscriptions_no: z.int().min(1).meta(assumed('Number of periods paid.', 'subscriptions-no')),
  start_date: timestamp(
    assumed('When the purchase was completed.', 'subscription-dates', 'timestamp-precision'),
  ),
  end_date: timestamp(
    assumed(
      'When the paid cover ends.',
      'subscription-dates',
      'top-up-dates',
      'top-up-anchor',
      'month-end',
    ),
  ),
  enable: z.int().meta(assumed('1 if enabled. It stays 1 after a lapse.', 'no-expiry-transition')),
  policy_no: policyNo,
  merchant_user_id: id({ description: 'Id of the merchant.' }),
  ...writtenFields(),
  active_date: dateTime(
    assumed(
      `Start of the uninterrupted cover, YYYY-MM-DD HH:MM:SS in ${TIME_ZONE.in(settings)}.`,
      'subscription-dates',
      'top-up-dates',
    ),
  ),
});

/** A product without its service and class, which the catalogue has. */
export const MicroHealthProduct = onFirstUse(() =>
  namedResponse('MicroHealthProduct', { description: 'A micro-health product.' }, productFields()),
);
export type MicroHealthProduct = z.output<ReturnType<typeof MicroHealthProduct>>;

/** A subscription inside a listed subscriber. */
const listedSubscription = (settings: Settings) =>
  namedResponse(
    'MicroHealthListedSubscription',
    assumed('The subscription of a listed subscriber.', 'subscriptions-key'),
    subscriptionFields(settings),
  );
export const MicroHealthListedSubscription = onFirstUse(() => listedSubscription(PUBLISHED));
export type MicroHealthListedSubscription = z.output<
  ReturnType<typeof MicroHealthListedSubscription>
>;

/** A subscription with its product, as verify, top_up and validate_policy return it. */
const subscriptionWithProduct = (settings: Settings) =>
  namedResponse(
    'MicroHealthSubscription',
    { description: 'A micro-health policy with its product.' },
    { ...subscriptionFields(settings), product: MicroHealthProduct() },
  );
export type MicroHealthSubscription = z.output<ReturnType<typeof subscriptionWithProduct>>;

export const MicroHealthBeneficiary = onFirstUse(() =>
  namedResponse(
    'MicroHealthBeneficiary',
    { description: 'A person covered besides the principal.' },
    {
      id: id(),
      full_name: z.string().describe('Full name.'),
      surname: unsetText(),
      email: unsetText(),
      phone_no: unsetText(),
      address: unsetText(),
      gender: unsetText(),
      date_of_birth: unsetText(),
      product_id: unsetNumber(),
      user_id: id({ description: 'Id of the subscriber.' }),
      ...writtenFields(),
    },
  ),
);
export type MicroHealthBeneficiary = z.output<ReturnType<typeof MicroHealthBeneficiary>>;

const commission = (description: string) =>
  moneyText({ description, 'x-assumptions': ['commissions'] });

export const MicroHealthTransaction = onFirstUse(() =>
  namedResponse(
    'MicroHealthTransaction',
    { description: 'A payment of a premium.' },
    {
      id: id(),
      user_id: id({ description: 'Id of the subscriber.' }),
      amount: moneyText(withExample('The premium paid, in naira with two decimals.', '700.00')),
      product_id: boughtProductId(),
      status: z
        .string()
        .meta(withExample('The only documented value is `successful`.', 'successful')),
      type: z.string().meta(withExample('The only documented value is `credit`.', 'credit')),
      subscriptions_id: id({ description: 'Id of the subscription.' }),
      merchant_user_id: id({ description: 'Id of the merchant.' }),
      ...writtenFields(),
      partner_commission: commission("The provider's commission, in naira with two decimals."),
      merchant_commission: commission("The merchant's commission, in naira with two decimals."),
      total_commission: commission('Sum of both commissions, in naira with two decimals.'),
    },
  ),
);
export type MicroHealthTransaction = z.output<ReturnType<typeof MicroHealthTransaction>>;

/** A subscriber. Under a profile the list has its one subscription in a list (`subscriptions-key`). */
const subscriberWith = <S extends z.ZodType>(settings: Settings, subscriptions: S) =>
  namedResponse(
    'MicroHealthSubscriber',
    { description: 'A subscriber with the subscription, the beneficiaries and the premiums paid.' },
    {
      ...subscriberFields(settings, policyNo),
      beneficiary: z
        .array(MicroHealthBeneficiary())
        .describe('The people covered besides the principal.'),
      subscriptions,
      transactions: z.array(MicroHealthTransaction()).describe('The premiums paid.'),
    },
  );

/** A subscriber as a World stores it, and as the published list returns it. */
export const MicroHealthSubscriber = onFirstUse(() =>
  subscriberWith(PUBLISHED, MicroHealthListedSubscription()),
);
export type MicroHealthSubscriber = z.output<ReturnType<typeof MicroHealthSubscriber>>;

/** A subscriber in the list. Clients and code know the published form, which a profile may replace. */
function listedSubscriber(settings: Settings): z.ZodType<MicroHealthSubscriber> {
  const { schemaOf } = SUBSCRIPTIONS_KEY.of(settings);
  const schema: z.ZodType = subscriberWith(settings, schemaOf(listedSubscription(settings)));
  return schema as z.ZodType<MicroHealthSubscriber>;
}

/** The responses of the operations under these settings, by their names in documents. */
const createResponses = (settings: Settings) => ({
  MicroHealthQuote: MicroHealthQuote(),
  MicroHealthPurchaseToken: purchaseToken(settings, 'MicroHealthPurchaseToken', TOKENS),
  MicroHealthSubscription: subscriptionWithProduct(settings),
  MicroHealthSubscriberPage: pageOf(settings, listedSubscriber(settings))
    .openapi('MicroHealthSubscriberPage')
    .describe('One page of subscribers.'),
});

/** The requests of the operations under these settings, and the responses, which calls do not need. */
export const createSchemas = (settings: Settings) => ({
  ...createRequests(settings),
  responses: onFirstUse(() => createResponses(settings)),
});

/** The published schemas. */
export const SCHEMAS = createSchemas(PUBLISHED);
