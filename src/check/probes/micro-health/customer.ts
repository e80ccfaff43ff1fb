import { emailOf, FILE, PHONE, SURNAME } from '../../customer.ts';
import type { Json, Memory } from '../../probe.ts';

/** A purchase of a plan; what it costs and covers is said by the plan. */
export const microHealthPurchase = (memory: Memory, plan: Json): Record<string, unknown> => ({
  first_name: 'Contract',
  surname: SURNAME,
  email: emailOf(memory),
  phone_no: PHONE,
  date_of_birth: '1990-04-12',
  nin_number: 10_000_000_001,
  id_url: `${FILE}/id.png`,
  profile_url: `${FILE}/me.png`,
  ...plan,
});
