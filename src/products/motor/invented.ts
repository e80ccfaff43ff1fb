/* Made-up purchases of motor: a customer with a vehicle, and a cover for it. */

import { nextDigits } from '../../world/random.ts';
import type { Instant } from '../../world/time.ts';
import { localDay } from '../../world/time-zone.ts';
import { inventAddress, inventPerson, nextBelow, pick } from '../invented.ts';
import { EXAMPLE_REQUEST } from './examples.ts';
import type { MotorWorld } from './records.ts';
import { FREQUENCIES, IMAGE_FIELDS } from './requests.ts';

const VEHICLES = [
  { vehicle_make: 'Toyota', vehicle_model: 'Corolla', vehicle_type: 'saloon' },
  { vehicle_make: 'Toyota', vehicle_model: 'Hilux', vehicle_type: 'pickup' },
  { vehicle_make: 'Honda', vehicle_model: 'Accord', vehicle_type: 'saloon' },
  { vehicle_make: 'Hyundai', vehicle_model: 'Tucson', vehicle_type: 'suv' },
  { vehicle_make: 'Kia', vehicle_model: 'Rio', vehicle_type: 'hatchback' },
  { vehicle_make: 'Nissan', vehicle_model: 'Urvan', vehicle_type: 'bus' },
];
const COLOURS = ['silver', 'black', 'white', 'blue', 'red', 'grey'];
const COVERS = ['bronze', 'silver', 'gold'];
const PLATES = ['KJA', 'LND', 'ABJ', 'KAN', 'ENU', 'PHC'];
const DURATIONS = { monthly: 12, quarterly: 4, yearly: 2 } as const;

/** A purchase of a made-up customer, of any product that has a rate. Undefined if there is none. */
export function inventPurchase({ random, products, motor, settings }: MotorWorld, now: Instant) {
  const sold = motor.premium_rates.filter(({ product_id }) => products.get(product_id)?.enable);
  if (sold.length === 0) return undefined;
  const person = inventPerson(random, now);
  const today = localDay(settings, now);
  const frequency = pick(random, FREQUENCIES);
  const plate = `${pick(random, PLATES)}-${nextDigits(random, 3)}${pick(random, ['AA', 'GR', 'KT', 'XB'])}`;
  const images = IMAGE_FIELDS.map((field) => [
    field,
    EXAMPLE_REQUEST[field].replace('/motor/', `/motor/${plate.toLowerCase()}/`),
  ]);
  return {
    first_name: person.first_name,
    last_name: person.surname,
    phone_number: person.phone,
    email: person.email,
    gender: person.gender,
    product_id: pick(random, sold).product_id,
    ...Object.fromEntries(images),
    frequency_type: frequency,
    sum_insured: 1_000_000 + 250_000 * nextBelow(random, 60),
    insurance_cover: pick(random, COVERS),
    tracker_value: 60_000,
    diagnostic_cost: 15_000,
    duration: 1 + nextBelow(random, DURATIONS[frequency]),
    start_date: today,
    registration_no: plate,
    ...pick(random, VEHICLES),
    year_make: String(Number(today.slice(0, 4)) - nextBelow(random, 15)),
    vehicle_color: pick(random, COLOURS),
    engine_no: `2ZR${nextDigits(random, 7)}`,
    chasis_no: `2T1BURHE5FC${nextDigits(random, 6)}`,
    contact_person_name: inventPerson(random, now).full_name,
    contact_person_address: inventAddress(random),
    contact_person_phone_no: `080${nextDigits(random, 8)}`,
    inspection_date: today,
  };
}
