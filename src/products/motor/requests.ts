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
  phoneOrNumber,
  productId,
  text,
  textOrNumber,
  year,
} from '../../api/request-fields.ts';
import {
  frequencyIn,
  imageIn,
  imageMeta,
  type RequestForms,
  underForms,
} from '../../api/request-forms.ts';
import { SHARED_SETTINGS } from '../../world/settings.ts';
import { assumed, namedRequest, withExample } from '../named-schemas.ts';
import { detailsRequest, type PolicyLookup, verifyRequest } from '../policy.ts';

export const EXAMPLE_TOKEN = 'CMP169848000048213075';
export const EXAMPLE_POLICY_NUMBER = 'INS4017395826114';

const product = (example: string | number) =>
  productId(withExample('A motor product.', example, 'product-id-type', 'motor-product'));

const phoneNumber = (whose: string, example: string) =>
  phoneOrNumber(withExample(`Phone number of ${whose}, 11 digits.`, example, 'text-and-numbers'));

/** Fields of the documented sample request that its table lacks (`motor-sample-fields`). */
export const SAMPLE_FIELDS = [
  'address',
  'relationship',
  'variant_type',
  'amount_insured',
  'identity',
  'nok_surname',
  'nok_othernames',
  'nok_relationship',
  'nok_gender',
  'nok_phone_no',
  'nok_email_address',
  'id_url',
  'id_number',
  'id_type',
] as const;

/** What the images show, and the file of their example, in the order of the specification's table. */
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

export const IMAGE_FIELDS = Object.keys(IMAGES) as readonly ImageField[];

/** The image fields, all of one kind. */
export function imageFields<S extends z.ZodType>(
  field: (meta: FieldMeta) => S,
): Record<ImageField, S> {
  const fields = Object.entries(IMAGES).map(([name, { shown, file }]) => {
    const examples = [`https://files.example.com/motor/${file}.png`];
    return [name, field({ ...imageMeta(shown), examples, 'x-assumptions': ['motor-images'] })];
  });
  return Object.fromEntries(fields);
}

const inNaira = (description: string, example: number) =>
  withExample(description, example, 'text-and-numbers', 'motor-vehicle-value');

const FREQUENCY_WORDS = {
  monthly: 'monthly',
  quarterly: 'quarterly',
  yearly: 'yearly',
  annually: 'yearly',
} as const;

const initiateRequest = (forms: RequestForms) =>
  namedRequest(
    'MotorInitiateRequest',
    assumed(
      `A motor purchase. Further fields are ignored, those of the documented sample among them: ${SAMPLE_FIELDS.join(', ')}.`,
      'motor-sample-fields',
    ),
    {
      first_name: text(withExample('First name of the customer.', 'Ada')),
      last_name: text(withExample('Last name of the customer.', 'Obi')),
      phone_number: phoneNumber('the customer', '08031234567'),
      email: email(withExample('E-mail address of the customer.', 'ada@example.com')),
      gender: gender(withExample('female or male.', 'female', 'motor-gender')),
      product_id: product('4'),
      ...imageFields((meta) => imageIn(forms, meta)),
      frequency_type: frequencyIn(forms, FREQUENCY_WORDS, {
        description: 'How often the premium is paid; annually means yearly.',
        examples: ['yearly'],
        'x-assumptions': ['motor-frequency'],
      }),
      sum_insured: amount(inNaira('The most that is paid after an accident, naira.', 5_000_000)),
      insurance_cover: text(
        withExample('The type of cover, for example the name of a tier.', 'bronze'),
      ),
      tracker_value: cost(inNaira('What the tracker of the car is worth, naira.', 60_000)),
      diagnostic_cost: cost(inNaira('The estimated cost of a diagnostic test, naira.', 15_000)),
      duration: countAsSent({
        description: 'How many periods of the payment frequency the cover lasts.',
        examples: [1],
        'x-assumptions': ['motor-duration'],
      }),
      vehicle_type: text(withExample('The type of vehicle.', 'saloon')),
      start_date: date(withExample('The first day of cover, Y-m-d.', '2026-02-01')),
      registration_no: text(withExample('The number plate.', 'KJA-482GR')),
      vehicle_make: textOrNumber(withExample('The make.', 'Toyota', 'motor-make-model')),
      vehicle_model: textOrNumber(withExample('The model.', 'Corolla', 'motor-make-model')),
      year_make: year({
        description: 'The year it was made in, four digits, 1900 to the next calendar year.',
        examples: ['2015'],
        'x-assumptions': ['motor-year-make'],
      }),
      vehicle_color: text(withExample('The colour.', 'silver')),
      engine_no: text(withExample('The engine number.', '2ZR4831907')),
      chasis_no: text(withExample('The chassis number.', '2T1BURHE5FC301482')),
      contact_person_name: text(withExample('Whom to ask about the vehicle.', 'Bola Ade')),
      contact_person_address: address(
        withExample('Address of the contact person.', '14 Allen Avenue, Ikeja, Lagos'),
      ),
      contact_person_phone_no: phoneNumber('the contact person', '08059876543'),
      inspection_date: date(withExample('The day of the inspection, Y-m-d.', '2026-01-30')),
    },
  );
export const MotorInitiateRequest = initiateRequest(SHARED_SETTINGS);
export const otherInitiateRequest = underForms(initiateRequest);
export type MotorInitiateRequest = z.output<typeof MotorInitiateRequest>;

export const MotorVerifyRequest = verifyRequest('MotorVerifyRequest', EXAMPLE_TOKEN);

export const LOOKUP: PolicyLookup = {
  spellings: ['Policy_number', 'policyNumber', 'policy_number'],
  assumption: 'motor-details-field',
};

export const MotorDetailsRequest = detailsRequest(
  'MotorDetailsRequest',
  'The policy asked for.',
  LOOKUP,
  EXAMPLE_POLICY_NUMBER,
);
export type MotorDetailsRequest = z.output<typeof MotorDetailsRequest>;

export const MotorQuoteRequest = namedRequest('MotorQuoteRequest', assumed('What to price.'), {
  product_id: product(4),
  vehicle_value: amount(withExample('What the vehicle is worth, naira.', 5_000_000)),
});
export type MotorQuoteRequest = z.output<typeof MotorQuoteRequest>;
