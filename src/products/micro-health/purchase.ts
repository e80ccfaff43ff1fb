import { type Problem, problem, refuse } from '../../core/errors.ts';
import { nextDigits, nextHex } from '../../core/random.ts';
import { addRecord } from '../../core/records.ts';
import { addMonths, dateTime, day, type Instant, timestamp } from '../../core/time.ts';
import { findPending, useToken } from '../../core/tokens.ts';
import { nextId } from '../../core/world.ts';
import { createSubscriber } from '../subscriber.ts';
import { checkAmount, checkMicroHealthProduct, checkUsers, MONTHS, premiumOf } from './pricing.ts';
import type { InitiateRequest, QuoteRequest } from './requests.ts';
import type { Beneficiary, Subscriber, Subscription } from './schemas.ts';
import type { MicroHealthWorld, SubscriptionDetails } from './state.ts';
import { createTransaction } from './transactions.ts';

/** What is wrong with a question for a price, as far as its fields are known. */
export function checkQuote(world: MicroHealthWorld, input: Partial<QuoteRequest>): Problem[] {
  if (input.product_id === undefined) return [];
  const { product, problems } = checkMicroHealthProduct(world, input.product_id);
  if (!product || input.no_of_users === undefined) return problems;
  return checkPriced(world, product.id, input.no_of_users, 'no_of_users', () =>
    checkUsers(product, input.no_of_users as number, 'no_of_users'),
  );
}

function checkPriced(
  world: MicroHealthWorld,
  productId: number,
  users: number,
  field: string,
  check: () => Problem[],
): Problem[] {
  const problems = check();
  if (problems.length > 0 || premiumOf(world, productId, users, 'monthly') !== undefined)
    return problems;
  return [
    problem(field, `has no price for ${users} users of product ${productId}.`, 'price-config'),
  ];
}

/** The premium in naira. Refuses a product or number of users that has no price. */
export function quotePremium(world: MicroHealthWorld, input: QuoteRequest): number {
  refuse(checkQuote(world, input));
  return premiumOf(world, input.product_id, input.no_of_users, input.subscription_type) as number;
}

const BENEFICIARY_FIELDS = [
  'first_beneficiary_full_name',
  'second_beneficiary_full_name',
  'third_beneficiary_full_name',
] as const;

/** The beneficiaries a purchase names; a gap between names is allowed (`users-count`). */
const namesOf = (input: Partial<InitiateRequest>): string[] =>
  BENEFICIARY_FIELDS.flatMap((field) => input[field] ?? []);

/** What is wrong with a purchase, as far as its fields are known. */
export function checkPurchase(
  world: MicroHealthWorld,
  input: Partial<InitiateRequest>,
  now: Instant,
): Problem[] {
  const problems: Problem[] = [];
  if (input.date_of_birth !== undefined && input.date_of_birth > day(now)) {
    problems.push(problem('date_of_birth', 'must not be after today.', 'text-and-numbers'));
  }
  if (input.product_id === undefined) return problems;
  const found = checkMicroHealthProduct(world, input.product_id);
  problems.push(...found.problems);
  if (!found.product) return problems;

  const users = 1 + namesOf(input).length;
  const { product } = found;
  const lastNamed = BENEFICIARY_FIELDS.findLast((field) => input[field] !== undefined);
  const unpriced = checkPriced(world, product.id, users, lastNamed ?? 'product_id', () =>
    checkUsers(product, users, lastNamed ?? 'product_id'),
  );
  if (
    input.subscription_type !== undefined &&
    input.amount !== undefined &&
    unpriced.length === 0
  ) {
    const premium = premiumOf(world, product.id, users, input.subscription_type) as number;
    problems.push(...checkAmount(world, input.amount, premium));
  }
  problems.push(...unpriced);
  return problems;
}

/** Remembers a purchase for 15 minutes and returns its token. */
export function initiatePurchase(
  world: MicroHealthWorld,
  input: InitiateRequest,
  now: Instant,
): string {
  refuse(checkPurchase(world, input, now));
  const details: SubscriptionDetails = {
    first_name: input.first_name,
    surname: input.surname,
    email: input.email,
    phone_no: input.phone_no,
    date_of_birth: input.date_of_birth,
    product_id: input.product_id,
    subscription_type: input.subscription_type,
    amount: input.amount,
    beneficiaries: namesOf(input),
  };
  const token = nextHex(world.chance, 40);
  world.micro_health.tokens.pending.set(token, { initiated_at: now, details });
  return token;
}

/**
 * Turns a pending purchase into a subscriber with a subscription (`subscriber-per-purchase`). Throws
 * `token_unknown`, `token_used` or `token_expired`.
 */
export function verifyPurchase(world: MicroHealthWorld, token: string, now: Instant): Subscriber {
  const { tokens, subscribers } = world.micro_health;
  const details = findPending(world, 'micro_health', tokens, token);
  useToken(tokens, token);
  const subscriber = createPrincipal(world, details, now);
  addRecord(subscribers, subscriber.policy_no, subscriber);
  return subscriber;
}

function createPrincipal(
  world: MicroHealthWorld,
  details: SubscriptionDetails,
  now: Instant,
): Subscriber {
  const written = timestamp(now);
  const userId = nextId(world, 'user');
  const policyNo = nextPolicyNo(world);
  const subscription: Subscription = {
    id: nextId(world, 'subscription'),
    user_id: userId,
    product_id: details.product_id,
    recurring: details.subscription_type !== 'annually',
    subscriptions_type: details.subscription_type,
    subscriptions_no: 1,
    start_date: written,
    end_date: timestamp(addMonths(now, MONTHS[details.subscription_type])),
    enable: 1,
    policy_no: policyNo,
    merchant_user_id: world.merchant_id,
    created_at: written,
    updated_at: written,
    active_date: dateTime(now),
  };
  const subscriber = createSubscriber(
    { ...details, gender: null },
    {
      id: userId,
      policyNo,
      merchantId: world.merchant_id,
      haveBeneficiaries: details.beneficiaries.length > 0,
      written,
    },
  );
  // Assigned rather than spread: copying so many fields takes three times as long as making them.
  return Object.assign(subscriber, {
    beneficiary: details.beneficiaries.map(
      (fullName): Beneficiary => ({
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
    transactions: [createTransaction(world, subscription, details.amount, now)],
  });
}

function nextPolicyNo({ chance, micro_health }: MicroHealthWorld): string {
  for (;;) {
    const drawn = nextDigits(chance, 10);
    if (!micro_health.subscribers.positions.has(drawn)) return drawn;
  }
}
