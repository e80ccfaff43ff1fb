import type { Json, Memory } from './probe.ts';

/*
 * Whom the check buys for. Every name says where it comes from, so that nobody takes the records for
 * those of a customer.
 */

export const SURNAME = 'Sandbox Check';
export const PHONE = '08030000000';
const FILE = 'https://example.com/sandbox-check';

export const emailOf = ({ run }: Memory): string => `sandbox-check-${run}@example.com`;

export const microHealthPurchase = (memory: Memory, plan: Json): Record<string, unknown> => ({
  first_name: 'Contract',
  surname: SURNAME,
  email: emailOf(memory),
  phone_no: PHONE,
  date_of_birth: '1990-04-12',
  nin_number: 10_000_000_001,
  id_url: `${FILE}/id.png`,
  profile_url: `${FILE}/me.png`,
  ...plan,
});

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

export const member = (n: number): Record<string, unknown> => ({
  full_name: `Member ${n} ${SURNAME}`,
  gender: n % 2 === 0 ? 'male' : 'female',
  occupation: 'tester',
  date_of_birth: `198${n}-02-28`,
  next_of_kiln: `Kin ${n} ${SURNAME}`,
  phone_number: PHONE,
});

export const groupLifePurchase = (
  memory: Memory,
  changes: Record<string, unknown> = {},
): Record<string, unknown> => ({
  email: emailOf(memory),
  first_name: 'Contract',
  surname: SURNAME,
  phone_no: PHONE,
  gender: 'female',
  dob: '1985-07-01',
  product_id: 2,
  group_name: `${SURNAME} group`,
  group_type: 'test',
  group_contact_address: '1 Check Street, Lagos',
  first_person_name: `First ${SURNAME}`,
  first_person_phone: PHONE,
  second_person_name: `Second ${SURNAME}`,
  members: [member(1), member(2)],
  ...changes,
});

const DAY_MS = 86_400_000;

export const day = (now: number, later = 0): string =>
  new Date(now + later * DAY_MS).toISOString().slice(0, 10);

/** The next 31 January after a moment: a day that the months after it lack. */
export function nextMonthEnd(now: number): string {
  return `${new Date(now).getUTCFullYear() + 1}-01-31`;
}
