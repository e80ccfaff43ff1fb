/* Motor as the rest of the sandbox sees it: one product family among others. */

import { z } from '@hono/zod-openapi';
import builtInRecords from '../../../fixtures/motor.json' with { type: 'json' };
import { IMAGES } from '../../api/request-forms.ts';
import { defineFamily } from '../family.ts';
import { ASSUMPTIONS } from './assumptions.ts';
import { inventPurchase } from './invented.ts';
import { presentPolicy } from './policies.ts';
import { premiumOf, rateOf } from './purchase.ts';
import { MotorPurchaseDetails, MotorRecords, type MotorWorld } from './records.ts';
import { slugOf, TOKENS } from './requests.ts';
import { OPERATIONS, TAG } from './routes.ts';
import { createSchemas, SCHEMAS } from './schemas.ts';

const NOTES = `
- A quote has \`data.premium\`. Frequencies: monthly, quarterly, yearly.
- Initiate already has the final \`policy_number\`: look it up when the response of verify is lost.
- \`status\` is true in verify, "activated" in the list. \`duration\` is returned as sent.`.trim();

export const motor = defineFamily({
  key: 'motor',
  tag: TAG,
  description: 'Comprehensive motor insurance. The premium depends on the value of the vehicle.',
  notes: NOTES,
  operations: OPERATIONS,
  schemas: SCHEMAS,
  createSchemas,
  tokenRules: TOKENS,
  records: MotorRecords,
  policyName: 'MotorPolicy',
  builtInRecords,
  details: MotorPurchaseDetails,
  assumptions: ASSUMPTIONS,
  settings: [IMAGES],
  policyKeys: { keyOf: ({ policy_number }) => policy_number },
  reservedNumber: 'policy_number',
  merchantOf: ({ merchant_user_id }) => merchant_user_id,
  // A policy does not keep the name of its customer.
  holderOf: ({ contact_person_name }) => contact_person_name,
  termsOf: (world: MotorWorld, policy) => ({
    product: policy.product_id,
    plan: `${policy.frequency_type} × ${policy.duration}`,
    premium: premiumOf(world, policy.product_id, policy.vehicle_value),
    insured: `${policy.vehicle_make} ${policy.vehicle_model} ${policy.registration_no}`,
  }),
  tellingFields: {
    who: ['contact_person_name'],
    premium: ['premium'],
    period: ['frequency_type'],
    policy: 'policy_number',
  },
  pendingPremium: (world: MotorWorld, { product_id, vehicle_value }) =>
    premiumOf(world, product_id, vehicle_value),
  sequences: [
    { name: 'user', idsIn: ({ user_id }) => [user_id] },
    { name: 'motor_policy', idsIn: ({ id }) => [id] },
  ],
  priceLists: { premium_rates: ({ product_id }) => `premium rate of product ${product_id}` },
  policyPaths: { product: ['product_id'], createdAt: ['created_at'], coverEnd: ['end_date'] },
  renumberPolicy: (policy, policy_number) => ({
    ...policy,
    policy_number,
    slug: slugOf(policy_number),
  }),
  presentPolicy: (_world, policy) => presentPolicy(policy),
  priceFields: () => ({
    rate: z
      .number()
      .nullable()
      .meta({ description: 'Premium as a share of the value of the vehicle. Null without one.' }),
  }),
  pricesOf: (world: MotorWorld, id) => ({ rate: rateOf(world, id) ?? null }),
  dayFields: ['start_date', 'inspection_date'],
  inventPurchase,
});
