/* The requests of motor, field by field, as documents show and schemas read them. */

import type { z } from '@hono/zod-openapi';
import {
  address,
  amount,
  cost,
  countAsSent,
  date,
  email,
  type FieldMeta,
  gender,
  personal,
  phoneOrNumber,
  productId,
  text,
  textOrNumber,
  year,
} from '../../api/request-fields.ts';
import { frequencyIn, imageIn, imageMeta } from '../../api/request-forms.ts';
import { PHONE_LENGTH, paddedPhone } from '../../world/limits.ts';
import type { Settings } from '../../world/settings.ts';
import { stampedTokens } from '../../world/tokens.ts';
import { assumed, ignored, namedRequest, withExample } from '../named-schemas.ts';
import { detailsRequest, type NumberForm, type PolicyLookup, verifyRequest } from '../policy.ts';

/** The purchase tokens of motor (`token-format`). */
export const TOKENS = stampedTokens('CMP', 'CMP169848000048213075');

/** The policy numbers of motor (`motor-policy-number`). */
export const POLICY_NUMBERS: NumberForm = { prefix: 'INS', digits: 13 };
/** A policy of the demo merchant, so that the look-up works as the documents show it. */
export const EXAMPLE_POLICY_NUMBER = 'INS6120483957714';

/** The slug of a policy number (`motor-slug`). */
export const slugOf = (policyNumber: string): string =>
  `comprehensive-motor-${policyNumber.toLowerCase()}`;

const product = productId({
  ...withExample('Id of a motor product.', 4),
  'x-documented': ['catalogue', 'motor-product'],
});

const phoneNumber = (whose: string, example: string) =>
  phoneOrNumber(
    withExample(`Phone number of ${whose}, ${PHONE_LENGTH} digits.`, example, 'text-and-numbers'),
  );

const inSample = (description: string, types?: readonly string[]) =>
  ignored(description, 'motor-sample-fields', types);

/** Fields that the published sample request has and its table of fields lacks (`motor-sample-fields`). */
const SAMPLE_FIELDS = {
  address: inSample('Address of the customer.'),
  relationship: inSample('Relationship.'),
  variant_type: inSample('Variant of the vehicle.'),
  amount_insured: inSample('Amount insured, in naira.', ['number', 'string']),
  identity: inSample('Identity of the customer.'),
  nok_surname: inSample('Surname of the next of kin.'),
  nok_othernames: inSample('Other names of the next of kin.'),
  nok_relationship: inSample('Relationship of the next of kin to the customer.'),
  nok_gender: inSample('Gender of the next of kin.'),
  nok_phone_no: inSample('Phone number of the next of kin.', ['string', 'number']),
  nok_email_address: inSample('E-mail address of the next of kin.'),
  id_url: inSample('URL of an identity document.'),
  id_number: personal(inSample('Number of the identity document.', ['string', 'number'])),
  id_type: inSample('Type of the identity document.'),
};

/** What each image shows and the file of its example, in the order of the published table. */
const IMAGES = {
  speedometer_img: { shown: 'the speedometer', file: 'speedometer' },
  engine_img: { shown: 'the engine', file: 'engine' },
  interior_img: { shown: 'the interior', file: 'interior' },
  front_view_img: { shown: 'the front', file: 'front' },
  rear_view_img: { shown: 'the rear', file: 'rear' },
  left_side_view_img: { shown: 'the left side', file: 'left' },
  right_side_view_img: { shown: 'the right side', file: 'right' },
  vehicle_license_img: { shown: 'the vehicle licence', file: 'license' },
  proof_of_ownership_img: { shown: 'the proof of ownership', file: 'ownership' },
};

type ImageField = keyof typeof IMAGES;

/** The image fields, all of one kind. */
export function imageFields<S extends z.ZodType>(
  settings: Settings,
  field: (meta: FieldMeta) => S,
): Record<ImageField, S> {
  const fields = Object.entries(IMAGES).map(([name, { shown, file }]) => {
    const examples = [`https://files.example.com/motor/${file}.png`];
    return [
      name,
      field({ ...imageMeta(settings, shown), examples, 'x-assumptions': ['motor-images'] }),
    ];
  });
  return Object.fromEntries(fields);
}

const inNaira = (description: string, example: number) =>
  withExample(description, example, 'text-and-numbers', 'motor-vehicle-value');

