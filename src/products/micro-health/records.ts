/* What a World stores of micro-health: prices, commissions, policies, pending purchases. */

import { z } from '@hono/zod-openapi';
import { isInKobo, MAX_AMOUNT } from '../../api/request-fields.ts';
import { day, id } from '../../api/response-fields.ts';
import { onFirstUse } from '../../world/on-first-use.ts';
import type { FamilyState, FamilyWorld } from '../family.ts';
import { FREQUENCIES } from './requests.ts';
import { MicroHealthSubscriber } from './schemas.ts';

const rate = () => z.number().min(0).lte(1);

/** Naira that can be paid. */
const amount = () =>
  z
    .number()
    .gt(0)
    .lte(MAX_AMOUNT)
    .refine(isInKobo, { error: 'naira with at most two decimal places' });

/** The premiums of a product for a number of users (`price-config`). */
export const Price = onFirstUse(() =>
  z.strictObject({
    product_id: id(),
    users: z.int().min(1).meta({
      description: 'Number of people covered: the principal and the beneficiaries.',
    }),
    monthly: amount(),
    quarterly: amount(),
    annually: amount(),
  }),
);
export type Price = z.output<ReturnType<typeof Price>>;

/** `fixtures/micro-health.json`. */
export const MicroHealthRecords = onFirstUse(() =>
  z.strictObject({
    prices: z.array(Price()),
    // The commissions as shares of a premium (`commissions`).
    commission_rates: z.array(
      z.strictObject({ product_id: id(), partner: rate(), merchant: rate() }),
    ),
    policies: z.array(MicroHealthSubscriber()),
  }),
);
export type MicroHealthRecords = z.output<ReturnType<typeof MicroHealthRecords>>;

/** What a pending purchase stores between initiate and verify. */
export const MicroHealthPurchaseDetails = onFirstUse(() =>
  z.strictObject({
    first_name: z.string(),
    surname: z.string(),
    email: z.string(),
    phone_no: z.string(),
    date_of_birth: day(),
    product_id: id(),
    subscription_type: z.enum(FREQUENCIES),
    amount: amount(),
    beneficiaries: z.array(z.string()),
  }),
);
export type MicroHealthPurchaseDetails = z.output<ReturnType<typeof MicroHealthPurchaseDetails>>;

/** The micro-health part of a World. */
export type MicroHealthState = FamilyState<MicroHealthRecords, MicroHealthPurchaseDetails>;
export type MicroHealthWorld = FamilyWorld & {
  readonly micro_health: MicroHealthState;
};
