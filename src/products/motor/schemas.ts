import * as z from 'zod/mini';
import { component, describe, type Infer } from '../../core/schema.ts';
import { day, id, timestamp } from '../../http/record-fields.ts';
import { countAsSent, year } from '../../http/request-fields.ts';
import { tokenField } from '../purchase-token.ts';
import {
  EXAMPLE_LISTED_POLICY,
  EXAMPLE_POLICY,
  EXAMPLE_POLICY_NUMBER,
  EXAMPLE_TOKEN,
  EXAMPLE_VERIFIED_POLICY,
} from './examples.ts';
import { imageFields } from './images.ts';

// On the wire the chassis is spelled `chasis_no`.

export const Quote = component(
  'MotorQuote',
  () =>
    z.strictObject({
      premium: describe(z.number(), {
        description: 'The premium in naira, two decimals at most.',
        examples: [250_000],
        'x-assumptions': ['motor-quote'],
      }),
      amount_insured: describe(z.number(), {
        description: 'The value of the vehicle, naira.',
        examples: [5_000_000],
        'x-assumptions': ['motor-quote'],
      }),
    }),
  {
    description: 'The price of a motor policy.',
    examples: [{ premium: 250_000, amount_insured: 5_000_000 }],
  },
);

/* The fields of a policy, in pieces: each place that answers one leaves some out. */

const identityFields = () => ({
  slug: describe(z.string(), {
    description: 'comprehensive-motor- and the policy number in lower case.',
    examples: [EXAMPLE_POLICY.slug],
    'x-assumptions': ['motor-slug'],
  }),
  product_id: id(),
});

const merchant = () => id({ description: 'The merchant.' });

const coverFields = () => ({
  frequency_type: describe(z.enum(['monthly', 'quarterly', 'yearly']), {
    'x-assumptions': ['motor-frequency'],
  }),
  vehicle_value: describe(z.number(), {
    description: 'The sum insured, naira.',
    examples: [5_000_000],
    'x-assumptions': ['motor-vehicle-value'],
  }),
  insurance_cover: describe(z.string(), {
    description: 'The cover tier.',
    examples: ['bronze'],
  }),
  duration: countAsSent({
    description: 'How many periods of the payment frequency the cover lasts, as it was sent.',
    examples: [1],
    'x-assumptions': ['motor-duration'],
  }),
  vehicle_type: z.string(),
});

const dayFields = () => ({
  start_date: day({ description: 'The first day of cover.' }),
  end_date: day({
    description: 'The day the cover ends: that many periods after the first.',
    'x-assumptions': ['motor-dates'],
  }),
});

const vehicleFields = () => ({
  registration_no: z.string(),
  vehicle_make: describe(z.string(), { 'x-assumptions': ['motor-make-model'] }),
  vehicle_model: describe(z.string(), { 'x-assumptions': ['motor-make-model'] }),
  year_make: year({ description: 'The year it was made in, four digits.', examples: ['2015'] }),
  vehicle_color: z.string(),
  chasis_no: describe(z.string(), { description: 'The chassis number.' }),
  engine_no: z.string(),
  ...imageFields((meta) => describe(z.string(), meta)),
  policy_number: policyNumber(),
  contact_person_name: z.string(),
  contact_person_address: z.string(),
  contact_person_phone_no: z.string(),
  inspection_date: day({ description: 'When the vehicle can be inspected.' }),
});

const policyNumber = () =>
  describe(z.string(), {
    description: 'INS and 13 digits.',
    examples: [EXAMPLE_POLICY_NUMBER],
    'x-assumptions': ['motor-policy-number'],
  });

const recordedFields = <S extends z.core.$ZodType>(status: S) => ({
  id: id(),
  user_id: id({ description: 'The customer.' }),
  status: describe(status, { description: 'Whether the policy is active: true once verified.' }),
  created_at: timestamp({ 'x-assumptions': ['motor-dates', 'timestamp-precision'] }),
  updated_at: timestamp(),
});

const policyFields = () => ({
  ...identityFields(),
  merchant_user_id: merchant(),
  ...coverFields(),
  ...dayFields(),
  ...vehicleFields(),
});

/** What a pending purchase and its policy have in common: all but the merchant and what verify adds. */
export const purchaseFields = () => ({
  ...identityFields(),
  ...coverFields(),
  ...dayFields(),
  ...vehicleFields(),
});

/** A policy as details answers it. */
export const MotorPolicy = component('MotorPolicy', () => z.strictObject(policyFields()), {
  description: 'A comprehensive motor policy.',
  examples: [EXAMPLE_POLICY],
});
export type MotorPolicy = Infer<typeof MotorPolicy>;

/** A purchase as initiate answers it: the policy to come, and the token that completes it. */
export const InitiatedMotorPolicy = component(
  'MotorInitiatedPolicy',
  () =>
    z.strictObject({
      ...policyFields(),
      token: tokenField(EXAMPLE_TOKEN, 'motor-initiate-token', 'token-format'),
    }),
  {
    description: 'A policy that waits to be verified, with its token.',
    examples: [{ ...EXAMPLE_POLICY, token: EXAMPLE_TOKEN }],
  },
);
export type InitiatedMotorPolicy = Infer<typeof InitiatedMotorPolicy>;

const midnightOf = (description: string) =>
  timestamp({ description, 'x-assumptions': ['motor-dates'] });

/** A policy as verify answers it. */
export const VerifiedMotorPolicy = component(
  'MotorVerifiedPolicy',
  () =>
    z.strictObject({
      ...identityFields(),
      merchant_id: merchant(),
      ...coverFields(),
      start_date: midnightOf('Midnight UTC of the first day of cover.'),
      end_date: midnightOf('Midnight UTC of the day the cover ends.'),
      ...vehicleFields(),
      ...recordedFields(z.boolean()),
    }),
  { description: 'A policy just bought.', examples: [EXAMPLE_VERIFIED_POLICY] },
);
export type VerifiedMotorPolicy = Infer<typeof VerifiedMotorPolicy>;

/** A policy as the list answers it. */
export const ListedMotorPolicy = component(
  'MotorListedPolicy',
  () => {
    const { slug } = identityFields();
    const cover = coverFields();
    return z.strictObject({
      slug,
      frequency_type: cover.frequency_type,
      duration: cover.duration,
      vehicle_type: cover.vehicle_type,
      ...dayFields(),
      vehicle_value: cover.vehicle_value,
      insurance_cover: cover.insurance_cover,
      status: describe(z.string(), {
        description: 'activated for every verified policy.',
        examples: ['activated'],
      }),
      policy_number: policyNumber(),
    });
  },
  { description: 'A listed motor policy.', examples: [EXAMPLE_LISTED_POLICY] },
);
export type ListedMotorPolicy = Infer<typeof ListedMotorPolicy>;

export const MotorPolicyList = component('MotorPolicyList', () => z.array(ListedMotorPolicy()), {
  description: 'The policies of the merchant.',
  examples: [[EXAMPLE_LISTED_POLICY]],
  'x-assumptions': ['motor-list', 'list-order'],
});

/** A policy as a World keeps it: as details answers it, and what verify added. */
export const MotorPolicyRecord = component('MotorPolicyRecord', () =>
  z.strictObject({ ...policyFields(), ...recordedFields(z.literal(true)) }),
);
export type MotorPolicyRecord = Infer<typeof MotorPolicyRecord>;
