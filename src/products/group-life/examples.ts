import { exampleOf } from '../named-schemas.ts';
import { createSubscriber } from '../subscriber.ts';
import { EXAMPLE_POLICY_NUMBER, REQUESTS } from './requests.ts';

/* The examples in the documents: one purchase, from the request to the policy. */

export const EXAMPLE_REQUEST = exampleOf(REQUESTS.GroupLifeInitiateRequest);
export const EXAMPLE_MEMBER_REQUEST = exampleOf(REQUESTS.GroupLifeMemberRequest);

const written = '2026-01-31T10:00:00.000000Z';
const recorded = { created_at: written, updated_at: written };

export const EXAMPLE_USER = {
  ...createSubscriber(
    { ...EXAMPLE_REQUEST, date_of_birth: EXAMPLE_REQUEST.dob },
    { id: 50, policyNo: '4076182953', merchantId: 1, haveBeneficiaries: false, written },
  ),
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

/** Its policy. The list shows fewer fields of the user. */
export const EXAMPLE_POLICY = {
  ...EXAMPLE_REQUEST,
  id: 12,
  user_id: EXAMPLE_USER.id,
  product_id: EXAMPLE_PRODUCT.id,
  merchant_id: 1,
  policy_number: EXAMPLE_POLICY_NUMBER,
  start_date: `${EXAMPLE_REQUEST.start_date}T00:00:00.000000Z`,
  end_date: '2027-02-01T00:00:00.000000Z',
  status: true,
  deleted_at: null,
  ...recorded,
  user: EXAMPLE_USER,
  product: EXAMPLE_PRODUCT,
  group_life_members: [EXAMPLE_MEMBER],
};
