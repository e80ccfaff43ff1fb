import { z } from '@hono/zod-openapi';
import { listMeta } from '../../api/pagination.ts';
import { countAsSent, MAX_AMOUNT } from '../../api/request-numbers.ts';
import {
  boughtProductId,
  day,
  issuedId,
  timestamp,
  writtenFields,
} from '../../api/response-fields.ts';
import { assumed, withExample } from '../field-meta.ts';
import { tokenField } from '../purchase-token.ts';
import { EXAMPLE_LISTED_POLICY, EXAMPLE_POLICY, EXAMPLE_VERIFIED_POLICY } from './examples.ts';
import { EXAMPLE_POLICY_NUMBER, EXAMPLE_TOKEN, imageFields } from './requests.ts';

// On the wire the chassis is spelled `chasis_no`.

export const MotorQuote = z
  .strictObject({
    premium: z.number().meta({
      description: 'The premium in naira, two decimals at most.',
      'x-provider': true,
      examples: [250_000],
      'x-assumptions': ['motor-quote'],
      'x-documented': ['currency'],
    }),
    amount_insured: z.number().meta({
      description: 'The value of the vehicle, naira.',
      'x-provider': true,
      examples: [5_000_000],
      'x-assumptions': ['motor-quote'],
      'x-documented': ['currency'],
    }),
  })
  .openapi('MotorQuote')
  .meta(
    withExample('The price of a motor policy.', { premium: 250_000, amount_insured: 5_000_000 }),
  );

/* The fields of a policy, in pieces: each place that answers one leaves some out. */

const identityFields = {
  slug: z
    .string()
    .meta(
      withExample(
        'comprehensive-motor- and the policy number in lower case.',
        EXAMPLE_POLICY.slug,
        'motor-slug',
      ),
    ),
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
  duration: countAsSent(
    withExample(
      'How many periods of the payment frequency the cover lasts, as it was sent: a whole number, or a text of its digits.',
      1,
      'motor-duration',
    ),
  ),
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

const policyFields = {
  ...identityFields,
  merchant_user_id: merchant,
  ...coverFields,
  ...dayFields,
  ...vehicleFields,
};

/** What a pending purchase and its policy have in common: all but the merchant and what verify adds. */
export const purchaseFields = {
  ...identityFields,
  ...coverFields,
  ...dayFields,
  ...vehicleFields,
};

/** A policy as details answers it. */
export const MotorPolicy = z
  .strictObject(policyFields)
  .openapi('MotorPolicy')
  .meta(withExample('A comprehensive motor policy.', EXAMPLE_POLICY));
export type MotorPolicy = z.output<typeof MotorPolicy>;

/** A purchase as initiate answers it: the policy to come, and the token that completes it. */
export const MotorInitiatedPolicy = z
  .strictObject({
    ...policyFields,
    token: tokenField(
      EXAMPLE_TOKEN,
      { form: /^CMP\d{18}$/, says: 'CMP and 18 digits' },
      'motor-initiate-token',
      'token-format',
    ),
  })
  .openapi('MotorInitiatedPolicy')
  .meta(
    withExample('A policy that waits to be verified, with its token.', {
      ...EXAMPLE_POLICY,
      token: EXAMPLE_TOKEN,
    }),
  );
export type MotorInitiatedPolicy = z.output<typeof MotorInitiatedPolicy>;

const midnightOf = (description: string) =>
  timestamp({ description, 'x-assumptions': ['motor-dates'] });

/** A policy as verify answers it. */
export const MotorVerifiedPolicy = z
  .strictObject({
    ...identityFields,
    merchant_id: merchant,
    ...coverFields,
    start_date: midnightOf('Midnight UTC of the first day of cover.'),
    end_date: midnightOf('Midnight UTC of the day the cover ends.'),
    ...vehicleFields,
    ...recordedFields(z.boolean()),
  })
  .openapi('MotorVerifiedPolicy')
  .meta(withExample('A policy just bought.', EXAMPLE_VERIFIED_POLICY));
export type MotorVerifiedPolicy = z.output<typeof MotorVerifiedPolicy>;

/** A policy as the list answers it. */
export const MotorListedPolicy = (() => {
  const { slug } = identityFields;
  const cover = coverFields;
  return z.strictObject({
    slug,
    frequency_type: cover.frequency_type,
    duration: cover.duration,
    vehicle_type: cover.vehicle_type,
    ...dayFields,
    vehicle_value: cover.vehicle_value,
    insurance_cover: cover.insurance_cover,
    status: z.string().meta(withExample('activated: no other is named.', 'activated')),
    policy_number: policyNumber,
  });
})()
  .openapi('MotorListedPolicy')
  .meta(withExample('A listed motor policy.', EXAMPLE_LISTED_POLICY));
export type MotorListedPolicy = z.output<typeof MotorListedPolicy>;

export const MotorPolicyList = z
  .array(MotorListedPolicy)
  .openapi('MotorPolicyList')
  .meta({
    ...listMeta('The policies of the merchant'),
    examples: [[EXAMPLE_LISTED_POLICY]],
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
