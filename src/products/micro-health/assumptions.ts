import type { Assumption } from '../../world/assumptions.ts';

/** What the contract leaves open about micro-health, and what the sandbox does (`docs/decisions.md`). */
export const ASSUMPTIONS = {
  'micro-health-required': {
    question: 'Required-ness.',
    decision:
      'Required: first_name, surname, email, phone_no, date_of_birth, product_id, subscription_type, amount, nin_number, id_url (*evidence* for most). Optional: the three beneficiary names and profile_url. quote: all three fields; top_up: all three fields.',
    basis: 'evidence',
  },
  'frequency-words': {
    question: '`annually` here, `yearly` elsewhere (*evidence*).',
    decision:
      'Micro-health accepts monthly, quarterly, annually, and `yearly` as a synonym answered as `annually`.',
    basis: 'evidence',
  },
  'nin-number': {
    question: '"numeric identity number".',
    decision: '11 digits, number or string (*evidence*).',
    basis: 'evidence',
  },
  'users-count': {
    question: 'Number of users of a purchase.',
    decision:
      "1 + the number of non-blank beneficiary names; at most 1 + the product's max_beneficiaries. Blank names are ignored, a gap between names is allowed.",
    basis: 'judgement',
  },
  'price-config': {
    question: 'Prices not shown.',
    decision:
      'Fixtures hold a price per product, number of users and frequency. Each added user costs strictly less than the one before (*evidence*). Both micro-health products allow 3 beneficiaries. Product 1, 2 users, monthly is 700; product 3, 4 users, monthly is 700 (*evidence*: documented samples work as written).',
    basis: 'evidence',
  },
  'amount-check': {
    question: 'Is `amount` compared with the price?',
    decision:
      'Yes, at initiate and top_up: 422 naming the expected amount. A simulator option `amountCheck: "ignore"` turns it off.',
    basis: 'judgement',
  },
  recurring: {
    question: 'Meaning.',
    decision: 'true for monthly and quarterly, false for annually (*evidence*).',
    basis: 'evidence',
  },
  'subscription-dates': {
    question: 'Dates of a new subscription.',
    decision:
      "start_date, active_date, created_at = moment of verify; end_date = start_date + 1, 3 or 12 calendar months, day clamped to the month's end. All UTC.",
    basis: 'judgement',
  },
  'subscriptions-no': {
    question: 'Meaning.',
    decision: 'Number of periods paid: 1 at verify, +1 at each top_up.',
    basis: 'judgement',
  },
  'policy-no': {
    question: 'Format.',
    decision:
      "10 digits (*evidence*), unique within the World; drawn from the World's chance, which starts from the seed and the merchant's id, so that merchants' numbers differ. The same holds for motor and group-life numbers and for tokens.",
    basis: 'evidence',
  },
  'top-up-frequency': {
    question: 'May renewal change the frequency?',
    decision: 'No: subscription_type must be the one chosen at subscription, else 422.',
    basis: 'judgement',
  },
  'top-up-dates': {
    question: 'Outcome of renewal.',
    decision:
      'end_date = anchor + all periods paid since the anchor, in calendar months, day clamped (start 31 Jan 10:00: 28 Feb 10:00, 31 Mar 10:00). The anchor is active_date. Renewed before the end: active_date stays. Renewed at or after end_date (a lapse): active_date becomes now and the periods count anew. start_date never changes; updated_at is now. Compared with the stored whole second. Every renewal adds a transaction.',
    basis: 'judgement',
  },
  commissions: {
    question: 'Rates.',
    decision:
      'Fixtures hold rates per product; amounts are computed in whole kobo, each rounded half up; total_commission is the sum of the two.',
    basis: 'judgement',
  },
  'no-expiry-transition': {
    question: 'Deactivation of lapsed policies.',
    decision:
      'None: `enable` stays 1. validate_policy still answers the subscription, its end_date tells.',
    basis: 'judgement',
  },
  'subscriptions-key': {
    question: "The list element's `subscriptions`: object or array?",
    decision: 'An object: the one subscription.',
    basis: 'judgement',
  },
} as const satisfies Record<string, Assumption>;

declare module '../../world/assumptions.ts' {
  interface AssumptionIds extends Record<keyof typeof ASSUMPTIONS, Assumption> {}
}
