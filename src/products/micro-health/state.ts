import { z } from '@hono/zod-openapi';
import { isInKobo, MAX_AMOUNT } from '../../api/request-fields.ts';
import { day, id } from '../../api/response-fields.ts';
import { RecordTable, type Tables } from '../../world/tables.ts';
import { createTokenStore, type TokenStore } from '../../world/tokens.ts';
import type { FamilyWorld } from '../family.ts';
import { BENEFICIARY_FIELDS } from './requests.ts';
import { MicroHealthSubscriber } from './schemas.ts';
import type { MicroHealthSettings } from './settings.ts';

/** A premium: it has to be paid by an amount that a request can name. */
const naira = () =>
  z
    .number()
    .gt(0)
    .lte(MAX_AMOUNT)
    .refine(isInKobo, { error: 'naira with at most two decimal places' });
const rate = () => z.number().min(0).lte(1);

/** What a product costs for a number of users (`price-config`). */
export const Price = z
  .strictObject({
    product_id: id(),
    users: z.int().min(1).meta({
      description: 'The principal and the beneficiaries.',
    }),
    monthly: naira(),
    quarterly: naira(),
    annually: naira(),
  })
  .openapi('MicroHealthPrice');
export type Price = z.output<typeof Price>;

/** The shares of a premium that are commission (`commissions`). */
export const CommissionRate = z
  .strictObject({ product_id: id(), partner: rate(), merchant: rate() })
  .openapi('CommissionRate');
export type CommissionRate = z.output<typeof CommissionRate>;

/** `fixtures/micro-health.json`. */
export const MicroHealthRecords = z
  .strictObject({
    prices: z.array(Price),
    commission_rates: z.array(CommissionRate),
    subscribers: z.array(MicroHealthSubscriber),
  })
  .openapi('MicroHealthRecords');
export type MicroHealthRecords = z.output<typeof MicroHealthRecords>;

/** What a pending subscription remembers between initiate and verify. */
export const SubscriptionDetails = z
  .strictObject({
    first_name: z.string(),
    surname: z.string(),
    email: z.string(),
    phone_no: z.string(),
    date_of_birth: day(),
    product_id: id(),
    subscription_type: z.enum(['monthly', 'quarterly', 'annually']),
    amount: z.number(),
    beneficiaries: z.array(z.string()).max(BENEFICIARY_FIELDS.length),
  })
  .openapi('MicroHealthPendingDetails');
export type SubscriptionDetails = z.output<typeof SubscriptionDetails>;

/** What a World remembers of micro-health. */
export interface MicroHealthState {
  readonly prices: readonly Price[];
  readonly commission_rates: readonly CommissionRate[];
  /** By policy number, oldest first. */
  readonly subscribers: RecordTable<MicroHealthSubscriber>;
  readonly tokens: TokenStore<SubscriptionDetails>;
}

export type MicroHealthWorld = FamilyWorld & {
  readonly settings: MicroHealthSettings;
  readonly micro_health: MicroHealthState;
};

export const createState = (
  { prices, commission_rates }: Pick<MicroHealthRecords, 'prices' | 'commission_rates'>,
  tables: Tables,
): MicroHealthState => ({
  prices,
  commission_rates,
  subscribers: new RecordTable(tables, 'micro_health.subscribers', {
    own: ({ policy_no }) => policy_no,
  }),
  tokens: createTokenStore(tables, 'micro_health'),
});
