import type { Assumption } from '../../world/assumptions.ts';

/** What the contract leaves open about motor, and what the sandbox does (`docs/decisions.md`). */
export const ASSUMPTIONS = {
  'motor-initiate-token': {
    question:
      'The motor initiate response is listed without a token, though the text says initiate returns one.',
    decision: 'The listed policy fields and `token`.',
    basis: 'judgement',
  },
  'motor-quote': {
    question: 'Premium formula.',
    decision:
      'premium = rate of the product × vehicle_value, rounded to 2 places; amount_insured = vehicle_value. The rate is in the fixtures (5 %).',
    basis: 'judgement',
  },
  'motor-make-model': {
    question: '"numeric" in the table, names in samples.',
    decision: 'String or number accepted, answered as string.',
    basis: 'judgement',
  },
  'motor-year-make': {
    question: '"year, format Y"; answered as a string of a year.',
    decision:
      'Four digits from 1900 to the next calendar year, as string or number, answered as string.',
    basis: 'judgement',
  },
  'motor-vehicle-value': {
    question: 'Which request field it is.',
    decision:
      'vehicle_value = sum_insured. tracker_value and diagnostic_cost are accepted and not answered.',
    basis: 'judgement',
  },
  'motor-frequency': {
    question: 'Values.',
    decision: 'monthly, quarterly, yearly; `annually` is a synonym answered as `yearly`.',
    basis: 'judgement',
  },
  'motor-duration': {
    question: 'Unit.',
    decision:
      'Number of frequency periods, 1 or more; answered as it was sent (number or numeric string).',
    basis: 'judgement',
  },
  'motor-dates': {
    question: 'end_date.',
    decision:
      "start_date + duration periods, same day, clamped to the month's end (*evidence*). Y-m-d in initiate, list and details; midnight-UTC timestamp in verify (specified). created_at is the moment of verify.",
    basis: 'evidence',
  },
  'motor-sample-fields': {
    question: 'The 14 sample-only fields.',
    decision: 'Optional and ignored (*evidence*).',
    basis: 'evidence',
  },
  'motor-images': {
    question: '"service URL" fields.',
    decision: 'Absolute http(s) URLs.',
    basis: 'judgement',
  },
  'motor-gender': {
    question: 'Case.',
    decision: 'Any case accepted.',
    basis: 'judgement',
  },
  'motor-policy-number': {
    question: 'Format, and when it exists.',
    decision:
      '`INS` + 13 digits (*evidence*), given at initiate and kept at verify. An unverified policy is in no list and has no details.',
    basis: 'evidence',
  },
  'motor-slug': {
    question: 'Format.',
    decision: '`comprehensive-motor-` + the policy number in lower case.',
    basis: 'judgement',
  },
  'motor-details-field': {
    question: 'Policy_number, policyNumber.',
    decision:
      'Both, and policy_number; the first of these that is present wins. Missing: 422 naming `Policy_number`.',
    basis: 'judgement',
  },
  'motor-list': {
    question: 'Not paginated.',
    decision: 'A plain array (specified), oldest first.',
    basis: 'judgement',
  },
} as const satisfies Record<string, Assumption>;

declare module '../../world/assumptions.ts' {
  interface AssumptionIds extends Record<keyof typeof ASSUMPTIONS, Assumption> {}
}
