import { exampleOf } from '../field-meta.ts';
import { EXAMPLE_POLICY_NUMBER, IMAGE_FIELDS, MotorInitiateRequest } from './requests.ts';

/* What the document shows: one purchase, from its initiation to its policy. */

export const EXAMPLE_REQUEST = exampleOf(MotorInitiateRequest);

const {
  sum_insured: vehicle_value,
  frequency_type,
  insurance_cover,
  duration,
  vehicle_type,
  start_date,
  registration_no,
  vehicle_make,
  vehicle_model,
  year_make,
  vehicle_color,
  chasis_no,
  engine_no,
  contact_person_name,
  contact_person_address,
  contact_person_phone_no,
  inspection_date,
} = EXAMPLE_REQUEST;

const HEAD = { slug: `comprehensive-motor-${EXAMPLE_POLICY_NUMBER.toLowerCase()}`, product_id: 4 };

const COVER = {
  frequency_type,
  vehicle_value,
  insurance_cover,
  duration,
  vehicle_type,
  start_date,
  end_date: '2027-02-01',
};

const VEHICLE = {
  registration_no,
  vehicle_make,
  vehicle_model,
  year_make,
  vehicle_color,
  chasis_no,
  engine_no,
  ...Object.fromEntries(IMAGE_FIELDS.map((field) => [field, EXAMPLE_REQUEST[field]])),
  policy_number: EXAMPLE_POLICY_NUMBER,
  contact_person_name,
  contact_person_address,
  contact_person_phone_no,
  inspection_date,
};

export const EXAMPLE_POLICY = { ...HEAD, merchant_user_id: 1, ...COVER, ...VEHICLE };

export const EXAMPLE_VERIFIED_POLICY = {
  ...HEAD,
  merchant_id: 1,
  ...COVER,
  start_date: `${COVER.start_date}T00:00:00.000000Z`,
  end_date: `${COVER.end_date}T00:00:00.000000Z`,
  ...VEHICLE,
  id: 6,
  user_id: 206,
  status: true,
  created_at: '2026-01-31T10:00:00.000000Z',
  updated_at: '2026-01-31T10:00:00.000000Z',
};

export const EXAMPLE_LISTED_POLICY = {
  slug: HEAD.slug,
  frequency_type,
  duration,
  vehicle_type,
  start_date,
  end_date: COVER.end_date,
  vehicle_value,
  insurance_cover,
  status: 'activated',
  policy_number: EXAMPLE_POLICY_NUMBER,
};
