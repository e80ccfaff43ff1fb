import { emailOf, PHONE, SURNAME } from '../../customer.ts';
import type { Memory } from '../../probe.ts';

export const member = (n: number): Record<string, unknown> => ({
  full_name: `Member ${n} ${SURNAME}`,
  gender: n % 2 === 0 ? 'male' : 'female',
  occupation: 'tester',
  date_of_birth: `198${n}-02-28`,
  next_of_kiln: `Kin ${n} ${SURNAME}`,
  phone_number: PHONE,
});

/** A purchase that is accepted, unless the changes spoil it. */
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
