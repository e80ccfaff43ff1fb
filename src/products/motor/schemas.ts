import { z } from '@hono/zod-openapi';
import { listMeta } from '../../api/pagination.ts';
import { countAsSent, MAX_AMOUNT } from '../../api/request-fields.ts';
import {
  boughtProductId,
  day,
  issuedId,
  timestamp,
  writtenFields,
} from '../../api/response-fields.ts';
import { assumed, exampleOf, namedResponse, withExample } from '../named-schemas.ts';
import { tokenField } from '../policy.ts';
import { EXAMPLE_POLICY, EXAMPLE_VERIFIED_POLICY } from './examples.ts';
import { EXAMPLE_POLICY_NUMBER, EXAMPLE_TOKEN, imageFields } from './requests.ts';

// On the wire the chassis is spelled `chasis_no`.

const quoted = (description: string, example: number) =>
  z.number().meta({
    description,
    'x-provider': true,
    examples: [example],
    'x-assumptions': ['motor-quote'],
    'x-documented': ['currency'],
  });

export const MotorQuote = namedResponse(
  'MotorQuote',
  { description: 'The price of a motor policy.' },
  {
    premium: quoted('The premium in naira, two decimals at most.', 250_000),
    amount_insured: quoted('The value of the vehicle, naira.', 5_000_000),
  },
  { premium: 250_000, amount_insured: 5_000_000 },
);

/* The fields of a policy, in pieces: each place that answers one leaves some out. */

const identityFields = {
  slug: z.string().meta({
    description: 'comprehensive-motor- and the policy number in lower case.',
    examples: [EXAMPLE_POLICY.slug],
    'x-assumptions': ['motor-slug'],
  }),
  product_id: boughtProductId(),
};

const merchant = issuedId('merchant', { description: 'The merchant.' });

const coverFields = {
  frequency_type: z
    .enum(['monthly', 'quarterly', 'yearly'])
    .meta(assumed('How often the premium is paid.', 'motor-frequency')),
  vehicle_value: z.number().meta({
    description: 'The sum insured, naira.',
    examples: [5_000_000],
    'x-assumptions': ['motor-vehicle-value'],
    'x-documented': ['currency'],
  }),
  insurance_cover: z
    .string()
    .meta(withExample('The type of cover, for example the name of a tier.', 'bronze')),
  duration: countAsSent({
    description:
      'How many periods of the payment frequency the cover lasts, as it was sent: a whole number, or a text of its digits.',
    examples: [1],
    'x-assumptions': ['motor-duration'],
  }),
  vehicle_type: z.string().describe('The type of vehicle.'),
};

const dayFields = {
  start_date: day(assumed('The first day of cover.', 'motor-dates')),
  end_date: day(
    assumed('The day the cover ends: that many periods after the first.', 'motor-dates'),
  ),
};

const policyNumber = z.string().meta({
  description: 'INS and 13 digits.',
  examples: [EXAMPLE_POLICY_NUMBER],
  'x-assumptions': ['motor-policy-number'],
  'x-issued': { as: 'policy_number', form: /^INS\d{13}$/, says: 'INS and 13 digits' },
  'x-key': true,
});

const vehicleFields = {
  registration_no: z.string().describe('The number plate.'),
  vehicle_make: z.string().meta(assumed('The make.', 'motor-make-model')),
  vehicle_model: z.string().meta(assumed('The model.', 'motor-make-model')),
  year_make: z
    .string()
    .regex(/^\d{4}$/)
    .meta(withExample('The year it was made in, four digits.', '2015', 'motor-year-make')),
  vehicle_color: z.string().describe('The colour.'),
  chasis_no: z.string().describe('The chassis number.'),
  engine_no: z.string().describe('The engine number.'),
  ...imageFields((meta) => z.string().meta(meta)),
  policy_number: policyNumber,
  contact_person_name: z.string().describe('Whom to ask about the vehicle.'),
  contact_person_address: z.string().describe('Address of the contact person.'),
  contact_person_phone_no: z.string().describe('Phone number of the contact person, 11 digits.'),
  inspection_date: day({ description: 'The day of the inspection.' }),
};

