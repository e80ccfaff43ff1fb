/* What a World stores of micro-health: prices, commissions, subscribers, pending purchases. */

import { z } from '@hono/zod-openapi';
import { id } from '../../api/response-fields.ts';
import { onFirstUse } from '../../world/on-first-use.ts';
import { instantOf, monthsBetween } from '../../world/time.ts';
import type { FamilyState, FamilyWorld } from '../family.ts';
import type { RecordCheck } from '../record-validation.ts';
import {
  storedAmount,
  storedDate,
  storedEmail,
  storedPhone,
  storedText,
} from '../stored-fields.ts';
import { BENEFICIARY_FIELDS, FREQUENCIES } from './requests.ts';
import { MicroHealthSubscriber } from './schemas.ts';

const rate = () => z.number().min(0).lte(1);

/** The premiums of a product for a number of users (`price-config`). */
export const Price = onFirstUse(() =>
  z
    .strictObject({
      product_id: id(),
      users: z.int().min(1).meta({
        description: 'Number of people covered: the principal and the beneficiaries.',
      }),
      monthly: storedAmount(),
      quarterly: storedAmount(),
      annually: storedAmount(),
    })
    .openapi('MicroHealthPrice'),
);
export type Price = z.output<ReturnType<typeof Price>>;

/** The commissions as shares of a premium (`commissions`). */
export const CommissionRate = onFirstUse(() =>
  z.strictObject({ product_id: id(), partner: rate(), merchant: rate() }).openapi('CommissionRate'),
);
export type CommissionRate = z.output<ReturnType<typeof CommissionRate>>;

/** `fixtures/micro-health.json`. */
export const MicroHealthRecords = onFirstUse(() =>
  z
    .strictObject({
      prices: z.array(Price()),
      commission_rates: z.array(CommissionRate()),
      subscribers: z.array(MicroHealthSubscriber()),
    })
    .openapi('MicroHealthRecords'),
);
export type MicroHealthRecords = z.output<ReturnType<typeof MicroHealthRecords>>;

/** What a pending purchase stores between initiate and verify. */
export const MicroHealthPurchaseDetails = onFirstUse(() =>
  z.strictObject({
    first_name: storedText(),
    surname: storedText(),
    email: storedEmail(),
    phone_no: storedPhone(),
    date_of_birth: storedDate(),
    product_id: id(),
    subscription_type: z.enum(FREQUENCIES),
    amount: storedAmount(),
    beneficiaries: z.array(storedText()).max(BENEFICIARY_FIELDS.length),
  }),
);
export type MicroHealthPurchaseDetails = z.output<ReturnType<typeof MicroHealthPurchaseDetails>>;

/** The micro-health part of a World. */
export type MicroHealthState = FamilyState<
  MicroHealthRecords,
  'subscribers',
  MicroHealthPurchaseDetails
>;
export type MicroHealthWorld = FamilyWorld & {
  readonly micro_health: MicroHealthState;
};

export const recordChecks = {
  prices({ product_id: product, users }: Price, check: RecordCheck) {
    check.expectProduct(product);
    const message = `a second price of product ${product} for ${users} users`;
    check.expectUnique(`${product}/${users}`, [], () => message);
  },
  commission_rates({ product_id: product }: CommissionRate, check: RecordCheck) {
    check.expectProduct(product);
    check.expectUnique(product, [], () => `a second commission rate of product ${product}`);
  },
  subscribers(subscriber: MicroHealthSubscriber, check: RecordCheck) {
    const { id, policy_no, merchant_user_id: merchant, subscriptions: subscription } = subscriber;
    const within = (field: string) => ['subscriptions', field];
    check.expectProduct(subscription.product_id, within('product_id'));
    check.expectUniqueId(id, subscription.merchant_user_id);
    check.expectUniqueNumber(policy_no, ['policy_no']);
    const repeats = (
      field: 'policy_no' | 'user_id' | 'merchant_user_id',
      expected: unknown,
      what: string,
    ) => check.expectSame(subscription[field], expected, within(field), what);
    repeats('policy_no', policy_no, 'the policy number of its subscriber');
    repeats('user_id', id, 'the id of its subscriber');
    if (merchant !== null) repeats('merchant_user_id', merchant, 'the merchant of its subscriber');
    for (const [place, { user_id }] of subscriber.beneficiary.entries()) {
      const path = ['beneficiary', place, 'user_id'];
      check.expectSame(user_id, id, path, 'the id of its subscriber');
    }
    for (const [place, { user_id, subscriptions_id }] of subscriber.transactions.entries()) {
      const path = (field: string) => ['transactions', place, field];
      check.expectSame(user_id, id, path('user_id'), 'the id of its subscriber');
      const paidFor = path('subscriptions_id');
      check.expectSame(subscriptions_id, subscription.id, paidFor, 'the id of its subscription');
    }
    // Every paid period moves the end by at least a month (`top-up-dates`).
    const { start_date, end_date, subscriptions_no: periods } = subscription;
    const months = monthsBetween(instantOf(start_date), instantOf(end_date));
    const demand = `expected at most ${months}, the months from start_date to end_date`;
    check.expect(periods <= months, 'range', within('subscriptions_no'), demand);
    check.expectInOrder(subscription.created_at, within('created_at'), 'subscriber');
  },
};
