/* The calls of micro-health: quotes, purchases, renewals, look-ups and the list. */

import { type Answer, call, type Fields, type ProbeCall, valueAt } from '../call.ts';
import {
  BORN,
  emailOf,
  FILE,
  FIRST_NAME,
  familyCalls,
  IDENTITY_NUMBER,
  mixedEmailOf,
  PHONE,
  REAL_FIRST_NAME,
  REAL_SURNAME,
  SURNAME,
} from './shared.ts';

const KEY = 'micro_health';

const quoteOf = (what: string, users: unknown, type: string, more: Fields = {}) =>
  call('getMicroHealthQuote', what, {}, (_, { products }) => ({
    no_of_users: users,
    subscription_type: type,
    product_id: products[KEY],
    ...more,
  }));

export const PRICE = 'data.quote_price';
/** The price of a quote as a number, also where a server writes it as a text. */
export const priceIn = (quote: Answer): number => Number(quote.get(PRICE));

/** One beneficiary: two users. */
export const quote = quoteOf('as specified', 2, 'monthly');
export const quoteOne = quoteOf('for one user', 1, 'monthly');
const quoteAnnual = quoteOf('for three users a year', 3, 'annually');

const initiate = call(
  'initiateMicroHealthSubscription',
  'as specified',
  { needs: { quote, quoteOne } },
  (needs, setup) => ({
    first_name: FIRST_NAME,
    surname: SURNAME,
    email: emailOf(setup),
    phone_no: PHONE,
    date_of_birth: BORN,
    product_id: setup.products[KEY],
    subscription_type: 'monthly',
    amount: priceIn(needs.quote),
    nin_number: IDENTITY_NUMBER,
    first_beneficiary_full_name: 'Bola Sandbox Check',
    id_url: FILE,
    profile_url: FILE,
  }),
);

/** A purchase and what follows from it. The second one is paid for a year, with a gap between its beneficiaries. */
export const microHealth = familyCalls({
  key: KEY,
  id: 'micro-health',
  title: 'micro-health',
  operations: {
    verify: 'verifyMicroHealthSubscription',
    lookup: 'validateMicroHealthPolicy',
    list: 'listMicroHealthSubscriptions',
  },
  initiate,
  secondNeeds: { quoteAnnual },
  secondPurchase: (needs, setup) => ({
    first_name: REAL_FIRST_NAME,
    surname: REAL_SURNAME,
    email: mixedEmailOf(setup),
    subscription_type: 'annually',
    amount: priceIn(needs.quoteAnnual as Answer),
    first_beneficiary_full_name: ' ',
    second_beneficiary_full_name: "Ngọzi O'Brien & Co",
    third_beneficiary_full_name: ' Efe Ade ',
  }),
  number: 'data.policy_no',
  lookupInput: (policy_no) => ({ policy_no }),
  renewal: (verify) =>
    call('topUpMicroHealthSubscription', 'as specified', { needs: { quote, verify } }, (needs) => ({
      subscription_type: 'monthly',
      amount: priceIn(needs.quote),
      policy_no: needs.verify.get('data.policy_no'),
    })),
  listedNumber: 'policy_no',
  isPaged: true,
  listedProduct: ({ subscriptions }) =>
    valueAt(subscriptions, 'product_id') ?? valueAt(subscriptions, '0.product_id'),
  published: 1,
  quotes: (product) => quoteOf('of a product', 1, 'monthly', { product_id: product }),
});

/** The first renewal. */
export const topUp = microHealth.renewed as ProbeCall;
