/* The calls of group life: purchases, look-ups and the list. */

import { call } from '../call.ts';
import {
  BORN,
  emailOf,
  FIRST_NAME,
  familyCalls,
  mixedEmailOf,
  PHONE,
  REAL_FIRST_NAME,
  REAL_SURNAME,
  SECOND_PHONE,
  SURNAME,
} from './shared.ts';

const KEY = 'group_life';

export const MEMBER = {
  full_name: 'Bola Sandbox Check',
  gender: 'female',
  occupation: 'Tailor',
  date_of_birth: '1992-08-03',
  next_of_kiln: 'Sade Sandbox Check',
  phone_number: SECOND_PHONE,
};
/** A member with names as people have them. */
export const REAL_MEMBER = {
  ...MEMBER,
  full_name: "Ọlá D'Souza & Sandbox Check",
  occupation: 'Tailor & Weaver',
  next_of_kiln: "Zoë O'Neil",
};

const initiate = call('initiateGroupLifePolicy', 'as specified', {}, (setup) => ({
  email: emailOf(setup),
  first_name: FIRST_NAME,
  surname: SURNAME,
  phone_no: PHONE,
  gender: 'female',
  dob: BORN,
  product_id: setup.products[KEY],
  group_name: `${SURNAME} Traders`,
  group_type: 'Trade association',
  group_contact_address: '1 Sandbox Check Street',
  first_person_name: `${FIRST_NAME} ${SURNAME}`,
  first_person_phone: PHONE,
  second_person_name: `Second ${SURNAME}`,
  second_person_phone: SECOND_PHONE,
  members: [MEMBER],
}));

/** A purchase and what follows from it. The second one begins on 29 February. */
export const groupLife = familyCalls({
  key: KEY,
  sampleProduct: 2,
  initiate,
  secondPurchase: (setup) => ({
    first_name: REAL_FIRST_NAME,
    surname: REAL_SURNAME,
    email: mixedEmailOf(setup),
    group_name: "Ọṣun & Sons' Sandbox Check",
    group_type: ' Trade association ',
    group_contact_address: '1 Ṣàngó Street & Co',
    second_person_phone: undefined,
    start_date: '2028-02-29',
    members: [REAL_MEMBER, MEMBER],
  }),
  number: 'data.policy_number',
  lookupInput: (policy_number) => ({ policy_number }),
});
