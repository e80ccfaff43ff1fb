/* The calls of micro-health: quotes, purchases, renewals, look-ups and the list. */

import type { Answer } from '../answer.ts';
import { type Changes, call, type ProbeCall, varied } from '../call.ts';
import { CUSTOMER, familyCalls, REAL_CUSTOMER, TOKEN } from './shared.ts';

const KEY = 'micro_health';

const quoteOf = (what: string, users: number, subscription_type: string) =>
  call('getMicroHealthQuote', what, {}, ({ products }) => ({
    no_of_users: users,
    subscription_type,
    product_id: products[KEY],
  }));

/** The price of a quote as a number, also where a server writes it as a text. */
export const priceIn = (quote: Answer): number => Number(quote.get('data.quote_price'));

/** One beneficiary: two users. */
export const quote = quoteOf('as specified', 2, 'monthly');
export const quoteOne = quoteOf('for one user', 1, 'monthly');
const quoteAnnual = quoteOf('for three users a year', 3, 'annually');

const initiate = call(
  'initiateMicroHealthSubscription',
  'as specified',
  { needs: [quote, quoteOne] },
  (setup, quoted) => ({
    first_name: CUSTOMER.firstName,
    surname: CUSTOMER.surname,
    email: CUSTOMER.email(setup),
    phone_no: CUSTOMER.phone,
    date_of_birth: CUSTOMER.born,
    product_id: setup.products[KEY],
    subscription_type: 'monthly',
    amount: priceIn(quoted),
    nin_number: CUSTOMER.identityNumber,
    first_beneficiary_full_name: 'Bola Sandbox Check',
    id_url: CUSTOMER.file,
    profile_url: CUSTOMER.file,
  }),
);

const initiateAlone = varied(
  initiate,
  'without beneficiaries',
  (_, _quoted, quotedOne: Answer) => ({
    first_beneficiary_full_name: undefined,
    amount: priceIn(quotedOne),
  }),
);
const verifyAlone = call(
  'verifyMicroHealthSubscription',
  'twice at once',
  { needs: [initiateAlone], refusal: 'token_used' },
  (_, initiated) => ({ token: initiated.get(TOKEN) }),
);
/** Two verifies at the same time of a purchase without beneficiaries. */
export const atOnce: readonly ProbeCall[] = [
  { ...verifyAlone, together: verifyAlone },
  verifyAlone,
];

/** A purchase and what follows from it. The second one is paid for a year, with a gap between its beneficiaries. */
export const microHealth = familyCalls({
  key: KEY,
  sampleProduct: 1,
  quote,
  initiate,
  secondNeeds: [quoteAnnual],
  secondPurchase: (setup, _quote, _quoteOne, annual) => ({
    first_name: REAL_CUSTOMER.firstName,
    surname: REAL_CUSTOMER.surname,
    email: REAL_CUSTOMER.email(setup),
    subscription_type: 'annually',
    amount: priceIn(annual),
    first_beneficiary_full_name: ' ',
    second_beneficiary_full_name: "Ngọzi O'Brien & Co",
    third_beneficiary_full_name: ' Efe Ade ',
  }),
  beforeList: atOnce,
  number: 'data.policy_no',
  lookupInput: (policy_no) => ({ policy_no }),
  renewal: (verify) =>
    call(
      'topUpMicroHealthSubscription',
      'as specified',
      { needs: [quote, verify] },
      (_, quoted, bought) => ({
        subscription_type: 'monthly',
        amount: priceIn(quoted),
        policy_no: bought.get('data.policy_no'),
      }),
    ),
});

/** The first renewal. */
export const topUp = microHealth.renewed as ProbeCall;

/** A renewal with other fields, after what shows the policy as it was. */
export const renewal = (what: string, changes: Changes) =>
  varied(topUp, what, changes, {
    after: [microHealth.list, microHealth.lastPage, microHealth.lookup],
    refusal: 'invalid',
  });

/** Numbers as texts, in one quote. */
export const numbersAsText = varied(quote, '', ({ products }) => ({
  no_of_users: '2',
  product_id: String(products[KEY]),
}));
/** Forms that several assumptions allow, in one purchase. */
export const anyForm = varied(initiate, '', { profile_url: 'no URL', nin_number: 99_999_999_999 });
