import { z } from '@hono/zod-openapi';
import { id } from '../../api/response-fields.ts';
import { RecordTable, type Tables } from '../../world/tables.ts';
import { createTokenStore, type TokenStore } from '../../world/tokens.ts';
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
  readonly policies: RecordTable<MotorPolicyRecord>;
  /** Each pending purchase keeps the number of the policy to come. */
  readonly tokens: TokenStore<PurchaseDetails>;
}

export type MotorWorld = FamilyWorld & { readonly motor: MotorState };

export const createState = (
  { premium_rates }: Pick<MotorRecords, 'premium_rates'>,
  tables: Tables,
): MotorState => ({
  premium_rates,
  policies: new RecordTable(tables, 'motor.policies', {
    own: ({ policy_number }) => policy_number,
  }),
  tokens: createTokenStore(tables, 'motor', ({ policy_number }) => policy_number),
});
