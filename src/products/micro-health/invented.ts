/* Made-up purchases of micro-health: where they differ from the sample. */

import { IDENTITY_LENGTH } from '../../world/limits.ts';
import { nextDigits } from '../../world/random.ts';
import type { Instant } from '../../world/time.ts';
import { inventPerson, pick } from '../invented.ts';
import { maxUsers } from './pricing.ts';
import type { MicroHealthWorld } from './records.ts';
import { BENEFICIARY_FIELDS, FREQUENCIES } from './requests.ts';

/** The purchase of a made-up customer: any plan that has a price. Undefined if there is none. */
export function inventPurchase(world: MicroHealthWorld, now: Instant) {
  const { random, products, micro_health } = world;
  const plans = micro_health.prices.filter(({ product_id, users }) => {
    const product = products.get(product_id);
    return product?.enable && users <= maxUsers(product);
  });
  if (plans.length === 0) return undefined;
  const plan = pick(random, plans);
  const frequency = pick(random, FREQUENCIES);
  const person = inventPerson(random, now);
  const names = BENEFICIARY_FIELDS.map((field, place) => [
    field,
    place < plan.users - 1
      ? `${inventPerson(random, now).first_name} ${person.surname}`
      : undefined,
  ]);
  return {
    first_name: person.first_name,
    surname: person.surname,
    email: person.email,
    phone_no: person.phone,
    date_of_birth: person.born,
    product_id: plan.product_id,
    subscription_type: frequency,
    amount: plan[frequency],
    nin_number: nextDigits(random, IDENTITY_LENGTH),
    ...Object.fromEntries(names),
  };
}
