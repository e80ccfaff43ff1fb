import * as z from 'zod/mini';
import { createRecords, type Records } from '../../core/records.ts';
import { component, describe, type Infer } from '../../core/schema.ts';
import { createTokenBook, type TokenBook } from '../../core/tokens.ts';
import { id } from '../../http/record-fields.ts';
import type { FamilyWorld } from '../family.ts';
import { Subscriber } from './schemas.ts';

const naira = () => z.number().check(z.gt(0));
const rate = () => z.number().check(z.gte(0), z.lte(1));

/** What a product costs for a number of users (`price-config`). */
export const Price = component('MicroHealthPrice', () =>
  z.strictObject({
    product_id: id(),
    users: describe(z.int().check(z.gte(1)), {
      description: 'The principal and the beneficiaries.',
    }),
    monthly: naira(),
    quarterly: naira(),
    annually: naira(),
  }),
);
export type Price = Infer<typeof Price>;

/** The shares of a premium that are commission (`commissions`). */
export const CommissionRate = component('CommissionRate', () =>
  z.strictObject({ product_id: id(), partner: rate(), merchant: rate() }),
);
export type CommissionRate = Infer<typeof CommissionRate>;

/** `fixtures/micro-health.json`. */
export const MicroHealthRecords = component('MicroHealthRecords', () =>
  z.strictObject({
    prices: z.array(Price()),
    commission_rates: z.array(CommissionRate()),
    subscribers: z.array(Subscriber()),
  }),
);
export type MicroHealthRecords = Infer<typeof MicroHealthRecords>;

/** What a pending subscription remembers between initiate and verify. */
export const SubscriptionDetails = component('MicroHealthPendingDetails', () =>
  z.strictObject({
    first_name: z.string(),
    surname: z.string(),
    email: z.string(),
    phone_no: z.string(),
    date_of_birth: z.string(),
    product_id: id(),
    subscription_type: z.enum(['monthly', 'quarterly', 'annually']),
    amount: z.number(),
    beneficiaries: z.array(z.string()),
  }),
);
export type SubscriptionDetails = Infer<typeof SubscriptionDetails>;

/** What a World remembers of micro-health. */
export interface MicroHealthState {
  readonly prices: readonly Price[];
  readonly commission_rates: readonly CommissionRate[];
  /** By policy number, oldest first. */
  readonly subscribers: Records<Subscriber>;
  readonly tokens: TokenBook<SubscriptionDetails>;
}

export type MicroHealthWorld = FamilyWorld & { readonly micro_health: MicroHealthState };

export function createState({
  prices,
  commission_rates,
  subscribers,
}: MicroHealthRecords): MicroHealthState {
  return {
    prices,
    commission_rates,
    subscribers: createRecords(subscribers, (subscriber) => subscriber.policy_no),
    tokens: createTokenBook(),
  };
}
