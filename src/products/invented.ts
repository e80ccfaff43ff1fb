/* Made-up customers for records that a merchant starts with. The same random state makes the same ones. */

import { PHONE_LENGTH } from '../world/limits.ts';
import { nextDigits, nextFraction, type RandomState } from '../world/random.ts';
import { DAY_MS, day, type Instant } from '../world/time.ts';

/** Returns a whole number from 0 to `count - 1`. */
export const nextBelow = (random: RandomState, count: number): number =>
  Math.floor(nextFraction(random) * count);

/** Returns one element. The list must not be empty. */
export const pick = <Item>(random: RandomState, items: readonly Item[]): Item =>
  items[nextBelow(random, items.length)] as Item;

const WOMEN = ['Aisha', 'Blessing', 'Fatima', 'Folake', 'Ifeoma', 'Ngozi', 'Yetunde', 'Zainab'];
const MEN = ['Chinedu', 'Emeka', 'Femi', 'Ibrahim', 'Kunle', 'Musa', 'Segun', 'Tunde'];
const SURNAMES = ['Adebayo', 'Balogun', 'Bello', 'Danjuma', 'Eze', 'Lawal', 'Nwosu', 'Okafor'];

/** A made-up person. */
export interface InventedPerson {
  readonly first_name: string;
  readonly surname: string;
  readonly full_name: string;
  readonly gender: 'female' | 'male';
  readonly email: string;
  readonly phone: string;
  /** YYYY-MM-DD */
  readonly born: string;
}

/** Makes up an adult: 18 to 65 years old. */
export function inventPerson(random: RandomState, now: Instant): InventedPerson {
  const gender = pick(random, ['female', 'male'] as const);
  const first_name = pick(random, gender === 'female' ? WOMEN : MEN);
  const surname = pick(random, SURNAMES);
  const number = nextDigits(random, 4);
  return {
    first_name,
    surname,
    full_name: `${first_name} ${surname}`,
    gender,
    email: `${first_name}.${surname}${number}@example.com`.toLowerCase(),
    phone: `080${nextDigits(random, PHONE_LENGTH - 3)}`,
    born: day(now - (18 * 366 + nextBelow(random, 47 * 365)) * DAY_MS),
  };
}
