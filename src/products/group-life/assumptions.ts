import type { Assumption } from '../../world/assumptions.ts';

/** What the contract leaves open about group-life, and what the sandbox does (`docs/decisions.md`). */
export const ASSUMPTIONS = {
  'group-life-initiate-body': {
    question: 'Not shown.',
    decision:
      'Required: email, first_name, surname, phone_no (11 digits), gender, dob (Y-m-d), product_id, group_name, group_type, group_contact_address, first_person_name, first_person_phone (11 digits), second_person_name, members. Optional: second_person_phone (11 digits), status (ignored), start_date (Y-m-d; default the day of verify, so that no cover begins before its policy exists) (*evidence*, start_date aside).',
    basis: 'evidence',
  },
  'group-life-members': {
    question: 'Shape of a member.',
    decision:
      'An array, or a JSON string of one, of 1 to 5,000 objects: full_name, gender, occupation, date_of_birth (Y-m-d), next_of_kiln (`next_of_kin` accepted), phone_number. All required. A problem names its place, counted from 0: `members.3.gender`.',
    basis: 'judgement',
  },
  'group-life-verify-body': {
    question: 'Not shown.',
    decision: '`token` (*evidence*).',
    basis: 'evidence',
  },
  'group-life-verify-response': {
    question: 'Not shown.',
    decision:
      'The same policy as details, message `Group life policy verified successfully`, code 200.',
    basis: 'judgement',
  },
  'group-life-details-field': {
    question: 'Not shown.',
    decision:
      '`policy_number` (*evidence*); the motor spellings work too. Missing: 422 naming `policy_number`.',
    basis: 'evidence',
  },
  'group-life-policy-number': {
    question: 'Format.',
    decision: '`IN` + 8 digits, unique within the World (*evidence*).',
    basis: 'evidence',
  },
  'group-life-dates': {
    question: 'start_date, end_date.',
    decision: 'Timestamps at midnight UTC; end_date one year after start_date.',
    basis: 'judgement',
  },
  'group-life-items': {
    question: 'What a list item holds.',
    decision: 'As details, with product and group_life_members; only its user is the shorter one.',
    basis: 'judgement',
  },
  'group-life-user': {
    question: "A group-life user's policy_no: not nullable, its value not shown.",
    decision: '10 digits of its own, as a micro-health policy_no, drawn at verify.',
    basis: 'judgement',
  },
} as const satisfies Record<string, Assumption>;

declare module '../../world/assumptions.ts' {
  interface AssumptionIds extends Record<keyof typeof ASSUMPTIONS, Assumption> {}
}
