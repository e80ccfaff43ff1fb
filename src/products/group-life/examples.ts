/* The examples of the document: one purchase, from its request to the policy it becomes. */

export const EXAMPLE_TOKEN = 'GLP176985360040173958';
export const EXAMPLE_POLICY_NUMBER = 'IN40173958';

const recorded = {
  created_at: '2026-01-31T10:00:00.000000Z',
  updated_at: '2026-01-31T10:00:00.000000Z',
};

export const EXAMPLE_MEMBER_REQUEST = {
  full_name: 'Bola Ade',
  gender: 'female',
  occupation: 'Tailor',
  date_of_birth: '1992-08-03',
  next_of_kiln: 'Sade Ade',
  phone_number: '08067654321',
};

export const EXAMPLE_REQUEST = {
  email: 'ada@example.com',
  first_name: 'Ada',
  surname: 'Obi',
  phone_no: '08031234567',
  gender: 'female',
  dob: '1990-04-12',
  product_id: 2,
  group_name: 'Balogun Traders',
  group_type: 'Trade association',
  group_contact_address: '14 Balogun Street, Lagos',
  first_person_name: 'Ada Obi',
  first_person_phone: '08031234567',
  second_person_name: 'Tunde Bello',
  members: [EXAMPLE_MEMBER_REQUEST],
  second_person_phone: '08059876543',
  start_date: '2026-02-01',
};

const { email, first_name, surname, phone_no, gender, dob } = EXAMPLE_REQUEST;

export const EXAMPLE_LISTED_USER = {
  id: 50,
  first_name,
  middle_name: null,
  surname,
  phone_no,
  email,
  address: null,
  gender,
  ...recorded,
};

const { created_at: _created, updated_at: _updated, ...person } = EXAMPLE_LISTED_USER;

export const EXAMPLE_USER = {
  ...person,
  date_of_birth: `${dob}T00:00:00.000000Z`,
  password: null,
  policy_no: '4076182953',
  have_beneficiaries: false,
  enable: true,
  next_of_kin_full_name: null,
  merchant_user_id: 1,
  user_type: 'principal',
  ...recorded,
  principal_policy_no: null,
  nin_number: null,
  id_url: null,
  profile_url: null,
  company_id: null,
  verify_phone: 0,
  verify_email: 0,
  town: null,
  state_of_residence: null,
  transaction_pin: null,
  occupation: null,
};

export const EXAMPLE_MEMBER = {
  id: 71,
  policy_id: 12,
  ...EXAMPLE_MEMBER_REQUEST,
  date_of_birth: `${EXAMPLE_MEMBER_REQUEST.date_of_birth}T00:00:00.000000Z`,
  policy_type: 'group-life',
  deleted_at: null,
  ...recorded,
};

export const EXAMPLE_PRODUCT = {
  id: 2,
  name: 'Group Life Plan',
  details: '<p>A lump sum for the next of kin when a member of the group dies.</p>',
  beneficiaries: false,
  max_beneficiaries: 0,
  provider_id: 1,
  logo_url: null,
  enable: true,
  created_at: '2023-01-16T09:30:00.000000Z',
  updated_at: '2023-01-16T09:30:00.000000Z',
  service_id: 2,
  product_class_id: 2,
};

const GROUP = {
  group_name: EXAMPLE_REQUEST.group_name,
  group_type: EXAMPLE_REQUEST.group_type,
  group_contact_address: EXAMPLE_REQUEST.group_contact_address,
  first_person_name: EXAMPLE_REQUEST.first_person_name,
  first_person_phone: EXAMPLE_REQUEST.first_person_phone,
  second_person_name: EXAMPLE_REQUEST.second_person_name,
  second_person_phone: EXAMPLE_REQUEST.second_person_phone,
};

export const examplePolicy = <User, Product, Member>(
  user: User,
  product: Product,
  members: Member[],
) => ({
  id: 12,
  user_id: 50,
  product_id: 2,
  merchant_id: 1,
  policy_number: EXAMPLE_POLICY_NUMBER,
  ...GROUP,
  start_date: `${EXAMPLE_REQUEST.start_date}T00:00:00.000000Z`,
  end_date: '2027-02-01T00:00:00.000000Z',
  status: true,
  deleted_at: null,
  ...recorded,
  user,
  product,
  group_life_members: members,
});