const recordedFields = <S extends z.ZodType>(status: S) => ({
  id: issuedId('motor policy'),
  user_id: issuedId('user', { description: 'The customer.' }),
  status: status.describe('True: no other is named.'),
  ...writtenFields,
  created_at: writtenFields.created_at.meta({
    'x-assumptions': ['motor-dates', 'timestamp-precision'],
  }),
});

/** What a pending purchase and its policy have in common: all but the merchant and what verify adds. */
export const purchaseFields = {
  ...identityFields,
  ...coverFields,
  ...dayFields,
  ...vehicleFields,
};

const { slug, product_id, ...furtherFields } = purchaseFields;
const policyFields = { slug, product_id, merchant_user_id: merchant, ...furtherFields };

/** A policy as details answers it. */
export const MotorPolicy = namedResponse(
  'MotorPolicy',
  { description: 'A comprehensive motor policy.' },
  policyFields,
  EXAMPLE_POLICY,
);
export type MotorPolicy = z.output<typeof MotorPolicy>;

/** A purchase as initiate answers it: the policy to come, and the token that completes it. */
export const MotorInitiatedPolicy = namedResponse(
  'MotorInitiatedPolicy',
  { description: 'A policy that waits to be verified, with its token.' },
  {
    ...policyFields,
    token: tokenField(
      EXAMPLE_TOKEN,
      { form: /^CMP\d{18}$/, says: 'CMP and 18 digits' },
      'motor-initiate-token',
      'token-format',
    ),
  },
  { ...EXAMPLE_POLICY, token: EXAMPLE_TOKEN },
);
export type MotorInitiatedPolicy = z.output<typeof MotorInitiatedPolicy>;

/** A policy as verify answers it. */
export const MotorVerifiedPolicy = namedResponse(
  'MotorVerifiedPolicy',
  { description: 'A policy just bought.' },
  {
    ...identityFields,
    merchant_id: merchant,
    ...coverFields,
    start_date: timestamp(assumed('Midnight UTC of the first day of cover.', 'motor-dates')),
    end_date: timestamp(assumed('Midnight UTC of the day the cover ends.', 'motor-dates')),
    ...vehicleFields,
    ...recordedFields(z.boolean()),
  },
  EXAMPLE_VERIFIED_POLICY,
);
export type MotorVerifiedPolicy = z.output<typeof MotorVerifiedPolicy>;

/** A policy as the list answers it. */
export const MotorListedPolicy = namedResponse(
  'MotorListedPolicy',
  { description: 'A listed motor policy.' },
  {
    slug,
    frequency_type: coverFields.frequency_type,
    duration: coverFields.duration,
    vehicle_type: coverFields.vehicle_type,
    ...dayFields,
    vehicle_value: coverFields.vehicle_value,
    insurance_cover: coverFields.insurance_cover,
    status: z.string().meta(withExample('activated: no other is named.', 'activated')),
    policy_number: policyNumber,
  },
  { ...EXAMPLE_POLICY, status: 'activated' },
);
export type MotorListedPolicy = z.output<typeof MotorListedPolicy>;

export const MotorPolicyList = z
  .array(MotorListedPolicy)
  .openapi('MotorPolicyList')
  .meta({
    ...listMeta('The policies of the merchant'),
    examples: [[exampleOf(MotorListedPolicy)]],
    'x-assumptions': ['motor-list', 'list-order'],
  });

/** A policy as a World keeps it: as details answers it, and what verify added. */
export const MotorPolicyRecord = z
  .strictObject({
    ...policyFields,
    vehicle_value: coverFields.vehicle_value.gt(0).lte(MAX_AMOUNT),
    ...recordedFields(z.literal(true)),
  })
  .openapi('MotorPolicyRecord');
export type MotorPolicyRecord = z.output<typeof MotorPolicyRecord>;
