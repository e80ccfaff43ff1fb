/* Made-up purchases of group life: a group with its contact persons and members. */

import type { Instant } from '../../world/time.ts';
import { inventAddress, inventPerson, nextBelow, OCCUPATIONS, pick } from '../invented.ts';
import type { GroupLifeWorld } from './records.ts';

const GROUPS = [
  { group_name: 'Balogun Traders', group_type: 'Trade association' },
  { group_name: 'Ogui Tailors Union', group_type: 'Trade association' },
  { group_name: 'Unity Cooperative', group_type: 'Cooperative' },
  { group_name: 'Ikeja Drivers Union', group_type: 'Union' },
  { group_name: 'Grace Parish Choir', group_type: 'Religious group' },
  { group_name: 'Kano Market Women', group_type: 'Cooperative' },
];
/** Members of a made-up group: from 2 to 6. */
const [FEWEST, MOST] = [2, 6];

/** A purchase of a made-up group. Undefined if the catalogue has no group-life product. */
export function inventPurchase({ random, products }: GroupLifeWorld, now: Instant) {
  const sold = [...products.values()].filter(
    ({ family, enable }) => family === 'group_life' && enable,
  );
  if (sold.length === 0) return undefined;
  const purchaser = inventPerson(random, now);
  const second = inventPerson(random, now);
  const size = FEWEST + nextBelow(random, MOST - FEWEST + 1);
  return {
    email: purchaser.email,
    first_name: purchaser.first_name,
    surname: purchaser.surname,
    phone_no: purchaser.phone,
    gender: purchaser.gender,
    dob: purchaser.born,
    product_id: pick(random, sold).id,
    ...pick(random, GROUPS),
    group_contact_address: inventAddress(random),
    first_person_name: purchaser.full_name,
    first_person_phone: purchaser.phone,
    second_person_name: second.full_name,
    second_person_phone: second.phone,
    members: Array.from({ length: size }, () => {
      const member = inventPerson(random, now);
      return {
        full_name: member.full_name,
        gender: member.gender,
        occupation: pick(random, OCCUPATIONS),
        date_of_birth: member.born,
        next_of_kiln: `${inventPerson(random, now).first_name} ${member.surname}`,
        phone_number: member.phone,
      };
    }),
  };
}
