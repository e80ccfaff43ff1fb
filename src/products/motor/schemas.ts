/* The responses of motor: what each operation shows of a policy. */

import { z } from '@hono/zod-openapi';
import { listMeta } from '../../api/pagination.ts';
import { countAsSent, MAX_AMOUNT } from '../../api/request-fields.ts';
import { boughtProductId, day, id, timestamp, writtenFields } from '../../api/response-fields.ts';
import { PHONE_LENGTH } from '../../world/limits.ts';
import { onFirstUse } from '../../world/on-first-use.ts';
import { PUBLISHED, type Settings } from '../../world/settings.ts';
import { assumed, namedResponse, withExample } from '../named-schemas.ts';
import { policyNumberField, tokenField } from '../policy.ts';
import {
  createRequests,
  EXAMPLE_POLICY_NUMBER,
  FREQUENCIES,
  imageFields,
  POLICY_NUMBERS,
  slugOf,
  TOKENS,
} from './requests.ts';

// `chasis_no` is the spelling of the wire.

const quoted = (description: string, example: number) =>
  z.number().meta({
    description,
    examples: [example],
    'x-assumptions': ['motor-quote'],
    'x-documented': ['currency'],
  });

const MotorQuote = onFirstUse(() =>
  namedResponse(
    'MotorQuote',
    { description: 'A quote for a motor policy.' },
    {
      premium: quoted('The premium, in naira with at most two decimals.', 250_000),
      amount_insured: quoted('Value of the vehicle, in naira.', 5_000_000),
    },
  ),
);

/* The fields of a policy in groups, because each response leaves some of them out. */

const identityFields = onFirstUse(() => ({
  slug: z.string().meta({
    description: '`comprehensive-motor-` followed by the policy number in lower case.',
    examples: [slugOf(EXAMPLE_POLICY_NUMBER)],
    'x-assumptions': ['motor-slug'],
  }),
  product_id: boughtProductId(),
}));

const merchant = onFirstUse(() => id({ description: 'Id of the merchant.' }));

const coverFields = onFirstUse(() => ({
  frequency_type: z
    .enum(FREQUENCIES)
    .meta(assumed('How often the premium is paid.', 'motor-frequency')),
  vehicle_value: z.number().meta({
    description: 'Sum insured, in naira.',
    examples: [5_000_000],
    'x-assumptions': ['motor-vehicle-value'],
    'x-documented': ['currency'],
  }),
  insurance_cover: z
    .string()
    .meta(withExample('Type of cover, such as the name of a tier.', 'bronze')),
  duration: countAsSent({
    description:
      'Length of the cover, as a number of payment periods. It has the type of the request: an integer or a string of digits.',
    examples: [1],
    'x-assumptions': ['motor-duration'],
  }),
  vehicle_type: z.string().describe('Type of vehicle.'),
}));

const dayFields = onFirstUse(() => ({
  start_date: day(assumed('First day of cover, YYYY-MM-DD.', 'motor-dates')),
  end_date: day(
    assumed(
      'Day on which the cover ends, YYYY-MM-DD: `start_date` plus `duration` payment periods.',
      'motor-dates',
      'month-end',
    ),
  ),
}));

const policyNumber = onFirstUse(() =>
  policyNumberField(POLICY_NUMBERS, EXAMPLE_POLICY_NUMBER, 'motor-policy-number'),
);

const vehicleFields = (settings: Settings) => ({
  registration_no: z.string().describe('Number plate.'),
  vehicle_make: z.string().meta(assumed('Make of the vehicle.', 'motor-make-model')),
  vehicle_model: z.string().meta(assumed('Model of the vehicle.', 'motor-make-model')),
  year_make: z
    .string()
    .regex(/^\d{4}$/)
    .meta(withExample('Year of manufacture, YYYY.', '2015', 'motor-year-make')),
  vehicle_color: z.string().describe('Colour of the vehicle.'),
  chasis_no: z.string().describe('Chassis number.'),
  engine_no: z.string().describe('Engine number.'),
  ...imageFields(settings, (meta) => z.string().meta(meta)),
  policy_number: policyNumber(),
  contact_person_name: z.string().describe('Name of the contact person for the vehicle.'),
  contact_person_address: z.string().describe('Address of the contact person.'),
  contact_person_phone_no: z
    .string()
    .describe(`Phone number of the contact person, ${PHONE_LENGTH} digits.`),
  inspection_date: day({ description: 'Day of the inspection, YYYY-MM-DD.' }),
});