/** The payment frequencies as requests may spell them. `annually` is returned as `yearly` (`motor-frequency`). */
const FREQUENCY_WORDS = {
  monthly: 'monthly',
  quarterly: 'quarterly',
  yearly: 'yearly',
  annually: 'yearly',
} as const;

export const FREQUENCIES = [...new Set(Object.values(FREQUENCY_WORDS))];

const initiateRequest = (settings: Settings) =>
  namedRequest(
    'MotorInitiateRequest',
    { description: 'The details of a new policy.' },
    {
      first_name: text(withExample('First name of the customer.', 'Ada')),
      last_name: text(withExample('Last name of the customer.', 'Obi')),
      phone_number: phoneNumber('the customer', paddedPhone('0803', '1234567')),
      email: email(withExample('E-mail address of the customer.', 'ada@example.com')),
      gender: gender(
        withExample(
          'Gender of the customer, `female` or `male` in any case.',
          'female',
          'motor-gender',
        ),
      ),
      product_id: product,
      ...imageFields(settings, (meta) => imageIn(settings, meta)),
      frequency_type: frequencyIn(settings, FREQUENCY_WORDS, {
        description: 'How often the premium is paid. `annually` means `yearly`.',
        examples: ['yearly'],
        'x-assumptions': ['motor-frequency'],
      }),
      sum_insured: amount(
        inNaira('Sum insured: the most that is paid after an accident, in naira.', 5_000_000),
      ),
      insurance_cover: text(withExample('Type of cover, such as the name of a tier.', 'bronze')),
      tracker_value: cost(inNaira('Value of the tracker in the car, in naira.', 60_000)),
      diagnostic_cost: cost(inNaira('Estimated cost of a diagnostic test, in naira.', 15_000)),
      duration: countAsSent({
        description: 'Length of the cover, as a number of payment periods.',
        examples: [1],
        'x-assumptions': ['motor-duration'],
      }),
      vehicle_type: text(withExample('Type of vehicle.', 'saloon')),
      start_date: date(withExample('First day of cover, YYYY-MM-DD.', '2026-02-01')),
      registration_no: text(withExample('Number plate.', 'KJA-482GR')),
      vehicle_make: textOrNumber(
        withExample('Make of the vehicle.', 'Toyota', 'motor-make-model', 'encoding'),
      ),
      vehicle_model: textOrNumber(
        withExample('Model of the vehicle.', 'Corolla', 'motor-make-model', 'encoding'),
      ),
      year_make: year({
        description: 'Year of manufacture, YYYY. From 1900 to the next calendar year.',
        examples: ['2015'],
        'x-assumptions': ['motor-year-make'],
      }),
      vehicle_color: text(withExample('Colour of the vehicle.', 'silver')),
      engine_no: text(withExample('Engine number.', '2ZR4831907')),
      chasis_no: text(withExample('Chassis number.', '2T1BURHE5FC301482')),
      contact_person_name: text(
        withExample('Name of the contact person for the vehicle.', 'Bola Ade'),
      ),
      contact_person_address: address(
        withExample('Address of the contact person.', '14 Allen Avenue, Ikeja, Lagos'),
      ),
      contact_person_phone_no: phoneNumber('the contact person', paddedPhone('0805', '9876543')),
      inspection_date: date(withExample('Day of the inspection, YYYY-MM-DD.', '2026-01-30')),
      ...SAMPLE_FIELDS,
    },
  );
export type MotorInitiateRequest = z.output<ReturnType<typeof initiateRequest>>;

const MotorVerifyRequest = verifyRequest('MotorVerifyRequest', TOKENS);

export const LOOKUP: PolicyLookup = {
  spellings: ['Policy_number', 'policyNumber', 'policy_number'],
  specified: ['Policy_number', 'policyNumber'],
  assumption: 'motor-details-field',
  example: EXAMPLE_POLICY_NUMBER,
};

const MotorDetailsRequest = detailsRequest('MotorDetailsRequest', LOOKUP);

const MotorQuoteRequest = namedRequest('MotorQuoteRequest', assumed('The vehicle to quote.'), {
  product_id: product,
  vehicle_value: amount(withExample('Value of the vehicle, in naira.', 5_000_000)),
});
export type MotorQuoteRequest = z.output<typeof MotorQuoteRequest>;

/** The requests of motor under these settings, by their names in documents. */
export const createRequests = (settings: Settings) => ({
  MotorInitiateRequest: initiateRequest(settings),
  MotorVerifyRequest,
  MotorDetailsRequest,
  MotorQuoteRequest,
});
