/* What a World stores of motor: premium rates, policies and pending purchases. */

import { z } from '@hono/zod-openapi';
import { id } from '../../api/response-fields.ts';
import { onFirstUse } from '../../world/on-first-use.ts';
import type { FamilyState, FamilyWorld } from '../family.ts';
import { MotorPolicyRecord } from './schemas.ts';

/** `fixtures/motor.json`. */
export const MotorRecords = onFirstUse(() =>
  z.strictObject({
    // The premium as a share of the value of the vehicle (`motor-quote`).
    premium_rates: z.array(z.strictObject({ product_id: id(), rate: z.number().gt(0).lte(1) })),
    policies: z.array(MotorPolicyRecord()),
  }),
);
export type MotorRecords = z.output<ReturnType<typeof MotorRecords>>;

/** What a pending purchase stores between initiate and verify: the policy without what verify adds. */
export const MotorPurchaseDetails = onFirstUse(() =>
  MotorPolicyRecord().omit({
    id: true,
    user_id: true,
    status: true,
    created_at: true,
    updated_at: true,
  }),
);
export type MotorPurchaseDetails = z.output<ReturnType<typeof MotorPurchaseDetails>>;

/** The motor part of a World. */
export type MotorState = FamilyState<MotorRecords, MotorPurchaseDetails>;
export type MotorWorld = FamilyWorld & { readonly motor: MotorState };
