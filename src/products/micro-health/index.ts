/* Micro-health as the rest of the sandbox sees it: one product family among others. */

import { z } from '@hono/zod-openapi';
import builtInRecords from '../../../fixtures/micro-health.json' with { type: 'json' };
import { counted } from '../../world/grouped.ts';
import { defineFamily } from '../family.ts';
import { ASSUMPTIONS } from './assumptions.ts';
import { inventPurchase } from './invented.ts';
import { presentSubscriber } from './policies.ts';
import { premiumsOf, pricedPurchase } from './pricing.ts';
import {
  MicroHealthPurchaseDetails,
  MicroHealthRecords,
  type MicroHealthWorld,
  Price,
} from './records.ts';
import { renewAtPremium } from './renewal.ts';
import { TOKENS } from './requests.ts';
import { OPERATIONS, TAG } from './routes.ts';
import { createSchemas, SCHEMAS } from './schemas.ts';
import { AMOUNT_CHECK, ID_URL, NIN_NUMBER, SUBSCRIPTIONS_KEY, TOP_UP_ANCHOR } from './settings.ts';

const NOTES = `
Verify, renewal, look-up and list have \`message\`, all others \`response_message\`. Verify and renewal return:

\`{"success":true,"message":"…","data":{"policy_no":"7382347143","subscriptions_type":"monthly","subscriptions_no":1,"end_date":"2026-02-28T10:00:00.000000Z"}}\`

- The look-up returns the same; the list has it in \`subscriptions\`.
- Optional: \`profile_url\`, the beneficiary, \`second_beneficiary_full_name\`, \`third_…\`.
- A quote has \`data.quote_price\`. \`no_of_users\` 1 is the customer alone; each beneficiary name adds one. Frequencies: monthly, quarterly, annually; a renewal keeps that of the purchase.
- A renewal adds 1 to \`subscriptions_no\`. One without a response may be carried out late: wait as long again as your timeout, and send it again only if \`subscriptions_no\` has not moved.`.trim();

export const microHealth = defineFamily({
  key: 'micro_health',
  tag: TAG,
  description:
    'Malaria cover for one person and up to three beneficiaries. The premium depends on the number of users and the payment frequency.',
  notes: NOTES,
  operations: OPERATIONS,
  schemas: SCHEMAS,
  createSchemas,
  tokenRules: TOKENS,
  records: MicroHealthRecords,
  policyName: 'MicroHealthSubscriber',
  builtInRecords,
  details: MicroHealthPurchaseDetails,
  assumptions: ASSUMPTIONS,
  settings: [AMOUNT_CHECK, SUBSCRIPTIONS_KEY, NIN_NUMBER, ID_URL, TOP_UP_ANCHOR],
  policyKeys: { keyOf: ({ policy_no }) => policy_no },
  // A subscriber may have no merchant. A subscription always has one.
  merchantOf: ({ subscriptions }) => subscriptions.merchant_user_id,
  holderOf: ({ first_name, surname }) => `${first_name} ${surname}`,
  termsOf: (_world, { subscriptions: subscription, beneficiary, transactions }) => ({
    product: subscription.product_id,
    plan: `${subscription.subscriptions_type}, ${counted(1 + beneficiary.length, 'user')}`,
    premium: Number(transactions.at(-1)?.amount ?? 0),
  }),
  tellingFields: {
    who: ['first_name', 'surname'],
    premium: ['amount', 'quote_price'],
    period: ['subscription_type', 'subscriptions_type'],
    policy: 'policy_no',
  },
  pendingPremium: (_world, { amount }) => amount,
  sequences: [
    { name: 'user', idsIn: ({ id }) => [id] },
    { name: 'subscription', idsIn: ({ subscriptions }) => [subscriptions.id] },
    { name: 'beneficiary', idsIn: ({ beneficiary }) => beneficiary.map(({ id }) => id) },
    { name: 'transaction', idsIn: ({ transactions }) => transactions.map(({ id }) => id) },
  ],
  priceLists: {
    prices: ({ product_id, users }) =>
      `price of product ${product_id} for ${counted(users, 'user')}`,
    commission_rates: ({ product_id }) => `commission rate of product ${product_id}`,
  },
  policyPaths: {
    product: ['subscriptions', 'product_id'],
    createdAt: ['subscriptions', 'created_at'],
    coverEnd: ['subscriptions', 'end_date'],
  },
  renumberPolicy: (subscriber, policy_no) => ({
    ...subscriber,
    policy_no,
    subscriptions: { ...subscriber.subscriptions, policy_no },
  }),
  presentPolicy: presentSubscriber,
  priceFields: () => ({
    premiums: z
      .array(
        Price()
          .omit({ product_id: true })
          .openapi('MicroHealthPremiums')
          .meta({ description: 'The premiums of a product for a number of users, in naira.' }),
      )
      .meta({ description: 'Premiums in naira by number of users.' }),
  }),
  pricesOf: (world: MicroHealthWorld, id) => ({ premiums: premiumsOf(world, id) }),
  renewPolicy: renewAtPremium,
  dayFields: [],
  inventPurchase,
  pricedPurchase,
});
