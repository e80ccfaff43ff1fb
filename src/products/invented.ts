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

const WOMEN = [
  'Adaeze',
  'Aisha',
  'Amina',
  'Blessing',
  'Chidinma',
  'Fatima',
  'Folake',
  'Halima',
  'Ifeoma',
  'Ngozi',
  'Oluchi',
  'Temitope',
  'Yetunde',
  'Zainab',
];
const MEN = [
  'Abubakar',
  'Chinedu',
  'Emeka',
  'Femi',
  'Ibrahim',
  'Kunle',
  'Musa',
  'Obinna',
  'Segun',
  'Sunday',
  'Tunde',
  'Uche',
  'Yakubu',
];
const SURNAMES = [
  'Abdullahi',
  'Adebayo',
  'Balogun',
  'Bello',
  'Danjuma',
  'Ekwueme',
  'Eze',
  'Garba',
  'Lawal',
  'Mohammed',
  'Nwosu',
  'Obi',
  'Okafor',
  'Okonkwo',
  'Oyelaran',
  'Salami',
  'Yusuf',
];
const STREETS = [
  '14 Allen Avenue, Ikeja, Lagos',
  '3 Ogui Road, Enugu',
  '27 Ahmadu Bello Way, Kaduna',
  '8 Trans Amadi Road, Port Harcourt',
  '51 Oke Mosan Road, Abeokuta',
  '19 Bank Road, Kano',
  '6 Sapele Road, Benin City',
];
export const OCCUPATIONS = [
  'Trader',
  'Tailor',
  'Driver',
  'Teacher',
  'Farmer',
  'Hairdresser',
  'Mechanic',
];

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

export const inventAddress = (random: RandomState): string => pick(random, STREETS);
