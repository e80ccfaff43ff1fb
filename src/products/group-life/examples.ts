/* The examples in the documents: one purchase, from the request to the policy. */

import { midnight } from '../../world/time.ts';
import { exampleProduct } from '../catalogue.ts';
import { exampleOf } from '../named-schemas.ts';
import { createSubscriber } from '../subscriber.ts';
import { EXAMPLE_POLICY_NUMBER, REQUESTS } from './requests.ts';

export const EXAMPLE_REQUEST = exampleOf(REQUESTS.GroupLifeInitiateRequest);
export const EXAMPLE_MEMBER_REQUEST = exampleOf(REQUESTS.GroupLifeMemberRequest);

const written = '2026-01-31T10:00:00.000000Z';
const recorded = { created_at: written, updated_at: written };

export const EXAMPLE_USER = {
  ...createSubscriber(
    { ...EXAMPLE_REQUEST, date_of_birth: EXAMPLE_REQUEST.dob },
    { id: 50, policyNo: '4076182953', merchantId: 1, haveBeneficiaries: false, written },
  ),
  verify_phone: 0,
  verify_email: 0,
};

export const EXAMPLE_MEMBER = {
  id: 71,
  policy_id: 12,
  ...EXAMPLE_MEMBER_REQUEST,
  date_of_birth: midnight(EXAMPLE_MEMBER_REQUEST.date_of_birth),
  policy_type: 'group-life',
  ...recorded,
};

/** Its policy. The list shows fewer fields of the user. */
export const EXAMPLE_POLICY = {
  ...EXAMPLE_REQUEST,
  id: 12,
  user_id: EXAMPLE_USER.id,
  merchant_id: 1,
  policy_number: EXAMPLE_POLICY_NUMBER,
  start_date: midnight(EXAMPLE_REQUEST.start_date as string),
  end_date: '2027-02-01T00:00:00.000000Z',
  status: true,
  ...recorded,
  user: EXAMPLE_USER,
  product: exampleProduct(2),
  group_life_members: [EXAMPLE_MEMBER],
};
