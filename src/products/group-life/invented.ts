/* Made-up purchases of group life: where they differ from the sample. */

import type { Instant } from '../../world/time.ts';
import { soldBy } from '../catalogue.ts';
import { inventPerson, nextBelow, pick } from '../invented.ts';
import type { GroupLifeWorld } from './records.ts';

const GROUPS = [
  { group_name: 'Balogun Traders', group_type: 'Trade association' },
  { group_name: 'Unity Cooperative', group_type: 'Cooperative' },
  { group_name: 'Ikeja Drivers Union', group_type: 'Union' },
];

/** The purchase of a made-up group of 2 to 6 members. Undefined if the catalogue has no group-life product. */
export function inventPurchase(world: GroupLifeWorld, now: Instant) {
  const { random } = world;
  const sold = soldBy(world, 'group_life');
  if (sold.length === 0) return undefined;
  const purchaser = inventPerson(random, now);
  const size = 2 + nextBelow(random, 5);
  return {
    email: purchaser.email,
    first_name: purchaser.first_name,
    surname: purchaser.surname,
    phone_no: purchaser.phone,
    gender: purchaser.gender,
    dob: purchaser.born,
    product_id: pick(random, sold).id,
    ...pick(random, GROUPS),
    first_person_name: purchaser.full_name,
    first_person_phone: purchaser.phone,
    members: Array.from({ length: size }, () => {
      const member = inventPerson(random, now);
      return {
        full_name: member.full_name,
        gender: member.gender,
        occupation: 'Trader',
        date_of_birth: member.born,
        next_of_kiln: purchaser.full_name,
        phone_number: member.phone,
      };
    }),
  };
}
