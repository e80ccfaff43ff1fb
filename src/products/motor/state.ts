import { z } from '@hono/zod-openapi';
import { addRecord, createRecords, type Records } from '../../core/records.ts';
import type { Instant } from '../../core/time.ts';
import { createTokenStore, type TokenStore } from '../../core/tokens.ts';
import { id } from '../../http/response-fields.ts';
import type { FamilyWorld } from '../family.ts';
import { MotorPolicyRecord, purchaseFields } from './schemas.ts';

/** The share of a vehicle's value that is the premium (`motor-quote`). */
export const PremiumRate = z
  .strictObject({
    product_id: id(),
    rate: z.number().gt(0).lte(1).meta({
      description: 'A share of the value of the vehicle: 0.05 for 5 %.',
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

/** What a pending purchase remembers between initiate and verify. */
export const PurchaseDetails = z.strictObject(purchaseFields).openapi('MotorPendingDetails');
export type PurchaseDetails = z.output<typeof PurchaseDetails>;

/** What a World remembers of motor. */
export interface MotorState {
  readonly premium_rates: readonly PremiumRate[];
  /** By policy number, oldest first. */
  readonly policies: Records<MotorPolicyRecord>;
  readonly tokens: TokenStore<PurchaseDetails>;
  /**
   * The policy numbers of pending purchases and when each was given, oldest first; made of the pending
   * purchases when the first number is drawn, as a restored World has some already.
   */
  reserved: Map<string, Instant> | undefined;
}

export type MotorWorld = FamilyWorld & { readonly motor: MotorState };

const numberOf = (policy: MotorPolicyRecord): string => policy.policy_number;

export function createState({ premium_rates, policies }: MotorRecords): MotorState {
  return {
    premium_rates,
    policies: createRecords(policies, numberOf),
    tokens: createTokenStore(),
    reserved: undefined,
  };
}

export const addPolicy = ({ policies }: MotorState, policy: MotorPolicyRecord): void =>
  addRecord(policies, numberOf(policy), policy);
