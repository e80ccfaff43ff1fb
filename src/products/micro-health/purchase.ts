/* The rules of a micro-health purchase: check, initiate and verify. */

import {
  type FieldError,
  fieldError,
  type Malformed,
  NOTHING_MALFORMED,
  throwIfInvalid,
} from '../../world/errors.ts';
import { counted } from '../../world/grouped.ts';
import { nextId } from '../../world/tables.ts';
import { type Instant, timestamp } from '../../world/time.ts';
import { localDateTime, localDay } from '../../world/time-zone.ts';
import { completePurchase, savePurchase } from '../../world/tokens.ts';
import { type CatalogueProduct, checkProduct, productOf } from '../catalogue.ts';
import { MONTH_END, nextNumber } from '../policy.ts';
import { checkBirthDate, createSubscriber } from '../subscriber.ts';
import { checkAmount, createTransaction, maxUsers, priceOf } from './pricing.ts';
import type { MicroHealthPurchaseDetails, MicroHealthWorld } from './records.ts';
import {
  BENEFICIARY_FIELDS,
  type MicroHealthInitiateRequest,
  MONTHS,
  POLICY_NUMBERS,
} from './requests.ts';
import type {
  MicroHealthBeneficiary,
  MicroHealthListedSubscription,
  MicroHealthSubscriber,
} from './schemas.ts';

/** The names of the beneficiaries. A gap between the fields is allowed (`users-count`). */
const namesOf = (input: Partial<MicroHealthInitiateRequest>): string[] =>
  BENEFICIARY_FIELDS.map((field) => input[field]).filter((name) => name !== undefined);

/** The problems of a purchase, as far as its fields are known. */
export function checkPurchase(
  world: MicroHealthWorld,
  input: Partial<MicroHealthInitiateRequest>,
  now: Instant,
  malformed: Malformed = NOTHING_MALFORMED,
): FieldError[] {
  const { product_id: product } = input;
  const errors = [
    ...checkBirthDate('date_of_birth', input.date_of_birth, localDay(world.settings, now)),
    ...checkProduct(world, 'micro_health', product),
  ];
  if (product === undefined || errors.some(({ field }) => field === 'product_id')) return errors;
  return [...errors, ...checkPlan(world, productOf(world, product), input, malformed)];
}

/** The problems of a plan: the product must cover everybody named, and the amount must be the premium. */
function checkPlan(
  world: MicroHealthWorld,
  product: CatalogueProduct,
  input: Partial<MicroHealthInitiateRequest>,
  malformed: Malformed,
): FieldError[] {
  const users = 1 + namesOf(input).length;
  const most = maxUsers(product);
  const field = BENEFICIARY_FIELDS.findLast((each) => input[each] !== undefined) ?? 'product_id';
  if (users > most) {
    const demand = `must not name another user: product ${product.id} covers at most ${counted(most, 'user')}.`;
    return [fieldError(field, 'users', demand, 'users-count')];
  }
  // With a malformed name the number of users is unknown, and so is the premium.
  if (BENEFICIARY_FIELDS.some((each) => Object.hasOwn(malformed, each))) return [];
  const price = priceOf(world, product.id, users);
  if (!price) {
    const demand =
      users === 1
        ? 'names a product that has no price for 1 user.'
        : `makes ${users} users, for whom product ${product.id} has no price.`;
    return [fieldError(field, 'price', demand, 'price-config')];
  }
  if (input.subscription_type === undefined || input.amount === undefined) return [];
  return checkAmount(world, input.amount, price[input.subscription_type]);
}

/** Saves a purchase until its token expires, and returns the token. */
export function initiatePurchase(
  world: MicroHealthWorld,
  input: MicroHealthInitiateRequest,
  now: Instant,
): string {
  throwIfInvalid(checkPurchase(world, input, now));
  return savePurchase(world, world.micro_health.tokens, createDetails(input), now);
}

/** The parts of a request that a pending purchase stores. */
const createDetails = (input: MicroHealthInitiateRequest): MicroHealthPurchaseDetails => ({
  first_name: input.first_name,
  surname: input.surname,
  email: input.email,
  phone_no: input.phone_no,
  date_of_birth: input.date_of_birth,
  product_id: input.product_id,
  subscription_type: input.subscription_type,
  amount: input.amount,
  beneficiaries: namesOf(input),
});

/**
 * Turns a pending purchase into a subscriber with a subscription (`subscriber-per-purchase`). Throws
 * `token_unknown`, `token_used` or `token_expired`.
 */
export function verifyPurchase(
  world: MicroHealthWorld,
  token: string,
  now: Instant,
): MicroHealthSubscriber {
  const { tokens, policies } = world.micro_health;
  return completePurchase(world, tokens, token, policies, (details) =>
    createPrincipal(world, details, now),
  );
}

function createPrincipal(
  world: MicroHealthWorld,
  details: MicroHealthPurchaseDetails,
  now: Instant,
): MicroHealthSubscriber {
  const written = timestamp(now);
  const userId = nextId(world, 'user');
  const policyNo = nextPolicyNo(world);
  const subscription: MicroHealthListedSubscription = {
    id: nextId(world, 'subscription'),
    user_id: userId,
    product_id: details.product_id,
    recurring: details.subscription_type !== 'annually',
    subscriptions_type: details.subscription_type,
    subscriptions_no: 1,
    start_date: written,
    end_date: timestamp(
      MONTH_END.of(world.settings).addMonths(now, MONTHS[details.subscription_type]),
    ),
    enable: 1,
    policy_no: policyNo,
    merchant_user_id: world.merchant_id,
    created_at: written,
    updated_at: written,
    active_date: localDateTime(world.settings, now),
  };
  const subscriber = createSubscriber(details, {
    id: userId,
    policyNo,
    merchantId: world.merchant_id,
    haveBeneficiaries: details.beneficiaries.length > 0,
    written,
  });
  // Object.assign, because a spread of this many fields takes three times as long.
  return Object.assign(subscriber, {
    beneficiary: details.beneficiaries.map(
      (fullName): MicroHealthBeneficiary => ({
        id: nextId(world, 'beneficiary'),
        full_name: fullName,
        surname: null,
        email: null,
        phone_no: null,
        address: null,
        gender: null,
        date_of_birth: null,
        product_id: null,
        user_id: userId,
        created_at: written,
        updated_at: written,
      }),
    ),
    subscriptions: subscription,
    transactions: [createTransaction(world, subscription, details.amount)],
  });
}

const nextPolicyNo = ({ random, micro_health }: MicroHealthWorld): string =>
  nextNumber(random, POLICY_NUMBERS, (drawn) => micro_health.policies.has(drawn));
