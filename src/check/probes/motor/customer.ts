import { day, emailOf, FILE, PHONE, SURNAME } from '../../customer.ts';
import type { Memory } from '../../probe.ts';

const IMAGES = [
  'speedometer_img',
  'engine_img',
  'interior_img',
  'front_view_img',
  'rear_view_img',
  'left_side_view_img',
  'right_side_view_img',
  'vehicle_license_img',
  'proof_of_ownership_img',
];

/** What initiate is sent and every answer says again. */
export const motorEcho = (memory: Memory): Record<string, unknown> => ({
  insurance_cover: 'bronze',
  vehicle_type: 'saloon',
  registration_no: 'CHK-001-SB',
  year_make: '2018',
  vehicle_color: 'silver',
  engine_no: 'CHECKENGINE01',
  chasis_no: 'CHECKCHASSIS0001',
  contact_person_name: `Contract ${SURNAME}`,
  contact_person_address: '1 Check Street,\nLagos',
  contact_person_phone_no: PHONE,
  inspection_date: day(memory.today, 7),
  ...Object.fromEntries(IMAGES.map((field) => [field, `${FILE}/${field}.png`])),
});

/** A purchase that is accepted, unless the changes spoil it. */
export const motorPurchase = (
  memory: Memory,
  changes: Record<string, unknown> = {},
): Record<string, unknown> => ({
  first_name: 'Contract',
  last_name: SURNAME,
  phone_number: PHONE,
  email: emailOf(memory),
  gender: 'female',
  product_id: '4',
  frequency_type: 'yearly',
  sum_insured: 3_500_000,
  tracker_value: 0,
  diagnostic_cost: 15_000,
  duration: 1,
  start_date: nextMonthEnd(memory.today),
  vehicle_make: 'Toyota',
  vehicle_model: 'Corolla',
  ...motorEcho(memory),
  ...changes,
});

/** The next 31 January after a moment: a day that the months after it lack. */
export function nextMonthEnd(now: number): string {
  return `${new Date(now).getUTCFullYear() + 1}-01-31`;
}
