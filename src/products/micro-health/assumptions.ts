/* What the contract leaves open about micro-health, and what is assumed (`docs/decisions.md`). */

import type { Assumption } from '../../world/assumptions.ts';
import { IDENTITY_LENGTH } from '../../world/limits.ts';

export const ASSUMPTIONS = {
  'micro-health-required': {
    question: 'Which fields are required?',
    decision:
      'Required in initiate: first_name, surname, email, phone_no, date_of_birth, product_id, subscription_type, amount, nin_number, id_url (*evidence* for most). Optional: the three beneficiary names and profile_url. In quote and top_up all three fields are required.',
    basis: 'evidence',
  },
  'frequency-words': {
    question: 'Is a yearly payment called `annually` or `yearly`?',
    decision:
      'Micro-health accepts monthly, quarterly, annually, and `yearly` as a synonym that is returned as `annually`. The specification uses both words (*evidence*).',
    basis: 'evidence',
  },
  'nin-number': {
    question: 'What is a valid nin_number?',
    decision: `${IDENTITY_LENGTH} digits, as a number or a string (*evidence*).`,
    basis: 'evidence',
  },
  'id-url': {
    question: 'Is id_url required?',
    decision: 'Yes. The specification does not say.',
    basis: 'judgement',
  },
  'users-count': {
    question: 'How many users does a purchase have?',
    decision:
      "1 plus the number of non-blank beneficiary names, and at most 1 plus the product's max_beneficiaries. Blank names are ignored. A gap between names is allowed.",
    basis: 'judgement',
  },
  'price-config': {
    question: 'What are the prices?',
    decision:
      'Fixtures have a price for each product, number of users and frequency. Each added user costs strictly less than the one before (*evidence*). Both micro-health products allow 3 beneficiaries. Product 1 costs 700 monthly for 2 users, and product 3 costs 700 monthly for 4 users (*evidence*: the documented samples work as written).',
    basis: 'evidence',
  },
  'amount-check': {
    question: 'Is `amount` compared with the premium?',
    decision:
      'Yes, at initiate and top_up: any other amount is 422, and the message names the expected one. The option `amountCheck: "ignore"` turns this off.',
    basis: 'judgement',
  },
  recurring: {
    question: 'What does `recurring` mean?',
    decision:
      'It is true for monthly and quarterly payments and false for annual ones (*evidence*).',
    basis: 'evidence',
  },
  'subscription-dates': {
    question: 'Which dates does a new subscription have?',
    decision:
      'start_date, active_date and created_at are the moment of verify. end_date is start_date plus 1, 3 or 12 calendar months; a day that the month lacks becomes its last day. All are in UTC.',
    basis: 'judgement',
  },
  'subscriptions-no': {
    question: 'What does `subscriptions_no` count?',
    decision: 'The periods paid: 1 at verify, and one more with each top_up.',
    basis: 'judgement',
  },
  'policy-no': {
    question: 'What does a policy_no look like?',
    decision:
      "10 digits (*evidence*), unique within the World. It is drawn from the random state of the World, which starts from the seed and the merchant's id, so that merchants have different numbers. The same applies to motor and group-life numbers and to tokens.",
    basis: 'evidence',
  },
  'top-up-frequency': {
    question: 'Can a renewal change the payment frequency?',
    decision: 'No. subscription_type must be the one chosen at purchase, else 422.',
    basis: 'judgement',
  },
  'top-up-anchor': {
    question: 'What are the months of a renewal added to?',
    decision:
      'All months paid are added to the anchor, so that a month clamped to its last day does not shorten later ones.',
    basis: 'judgement',
  },
  'top-up-dates': {
    question: 'Which dates does a renewed subscription have?',
    decision:
      "end_date is the anchor plus all periods paid since the anchor, in calendar months, with the day clamped to the month's end (start 31 Jan 10:00: 28 Feb 10:00, 31 Mar 10:00). The anchor is active_date. A renewal before the end keeps active_date. A renewal at or after end_date (a lapse) sets active_date to now and counts the periods from there. start_date never changes, and updated_at is now. The comparison uses the stored whole second. Every renewal adds a transaction.",
    basis: 'judgement',
  },
  commissions: {
    question: 'How are commissions computed?',
    decision:
      'Fixtures have the rates of each product. Amounts are computed in whole kobo, each rounded half up. total_commission is the sum of the two.',
    basis: 'judgement',
  },
  'no-expiry-transition': {
    question: 'Is a lapsed policy deactivated?',
    decision:
      'No. `enable` stays 1. validate_policy still returns the subscription; its end_date shows the lapse.',
    basis: 'judgement',
  },
  'subscriptions-key': {
    question: 'Is `subscriptions` in a list element an object or an array?',
    decision: 'An object: the one subscription.',
    basis: 'judgement',
  },
} as const satisfies Record<string, Assumption>;

declare module '../../world/assumptions.ts' {
  interface AssumptionIds extends Record<keyof typeof ASSUMPTIONS, Assumption> {}
}
