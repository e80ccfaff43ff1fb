import type { Probe } from '../../probe.ts';
import { type Input, refusing } from '../refusal.ts';
import { motorPurchase } from './customer.ts';

const initiate = 'initiateMotorPolicy';

const refused = refusing(initiate, (changes: Input, memory) => ({
  input: motorPurchase(memory, changes),
}));

const REQUIRED = [
  'first_name',
  'last_name',
  'phone_number',
  'email',
  'gender',
  'product_id',
  'speedometer_img',
  'engine_img',
  'interior_img',
  'front_view_img',
  'rear_view_img',
  'left_side_view_img',
  'right_side_view_img',
  'vehicle_license_img',
  'proof_of_ownership_img',
  'frequency_type',
  'sum_insured',
  'insurance_cover',
  'tracker_value',
  'diagnostic_cost',
  'duration',
  'vehicle_type',
  'start_date',
  'registration_no',
  'vehicle_make',
  'vehicle_model',
  'year_make',
  'vehicle_color',
  'engine_no',
  'chasis_no',
  'contact_person_name',
  'contact_person_address',
  'contact_person_phone_no',
  'inspection_date',
];

/** Purchases of motor policies that are refused. */
export const motorRefusals: readonly Probe[] = [
  {
    name: 'asks for every field, in the order of the contract',
    operation: initiate,
    call: () => ({ input: {} }),
    refused: 'invalid',
    fields: REQUIRED,
    decisions: ['validation-messages'],
  },
  refused(
    'refuses a phone number of ten digits',
    { phone_number: '0803000000' },
    ['phone_number'],
    'phone-digits',
  ),
  refused(
    'refuses a contact with a phone number of ten digits',
    { contact_person_phone_no: '0803000000' },
    ['contact_person_phone_no'],
    'phone-digits',
  ),
  refused(
    'refuses another gender than female or male',
    { gender: 'f' },
    ['gender'],
    'text-and-numbers',
  ),
  refused(
    'refuses an image that is no address',
    { engine_img: 'engine.png' },
    ['engine_img'],
    'motor-images',
  ),
  refused(
    'refuses another frequency',
    { frequency_type: 'weekly' },
    ['frequency_type'],
    'motor-frequency',
  ),
  refused('refuses no duration', { duration: 0 }, ['duration'], 'motor-duration'),
  refused('refuses a sum of nothing', { sum_insured: 0 }, ['sum_insured'], 'text-and-numbers'),
  refused(
    'refuses a day the calendar lacks',
    { start_date: '2027-02-30' },
    ['start_date'],
    'text-and-numbers',
  ),
  refused('refuses a year of two digits', { year_make: '18' }, ['year_make']),
  refused(
    'refuses a product of another family',
    { product_id: 1 },
    ['product_id'],
    'motor-product',
    'catalogue',
  ),
];
