import * as z from 'zod/mini';
import { createRecords, type Records } from '../../core/records.ts';
import { component, describe, type Infer } from '../../core/schema.ts';
import type { Instant } from '../../core/time.ts';
import { createTokenBook, type TokenBook } from '../../core/tokens.ts';
import { id } from '../../http/record-fields.ts';
import type { FamilyWorld } from '../family.ts';
import { MotorPolicyRecord, purchaseFields } from './schemas.ts';

/** The share of a vehicle's value that is the premium (`motor-quote`). */
export const PremiumRate = component('MotorPremiumRate', () =>
  z.strictObject({
    product_id: id(),
    rate: describe(z.number().check(z.gt(0), z.lte(1)), {
      description: 'A share of the value of the vehicle: 0.05 for 5 %.',
    }),
  }),
);
export type PremiumRate = Infer<typeof PremiumRate>;

/** `fixtures/motor.json`. */
export const MotorRecords = component('MotorRecords', () =>
  z.strictObject({
    premium_rates: z.array(PremiumRate()),
    policies: z.array(MotorPolicyRecord()),
  }),
);
export type MotorRecords = Infer<typeof MotorRecords>;

/** What a pending purchase remembers between initiate and verify. */
export const PurchaseDetails = component('MotorPendingDetails', () =>
  z.strictObject(purchaseFields()),
);
export type PurchaseDetails = Infer<typeof PurchaseDetails>;

/** What a World remembers of motor. */
export interface MotorState {
  readonly premium_rates: readonly PremiumRate[];
  /** By policy number, oldest first. */
  readonly policies: Records<MotorPolicyRecord>;
  readonly tokens: TokenBook<PurchaseDetails>;
  /**
   * The policy numbers of pending purchases and when each was given, oldest first; made of the pending
   * purchases when the first number is drawn, as a restored World has some already.
   */
  reserved: Map<string, Instant> | undefined;
}

export type MotorWorld = FamilyWorld & { readonly motor: MotorState };

export function createState({ premium_rates, policies }: MotorRecords): MotorState {
  return {
    premium_rates,
    policies: createRecords(policies, (policy) => policy.policy_number),
    tokens: createTokenBook(),
    reserved: undefined,
  };
}
