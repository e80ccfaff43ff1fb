import { createSandbox, type MicroHealthInitiateRequest } from 'micro-insurance-sandbox';

export const sandbox = createSandbox({ now: '2026-01-31T10:00:00Z', clock: 'frozen' });
export const merchant = sandbox.createMerchant();

/** A customer with every required field of an initiate, in the package's own types. */
export const ada: MicroHealthInitiateRequest = {
  first_name: 'Ada',
  surname: 'Obi',
  email: 'ada@example.com',
  phone_no: '08031234567',
  date_of_birth: '1990-04-12',
  nin_number: '12345678901',
  first_beneficiary_full_name: 'Bola Ade',
  product_id: 1,
  subscription_type: 'monthly',
  amount: 700,
  id_url: 'https://files.example.com/id.png',
};
