import { z } from '@hono/zod-openapi';
import { id } from '../../api/response-fields.ts';
import type { FamilyState, FamilyWorld } from '../family.ts';
import type { RecordCheck } from '../record-validation.ts';
import { MotorPolicyRecord, purchaseFields } from './schemas.ts';

/** The premium as a share of the value of the vehicle (`motor-quote`). */
export const PremiumRate = z
  .strictObject({
    product_id: id(),
    rate: z.number().gt(0).lte(1).meta({
      description: 'Share of the value of the vehicle: 0.05 is 5 %.',
    }),
  })
  .openapi('MotorPremiumRate');
export type PremiumRate = z.output<typeof PremiumRate>;

/** `fixtures/motor.json`. */
export const MotorRecords = z
  .strictObject({
    premium_rates: z.array(PremiumRate),
    policies: z.array(MotorPolicyRecord),
  })
  .openapi('MotorRecords');
export type MotorRecords = z.output<typeof MotorRecords>;

/** What a pending purchase stores between initiate and verify. */
export const PendingDetails = z.strictObject(purchaseFields);
export type PendingDetails = z.output<typeof PendingDetails>;

/** The motor part of a World. */
export type MotorState = FamilyState<MotorRecords, 'policies', PendingDetails>;
export type MotorWorld = FamilyWorld & { readonly motor: MotorState };

export const recordChecks = {
  premium_rates({ product_id: product }: PremiumRate, check: RecordCheck) {
    check.expectProduct(product);
    check.expectUnique(product, [], () => `a second premium rate of product ${product}`);
  },
  policies(policy: MotorPolicyRecord, check: RecordCheck) {
    check.expectUniqueId(policy.id, policy.merchant_user_id);
    check.expectProduct(policy.product_id);
    check.expectUniqueNumber(policy.policy_number, ['policy_number']);
    check.expectInOrder(policy.created_at, ['created_at'], 'policy');
  },
};
