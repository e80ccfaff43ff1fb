/* What the contract leaves open about group life, and what is assumed (`docs/decisions.md`). */

import type { Assumption } from '../../world/assumptions.ts';
import { grouped } from '../../world/grouped.ts';
import { PHONE_LENGTH } from '../../world/limits.ts';
import { MAX_MEMBERS } from './members.ts';

export const ASSUMPTIONS = {
  'group-life-initiate-body': {
    question: 'Which fields does initiate take?',
    decision: `Required: email, first_name, surname, phone_no (${PHONE_LENGTH} digits), gender, dob (YYYY-MM-DD), product_id, group_name, group_type, group_contact_address, first_person_name, first_person_phone (${PHONE_LENGTH} digits), second_person_name, members. Optional: second_person_phone (${PHONE_LENGTH} digits), status (ignored), start_date (YYYY-MM-DD; default the day of verify, so that no cover begins before its policy exists) (*evidence*, except for start_date).`,
    basis: 'evidence',
  },
  'group-life-members': {
    question: 'What does a member look like?',
    decision: `members is an array, or a JSON string of one, of 1 to ${grouped(MAX_MEMBERS)} objects with full_name, gender, occupation, date_of_birth (YYYY-MM-DD), next_of_kiln (\`next_of_kin\` is accepted too) and phone_number. All are required. A problem names its place, counted from 0: \`members.3.gender\`.`,
    basis: 'judgement',
  },
  'group-life-verify-body': {
    question: 'Which fields does verify take?',
    decision: '`token` (*evidence*).',
    basis: 'evidence',
  },
  'group-life-verify-response': {
    question: 'What does verify return?',
    decision:
      'The same policy as details, with the message `Group life policy verified successfully` and code 200.',
    basis: 'judgement',
  },
  'group-life-details-field': {
    question: 'Which field names the policy in details?',
    decision:
      '`policy_number` (*evidence*). The motor spellings work too. If all are missing, the response is 422 and names `policy_number`.',
    basis: 'evidence',
  },
  'group-life-policy-number': {
    question: 'What does a policy number look like?',
    decision: '`IN` and 8 digits, unique within the World (*evidence*).',
    basis: 'evidence',
  },
  'group-life-dates': {
    question: 'What are start_date and end_date?',
    decision: 'Timestamps at midnight UTC. end_date is one year after start_date.',
    basis: 'judgement',
  },
  'group-life-items': {
    question: 'What does a list item contain?',
    decision:
      'The same as details, with product and group_life_members. Only its user has fewer fields.',
    basis: 'judgement',
  },
  'group-life-user': {
    question: 'What is the `policy_no` of a group-life user?',
    decision:
      'A number of its own with 10 digits, like a micro-health policy_no, assigned at verify. The specification says only that it is not null.',
    basis: 'judgement',
  },
} as const satisfies Record<string, Assumption>;

declare module '../../world/assumptions.ts' {
  interface AssumptionIds extends Record<keyof typeof ASSUMPTIONS, Assumption> {}
}
