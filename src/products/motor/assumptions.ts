/* What the contract leaves open about motor, and what is assumed (`docs/decisions.md`). */

import type { Assumption } from '../../world/assumptions.ts';

export const ASSUMPTIONS = {
  'motor-initiate-token': {
    question: 'Does initiate return a token?',
    decision:
      'Yes: the listed policy fields and `token`. The specification lists the response without a token, though its text says that initiate returns one.',
    basis: 'judgement',
  },
  'motor-quote': {
    question: 'How is the premium computed?',
    decision:
      'premium = rate of the product × vehicle_value, rounded to 2 places. amount_insured = vehicle_value. The rate is in the fixtures (5 %).',
    basis: 'judgement',
  },
  'motor-make-model': {
    question: 'Are vehicle_make and vehicle_model numbers or names?',
    decision: 'Strings and numbers are accepted. Responses have a string.',
    basis: 'judgement',
  },
  'motor-year-make': {
    question: 'What is a valid year_make?',
    decision:
      'Four digits from 1900 to the next calendar year, as a string or a number. Responses have a string.',
    basis: 'judgement',
  },
  'motor-vehicle-value': {
    question: 'Which request field is vehicle_value?',
    decision:
      'vehicle_value = sum_insured. tracker_value and diagnostic_cost are accepted and not returned.',
    basis: 'judgement',
  },
  'motor-frequency': {
    question: 'Which payment frequencies are accepted?',
    decision:
      'monthly, quarterly and yearly. `annually` is a synonym that is returned as `yearly`.',
    basis: 'judgement',
  },
  'motor-duration': {
    question: 'What is the unit of `duration`?',
    decision:
      'The number of payment periods, 1 or more. It is returned as it was sent (a number or a numeric string).',
    basis: 'judgement',
  },
  'motor-dates': {
    question: 'When does the cover end?',
    decision:
      "end_date = start_date plus duration periods, on the same day, clamped to the month's end (*evidence*). Dates are YYYY-MM-DD in initiate, list and details, and a midnight-UTC timestamp in verify (specified). created_at is the moment of verify.",
    basis: 'evidence',
  },
  'motor-sample-fields': {
    question: 'What happens to the 14 fields that only the sample has?',
    decision: 'They are optional and ignored (*evidence*).',
    basis: 'evidence',
  },
  'motor-images': {
    question: 'What is a valid "service URL"?',
    decision: 'An absolute http(s) URL.',
    basis: 'judgement',
  },
  'motor-gender': {
    question: 'Must gender be in lower case?',
    decision: 'No. Any case is accepted.',
    basis: 'judgement',
  },
  'motor-policy-number': {
    question: 'What does a policy number look like, and when does it exist?',
    decision:
      '`INS` and 13 digits (*evidence*). It is assigned at initiate and kept at verify. An unverified policy is in no list and has no details.',
    basis: 'evidence',
  },
  'motor-slug': {
    question: 'What does the slug look like?',
    decision: '`comprehensive-motor-` and the policy number in lower case.',
    basis: 'judgement',
  },
  'motor-details-field': {
    question: 'Is the field Policy_number or policyNumber?',
    decision:
      'Both, and policy_number. The first of these that is present is used. If all are missing, the response is 422 and names `Policy_number`.',
    basis: 'judgement',
  },
  'motor-list': {
    question: 'Is the list paginated?',
    decision: 'No. It is a plain array (specified), oldest first.',
    basis: 'judgement',
  },
} as const satisfies Record<string, Assumption>;

declare module '../../world/assumptions.ts' {
  interface AssumptionIds extends Record<keyof typeof ASSUMPTIONS, Assumption> {}
}
