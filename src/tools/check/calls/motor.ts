/* The calls of motor: quotes, purchases, look-ups and the list. */

import { call, varied } from '../call.ts';
import { CUSTOMER, familyCalls, REAL_CUSTOMER } from './shared.ts';

const KEY = 'motor';

/** The fields with the address of a picture or document. */
export const IMAGES = [
  'speedometer_img',
  'engine_img',
  'interior_img',
  'front_view_img',
  'rear_view_img',
  'left_side_view_img',
  'right_side_view_img',
  'vehicle_license_img',
  'proof_of_ownership_img',
] as const;

export const VALUE = 5_000_000;

export const motorQuote = call('getMotorQuote', 'as specified', {}, ({ products }) => ({
  product_id: products[KEY],
  vehicle_value: VALUE,
}));

const initiate = call('initiateMotorPolicy', 'as specified', {}, (setup) => ({
  first_name: CUSTOMER.firstName,
  last_name: CUSTOMER.surname,
  phone_number: CUSTOMER.phone,
  email: CUSTOMER.email(setup),
  gender: 'female',
  product_id: setup.products[KEY]?.toString(),
  ...Object.fromEntries(IMAGES.map((field) => [field, `${CUSTOMER.file}/${field}.png`])),
  frequency_type: 'yearly',
  sum_insured: VALUE,
  insurance_cover: 'bronze',
  tracker_value: 60_000,
  diagnostic_cost: 15_000,
  duration: 1,
  vehicle_type: 'saloon',
  start_date: setup.today,
  registration_no: 'SBX-000CK',
  vehicle_make: 'Toyota',
  vehicle_model: 'Corolla',
  year_make: '2015',
  vehicle_color: 'silver',
  engine_no: 'SANDBOX0001',
  chasis_no: 'SANDBOXCHECK0001',
  contact_person_name: `${CUSTOMER.firstName} ${CUSTOMER.surname}`,
  contact_person_address: '1 Sandbox Check Street',
  contact_person_phone_no: CUSTOMER.secondPhone,
  inspection_date: setup.today,
}));

/** The details of a policy that is not verified yet. */
export const pendingDetails = call(
  'getMotorPolicyDetails',
  'before verify',
  { needs: [initiate], refusal: 'policy_unknown' },
  (_, pending) => ({ Policy_number: pending.get('data.policy_number') }),
);

/** A purchase and what follows from it. */
export const motor = familyCalls({
  key: KEY,
  sampleProduct: 4,
  quote: motorQuote,
  initiate,
  beforeVerify: [pendingDetails],
  secondPurchase: (setup) => ({
    first_name: REAL_CUSTOMER.firstName,
    last_name: REAL_CUSTOMER.surname,
    email: REAL_CUSTOMER.email(setup),
    insurance_cover: "Gold & Silver's",
    vehicle_type: ' saloon ',
    vehicle_color: 'Bleu pâle',
    registration_no: 'sbx-000 ck',
    contact_person_name: REAL_CUSTOMER.surname,
    contact_person_address: "1 Ṣàngó Street & Sons'",
    frequency_type: 'monthly',
    duration: '6',
    start_date: '2027-03-10',
  }),
  number: 'data.policy_number',
  lookupInput: (Policy_number) => ({ Policy_number }),
});

/** Forms that several assumptions allow, in one purchase. */
export const anyForm = varied(initiate, '', {
  ...{ gender: 'Female', sum_insured: '5000000.000', tracker_value: 0 },
  ...{ contact_person_phone_no: 99_900_000_000, phone_number: 99_900_000_000 },
  ...{ vehicle_make: 206, vehicle_model: 5, year_make: 2015 },
  contact_person_address: 'Sandbox Check,\n\tno street',
});
