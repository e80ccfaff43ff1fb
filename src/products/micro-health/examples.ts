/* The examples of the document: one purchase, from its request to the subscriber it becomes. */

export const EXAMPLE_TOKEN = '3f7a1c9be20d4586a7b1c3d5e7f90123456789ab';
export const EXAMPLE_POLICY_NO = '4017395826';

export const EXAMPLE_REQUEST = {
  first_name: 'Ada',
  surname: 'Obi',
  email: 'ada@example.com',
  phone_no: '08031234567',
  date_of_birth: '1990-04-12',
  product_id: 1,
  subscription_type: 'monthly',
  amount: 700,
  nin_number: 12345678901,
  first_beneficiary_full_name: 'Bola Ade',
  id_url: 'https://files.example.com/id.png',
  profile_url: 'https://files.example.com/me.png',
};

const { first_name, surname, email, phone_no, date_of_birth, product_id, subscription_type } =
  EXAMPLE_REQUEST;

const PAID_AT = '2026-01-31T10:00:00.000000Z';

const recorded = { created_at: PAID_AT, updated_at: PAID_AT };

export const EXAMPLE_SUBSCRIPTION = {
  id: 33,
  user_id: 50,
  product_id,
  recurring: true,
  subscriptions_type: subscription_type,
  subscriptions_no: 1,
  start_date: PAID_AT,
  end_date: '2026-02-28T10:00:00.000000Z',
  enable: 1,
  policy_no: EXAMPLE_POLICY_NO,
  merchant_user_id: 1,
  ...recorded,
  active_date: '2026-01-31 10:00:00',
};

export const EXAMPLE_PRODUCT = {
  id: 1,
  name: 'Malaria Care Plan',
  details: '<p>Treatment of malaria at any partner hospital.</p>',
  beneficiaries: true,
  max_beneficiaries: 3,
  provider_id: 1,
  logo_url: null,
  enable: true,
  created_at: '2023-01-09T08:00:00.000000Z',
  updated_at: '2023-01-09T08:00:00.000000Z',
};

export const EXAMPLE_SUBSCRIBER = {
  id: 50,
  first_name,
  middle_name: null,
  surname,
  phone_no,
  email,
  address: null,
  gender: null,
  date_of_birth: `${date_of_birth}T00:00:00.000000Z`,
  password: null,
  policy_no: EXAMPLE_POLICY_NO,
  have_beneficiaries: true,
  enable: true,
  next_of_kin_full_name: null,
  merchant_user_id: 1,
  user_type: 'principal',
  ...recorded,
  beneficiary: [
    {
      id: 41,
      full_name: EXAMPLE_REQUEST.first_beneficiary_full_name,
      surname: null,
      email: null,
      phone_no: null,
      address: null,
      gender: null,
      date_of_birth: null,
      product_id: null,
      user_id: 50,
      ...recorded,
    },
  ],
  subscriptions: EXAMPLE_SUBSCRIPTION,
  transactions: [
    {
      id: 61,
      user_id: 50,
      amount: EXAMPLE_REQUEST.amount.toFixed(2),
      product_id,
      status: 'successful',
      type: 'credit',
      subscriptions_id: 33,
      merchant_user_id: 1,
      ...recorded,
      partner_commission: '70.00',
      merchant_commission: '35.00',
      total_commission: '105.00',
    },
  ],
};