const recordedFields = <S extends z.ZodType>(status: S) => ({
  id: id(),
  user_id: id({ description: 'Id of the customer.' }),
  status: status.describe('The only documented value is true.'),
  ...writtenFields(),
  created_at: writtenFields().created_at.meta({
    'x-assumptions': ['motor-dates', 'timestamp-precision'],
  }),
});

/** A policy as details returns it. */
const policy = (settings: Settings) =>
  namedResponse(
    'MotorPolicy',
    { description: 'A comprehensive motor policy.' },
    {
      ...identityFields(),
      merchant_user_id: merchant(),
      ...coverFields(),
      ...dayFields(),
      ...vehicleFields(settings),
    },
  );
export type MotorPolicy = z.output<ReturnType<typeof policy>>;

/** The response of initiate: the future policy and the purchase token. */
const initiatedPolicy = (settings: Settings, fields: ReturnType<typeof policy>['shape']) =>
  namedResponse(
    'MotorInitiatedPolicy',
    { description: 'The policy as it will be after verify, with the purchase token.' },
    {
      ...fields,
      token: tokenField(settings, TOKENS, 'motor-initiate-token', 'token-format'),
    },
  );
export type MotorInitiatedPolicy = z.output<ReturnType<typeof initiatedPolicy>>;

/** A policy as verify returns it. */
const verifiedPolicy = (settings: Settings) =>
  namedResponse(
    'MotorVerifiedPolicy',
    { description: 'The new policy.' },
    {
      ...identityFields(),
      merchant_id: merchant(),
      ...coverFields(),
      start_date: timestamp(assumed('First day of cover, as midnight UTC.', 'motor-dates')),
      end_date: timestamp(assumed('Day on which the cover ends, as midnight UTC.', 'motor-dates')),
      ...vehicleFields(settings),
      ...recordedFields(z.boolean()),
    },
  );
export type MotorVerifiedPolicy = z.output<ReturnType<typeof verifiedPolicy>>;

/** A policy as the list returns it. */
export const MotorListedPolicy = onFirstUse(() =>
  namedResponse(
    'MotorListedPolicy',
    { description: 'A motor policy in the list.' },
    {
      slug: identityFields().slug,
      frequency_type: coverFields().frequency_type,
      duration: coverFields().duration,
      vehicle_type: coverFields().vehicle_type,
      ...dayFields(),
      vehicle_value: coverFields().vehicle_value,
      insurance_cover: coverFields().insurance_cover,
      status: z
        .string()
        .meta(withExample('The only documented value is `activated`.', 'activated')),
      policy_number: policyNumber(),
    },
  ),
);
export type MotorListedPolicy = z.output<ReturnType<typeof MotorListedPolicy>>;

const policyList = (settings: Settings) =>
  z
    .array(MotorListedPolicy())
    .openapi('MotorPolicyList')
    .meta({
      ...listMeta(settings, 'The policies of the merchant'),
      'x-assumptions': ['motor-list', 'list-order'],
    });

/** The responses of the operations under these settings, by their names in documents. */
function createResponses(settings: Settings) {
  const MotorPolicy = policy(settings);
  return {
    MotorQuote: MotorQuote(),
    MotorInitiatedPolicy: initiatedPolicy(settings, MotorPolicy.shape),
    MotorVerifiedPolicy: verifiedPolicy(settings),
    MotorPolicyList: policyList(settings),
    MotorPolicy,
  };
}

/** The requests of the operations under these settings, and the responses, which calls do not need. */
export const createSchemas = (settings: Settings) => ({
  ...createRequests(settings),
  responses: onFirstUse(() => createResponses(settings)),
});

/** The published schemas. */
export const SCHEMAS = createSchemas(PUBLISHED);

/** A policy as a World stores it: the fields of details, and those that verify adds. */
export const MotorPolicyRecord = onFirstUse(() =>
  z.strictObject({
    ...SCHEMAS.responses().MotorPolicy.shape,
    vehicle_value: coverFields().vehicle_value.gt(0).lte(MAX_AMOUNT),
    ...recordedFields(z.literal(true)),
  }),
);
export type MotorPolicyRecord = z.output<ReturnType<typeof MotorPolicyRecord>>;
