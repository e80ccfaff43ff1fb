/* Made-up purchases of motor: where they differ from the sample. */

import { nextDigits } from '../../world/random.ts';
import type { Instant } from '../../world/time.ts';
import { localDay } from '../../world/time-zone.ts';
import { inventPerson, nextBelow, pick } from '../invented.ts';
import type { MotorWorld } from './records.ts';
import { FREQUENCIES } from './requests.ts';

const COVERS = ['bronze', 'silver', 'gold'];

/** The purchase of a made-up customer: any product that has a rate. Undefined if there is none. */
export function inventPurchase({ random, products, motor, settings }: MotorWorld, now: Instant) {
  const sold = motor.premium_rates.filter(({ product_id }) => products.get(product_id)?.enable);
  if (sold.length === 0) return undefined;
  const person = inventPerson(random, now);
  return {
    first_name: person.first_name,
    last_name: person.surname,
    phone_number: person.phone,
    email: person.email,
    gender: person.gender,
    product_id: pick(random, sold).product_id,
    frequency_type: pick(random, FREQUENCIES),
    sum_insured: 1_000_000 + 250_000 * nextBelow(random, 60),
    insurance_cover: pick(random, COVERS),
    registration_no: `KJA-${nextDigits(random, 3)}GR`,
    year_make: String(Number(localDay(settings, now).slice(0, 4)) - nextBelow(random, 15)),
    contact_person_name: person.full_name,
  };
}
