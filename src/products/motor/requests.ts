import { z } from '@hono/zod-openapi';
import {
  address,
  date,
  email,
  type FieldMeta,
  gender,
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
  WIDEST_FORMS,
} from '../../api/request-forms.ts';
import { amount, cost, countAsSent, phoneOrNumber, productId } from '../../api/request-numbers.ts';
import { SHARED_SETTINGS } from '../../world/settings.ts';
import { policyNumberSpelling } from '../policy.ts';
import { verifyRequest } from '../purchase-token.ts';
import {
  EXAMPLE_IMAGES,
  EXAMPLE_POLICY_NUMBER,
  EXAMPLE_REQUEST,
  EXAMPLE_TOKEN,
} from './examples.ts';

const product = (example: string | number) =>
  productId({
    description: 'A motor product.',
    examples: [example],
    'x-assumptions': ['product-id-type', 'motor-product'],
  });

const phoneNumber = (whose: string, example: string) =>
  phoneOrNumber({
    description: `Phone number of ${whose}, 11 digits.`,
    examples: [example],
    'x-assumptions': ['text-and-numbers'],
  });

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

/** What the images show, by field, in the order of the specification's table. */
const IMAGES = {
  speedometer_img: 'the speedometer',
  engine_img: 'the engine',
  interior_img: 'the interior',
  front_view_img: 'the front',
  rear_view_img: 'the rear',
  left_side_view_img: 'the left side',
  right_side_view_img: 'the right side',
  vehicle_license_img: 'the vehicle licence',
  proof_of_ownership_img: 'the proof of ownership',
} as const;

type ImageField = keyof typeof IMAGES;

export const IMAGE_FIELDS = Object.keys(IMAGES) as readonly ImageField[];

/** The image fields, all of one kind. */
export function imageFields<S extends z.ZodType>(
  field: (meta: FieldMeta) => S,
): Record<ImageField, S> {
  const fields = Object.entries(IMAGES).map(([name, shown]) => [
    name,
    field({
      ...imageMeta(shown),
      examples: [EXAMPLE_IMAGES[name as ImageField]],
      'x-assumptions': ['motor-images'],
    }),
  ]);
  return Object.fromEntries(fields);
}

const initiateRequest = (forms: RequestForms) =>
  z
    .object({
      first_name: text({ description: 'First name of the customer.', examples: ['Ada'] }),
      last_name: text({ description: 'Last name of the customer.', examples: ['Obi'] }),
      phone_number: phoneNumber('the customer', '08031234567'),
      email: email({
        description: 'E-mail address of the customer.',
        examples: ['ada@example.com'],
      }),
      gender: gender({
        description: 'female or male.',
        examples: ['female'],
        'x-assumptions': ['motor-gender'],
      }),
      product_id: product('4'),
      ...imageFields((meta) => imageIn(forms, meta)),
      frequency_type: frequencyIn(
        forms,
        { monthly: 'monthly', quarterly: 'quarterly', yearly: 'yearly', annually: 'yearly' },
        {
          description: 'How often the premium is paid; annually means yearly.',
          examples: ['yearly'],
          'x-assumptions': ['motor-frequency'],
        },
      ),
      sum_insured: amount({
        description: 'The most that is paid after an accident, naira.',
        examples: [5_000_000],
        'x-assumptions': ['text-and-numbers', 'motor-vehicle-value'],
      }),
      insurance_cover: text({
        description: 'The type of cover, for example the name of a tier.',
        examples: ['bronze'],
      }),
      tracker_value: cost({
        description: 'What the tracker of the car is worth, naira.',
        examples: [60_000],
        'x-assumptions': ['text-and-numbers', 'motor-vehicle-value'],
      }),
      diagnostic_cost: cost({
        description: 'The estimated cost of a diagnostic test, naira.',
        examples: [15_000],
        'x-assumptions': ['text-and-numbers', 'motor-vehicle-value'],
      }),
      duration: countAsSent({
        description: 'How many periods of the payment frequency the cover lasts.',
        examples: [1],
        'x-assumptions': ['motor-duration'],
      }),
      vehicle_type: text({ description: 'The type of vehicle.', examples: ['saloon'] }),
      start_date: date({ description: 'The first day of cover, Y-m-d.', examples: ['2026-02-01'] }),
      registration_no: text({ description: 'The number plate.', examples: ['KJA-482GR'] }),
      vehicle_make: textOrNumber({
        description: 'The make.',
        examples: ['Toyota'],
        'x-assumptions': ['motor-make-model'],
      }),
      vehicle_model: textOrNumber({
        description: 'The model.',
        examples: ['Corolla'],
        'x-assumptions': ['motor-make-model'],
      }),
      year_make: year({
        description: 'The year it was made in, four digits, 1900 to the next calendar year.',
        examples: ['2015'],
        'x-assumptions': ['motor-year-make'],
      }),
      vehicle_color: text({ description: 'The colour.', examples: ['silver'] }),
      engine_no: text({ description: 'The engine number.', examples: ['2ZR4831907'] }),
      chasis_no: text({ description: 'The chassis number.', examples: ['2T1BURHE5FC301482'] }),
      contact_person_name: text({
        description: 'Whom to ask about the vehicle.',
        examples: ['Bola Ade'],
      }),
      contact_person_address: address({
        description: 'Address of the contact person.',
        examples: ['14 Allen Avenue, Ikeja, Lagos'],
      }),
      contact_person_phone_no: phoneNumber('the contact person', '08059876543'),
      inspection_date: date({
        description: 'The day of the inspection, Y-m-d.',
        examples: ['2026-01-30'],
      }),
    })
    .openapi('MotorInitiateRequest')
    .meta({
      description: `A motor purchase. Further fields are ignored, those of the documented sample among them: ${SAMPLE_FIELDS.join(', ')}.`,
      examples: [EXAMPLE_REQUEST],
      'x-assumptions': ['motor-sample-fields'],
    });
export const MotorInitiateRequest = initiateRequest(SHARED_SETTINGS);
export const otherInitiateRequest = underForms(initiateRequest);
/** With every value that any profile lets into a pending purchase. */
export const widestInitiateRequest = () =>
  otherInitiateRequest(WIDEST_FORMS) ?? MotorInitiateRequest;
export type MotorInitiateRequest = z.output<typeof MotorInitiateRequest>;

export const MotorVerifyRequest = verifyRequest('MotorVerifyRequest', EXAMPLE_TOKEN);

const askedNumber = policyNumberSpelling(EXAMPLE_POLICY_NUMBER, 'motor-details-field');

export const MotorDetailsRequest = z
  .object({
    Policy_number: askedNumber({
      description: 'The policy number; policyNumber and policy_number are accepted too.',
    }),
    policyNumber: askedNumber({ 'x-unpublished': true }),
    policy_number: askedNumber({ 'x-unpublished': true }),
  })
  .openapi('MotorDetailsRequest')
  .meta({
    description: 'The policy asked for.',
    examples: [{ Policy_number: EXAMPLE_POLICY_NUMBER }],
    required: ['Policy_number'],
    'x-assumptions': ['motor-details-field'],
  });
export type MotorDetailsRequest = z.output<typeof MotorDetailsRequest>;

export const MotorQuoteRequest = z
  .object({
    product_id: product(4),
    vehicle_value: amount({
      description: 'What the vehicle is worth, naira.',
      examples: [5_000_000],
    }),
  })
  .openapi('MotorQuoteRequest')
  .meta({ description: 'What to price.', examples: [{ product_id: 4, vehicle_value: 5_000_000 }] });
export type MotorQuoteRequest = z.output<typeof MotorQuoteRequest>;
