/* The examples in the documents: one purchase, from the request to the subscriber. */

import type { Settings } from '../../world/settings.ts';
import { instantOf } from '../../world/time.ts';
import { localDateTime } from '../../world/time-zone.ts';
import { exampleProduct } from '../catalogue.ts';
import { exampleOf } from '../named-schemas.ts';
import { createSubscriber } from '../subscriber.ts';
import { REQUESTS } from './requests.ts';

export const EXAMPLE_REQUEST = exampleOf(REQUESTS.MicroHealthInitiateRequest);

const { policy_no: policyNo } = exampleOf(REQUESTS.MicroHealthTopUpRequest);
const written = '2026-01-31T10:00:00.000000Z';
const recorded = { created_at: written, updated_at: written };

export const exampleSubscription = (settings: Settings) => ({
  id: 33,
  user_id: 50,
  product_id: 1,
  recurring: true,
  subscriptions_type: EXAMPLE_REQUEST.subscription_type,
  subscriptions_no: 1,
  start_date: written,
  end_date: '2026-02-28T10:00:00.000000Z',
  enable: 1,
  policy_no: policyNo,
  merchant_user_id: 1,
  ...recorded,
  active_date: localDateTime(settings, instantOf(written)),
});

export const EXAMPLE_PRODUCT = {
  ...exampleProduct(1),
  details: '<p>Treatment of malaria at any partner hospital.</p>',
};

export const exampleSubscriber = (settings: Settings) => ({
  ...createSubscriber(EXAMPLE_REQUEST, {
    id: 50,
    policyNo,
    merchantId: 1,
    haveBeneficiaries: true,
    written,
  }),
  beneficiary: [
    {
      id: 41,
      full_name: EXAMPLE_REQUEST.first_beneficiary_full_name,
      user_id: 50,
      ...recorded,
    },
  ],
  subscriptions: exampleSubscription(settings),
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
      ...recorded,
      partner_commission: '70.00',
      merchant_commission: '35.00',
      total_commission: '105.00',
    },
  ],
});
