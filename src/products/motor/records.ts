/* What a World stores of motor: premium rates, policies and pending purchases. */

import { z } from '@hono/zod-openapi';
import { id } from '../../api/response-fields.ts';
import { onFirstUse } from '../../world/on-first-use.ts';
import type { Settings } from '../../world/settings.ts';
import { type Instant, startOfDay } from '../../world/time.ts';
import type { FamilyState, FamilyWorld } from '../family.ts';
import { MONTH_END } from '../month-end.ts';
import type { MotorInitiateRequest } from './requests.ts';
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

/** The slug of a policy number (`motor-slug`). */
export const slugOf = (policyNumber: string): string =>
  `comprehensive-motor-${policyNumber.toLowerCase()}`;

/** Calendar months of one period. */
const MONTHS: Readonly<Record<MotorInitiateRequest['frequency_type'], number>> = {
  monthly: 1,
  quarterly: 3,
  yearly: 12,
};

type Cover = Pick<MotorInitiateRequest, 'start_date' | 'frequency_type' | 'duration'>;

/** When the cover ends (`motor-dates`, `month-end`). NaN if that is beyond the calendar. */
export function coverEnd(settings: Settings, cover: Cover): Instant {
  const months = Number(cover.duration) * MONTHS[cover.frequency_type];
  return MONTH_END.of(settings).addMonths(startOfDay(cover.start_date), months);
}

/** What a pending purchase stores between initiate and verify: the policy without what verify adds. */
export const MotorPurchaseDetails = onFirstUse(() =>
  MotorPolicyRecord().omit({
    merchant_user_id: true,
    id: true,
    user_id: true,
    status: true,
    created_at: true,
    updated_at: true,
  }),
);
export type MotorPurchaseDetails = z.output<ReturnType<typeof MotorPurchaseDetails>>;

/** The motor part of a World. */
export type MotorState = FamilyState<MotorRecords, 'policies', MotorPurchaseDetails>;
export type MotorWorld = FamilyWorld & { readonly motor: MotorState };
