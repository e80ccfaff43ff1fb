/* The calls of group life: purchases, look-ups and the list. */

import { call } from '../call.ts';
import { CUSTOMER, familyCalls, REAL_CUSTOMER } from './shared.ts';

const KEY = 'group_life';

export const MEMBER = {
  full_name: 'Bola Sandbox Check',
  gender: 'female',
  occupation: 'Tailor',
  date_of_birth: '1992-08-03',
  next_of_kiln: 'Sade Sandbox Check',
  phone_number: CUSTOMER.secondPhone,
};
/** A member with names as people have them. */
export const REAL_MEMBER = {
  ...MEMBER,
  full_name: "Ọlá D'Souza & Sandbox Check",
  occupation: 'Tailor & Weaver',
  next_of_kiln: "Zoë O'Neil",
};

const initiate = call('initiateGroupLifePolicy', 'as specified', {}, (setup) => ({
  email: CUSTOMER.email(setup),
  first_name: CUSTOMER.firstName,
  surname: CUSTOMER.surname,
  phone_no: CUSTOMER.phone,
  gender: 'female',
  dob: CUSTOMER.born,
  product_id: setup.products[KEY],
  group_name: `${CUSTOMER.surname} Traders`,
  group_type: 'Trade association',
  group_contact_address: '1 Sandbox Check Street',
  first_person_name: `${CUSTOMER.firstName} ${CUSTOMER.surname}`,
  first_person_phone: CUSTOMER.phone,
  second_person_name: `Second ${CUSTOMER.surname}`,
  second_person_phone: CUSTOMER.secondPhone,
  members: [MEMBER],
}));

/** A purchase and what follows from it. The second one begins on 29 February. */
export const groupLife = familyCalls({
  key: KEY,
  sampleProduct: 2,
  initiate,
  secondPurchase: (setup) => ({
    first_name: REAL_CUSTOMER.firstName,
    surname: REAL_CUSTOMER.surname,
    email: REAL_CUSTOMER.email(setup),
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
