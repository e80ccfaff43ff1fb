/* The examples in the documents: one purchase, from the request to the policy. */

import { midnight } from '../../world/time.ts';
import { exampleOf } from '../named-schemas.ts';
import { EXAMPLE_POLICY_NUMBER, REQUESTS } from './requests.ts';

export const EXAMPLE_REQUEST = exampleOf(REQUESTS.MotorInitiateRequest);

const { start_date, sum_insured } = EXAMPLE_REQUEST;
const end_date = '2027-02-01';

/** All values of its policy. Each response shows some of them. */
export const EXAMPLE_POLICY = {
  ...EXAMPLE_REQUEST,
  slug: `comprehensive-motor-${EXAMPLE_POLICY_NUMBER.toLowerCase()}`,
  product_id: 4,
  merchant_user_id: 1,
  vehicle_value: sum_insured,
  end_date,
  policy_number: EXAMPLE_POLICY_NUMBER,
};

export const EXAMPLE_VERIFIED_POLICY = {
  ...EXAMPLE_POLICY,
  merchant_id: 1,
  start_date: midnight(start_date),
  end_date: midnight(end_date),
  id: 6,
  user_id: 206,
  status: true,
  created_at: '2026-01-31T10:00:00.000000Z',
  updated_at: '2026-01-31T10:00:00.000000Z',
};
