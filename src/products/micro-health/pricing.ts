/* The premiums and commissions of micro-health. */

import { type FieldError, fieldError, throwIfInvalid } from '../../world/errors.ts';
import { nairaText, shareInKobo } from '../../world/money.ts';
import { nextId } from '../../world/tables.ts';
import { type CatalogueProduct, checkProduct, productOf } from '../catalogue.ts';
import type { MicroHealthWorld, Price } from './records.ts';
import { BENEFICIARY_FIELDS, FREQUENCY_WORDS, type MicroHealthQuoteRequest } from './requests.ts';
import type { MicroHealthListedSubscription, MicroHealthTransaction } from './schemas.ts';
import { AMOUNT_CHECK } from './settings.ts';

/** The most users a product covers: the principal and the beneficiaries (`users-count`). */
export const maxUsers = ({ beneficiaries, max_beneficiaries }: CatalogueProduct): number =>
  1 + (beneficiaries ? max_beneficiaries : 0);

/** The premiums of a product for a number of users, in naira by frequency (`price-config`). */
export const priceOf = (
  { micro_health }: Pick<MicroHealthWorld, 'micro_health'>,
  productId: number,
  users: number,
): Price | undefined =>
  micro_health.prices.find((price) => price.product_id === productId && price.users === users);

/** The premiums of a product, without its id. */
export const premiumsOf = ({ micro_health }: MicroHealthWorld, productId: number) =>
  micro_health.prices
    .filter(({ product_id }) => product_id === productId)
    .map(({ product_id: _, ...premiums }) => premiums)
    .toSorted((a, b) => a.users - b.users);

/**
 * A sample purchase with some fields changed, and the premium as its amount. Beneficiaries of the sample for whom the
 * product has no price are left out.
 */
export function pricedPurchase(sample: Fields, changes: Fields, prices: Fields): Fields {
  const premiums = (prices.premiums ?? []) as readonly Fields[];
  const most = Math.max(1, ...premiums.map(({ users }) => Number(users)));
  const unpriced: readonly string[] = BENEFICIARY_FIELDS.slice(most - 1);
  const kept = Object.entries(sample).filter(([field]) => !unpriced.includes(field));
  const purchase: Fields = { ...Object.fromEntries(kept), ...changes };
  const named = BENEFICIARY_FIELDS.filter((field) => `${purchase[field] ?? ''}`.trim() !== '');
  const price = premiums.find(({ users }) => users === 1 + named.length);
  const word = `${purchase.subscription_type}`.toLowerCase();
  const frequency = Object.entries(FREQUENCY_WORDS).find(([spelling]) => spelling === word)?.[1];
  const premium = frequency && price?.[frequency];
  return { ...purchase, ...(premium !== undefined && { amount: premium }), ...changes };
}

type Fields = Readonly<Record<string, unknown>>;

/** The problems of a quote request. Fields that are missing or malformed are not checked. */
export function checkQuote(
  world: MicroHealthWorld,
  { product_id: product, no_of_users: users }: Partial<MicroHealthQuoteRequest>,
): FieldError[] {
  const errors = checkProduct(world, 'micro_health', product);
  if (product === undefined || users === undefined || errors.length > 0) return errors;
  const most = maxUsers(productOf(world, product));
  if (users > most) {
    const demand = `must be at most ${most} for product ${product}.`;
    return [fieldError('no_of_users', 'users', demand, 'users-count')];
  }
  if (priceOf(world, product, users)) return [];
  const demand = `must be a number of users that product ${product} has a price for.`;
  return [fieldError('no_of_users', 'price', demand, 'price-config')];
}

/** The premium in naira. Refuses a product or a number of users without a price. */
export function quotePremium(world: MicroHealthWorld, input: MicroHealthQuoteRequest): number {
  throwIfInvalid(checkQuote(world, input));
  const price = priceOf(world, input.product_id, input.no_of_users) as Price;
  return price[input.subscription_type];
}

/** The problems of an amount. It must be exactly the premium (`amount-check`). */
export function checkAmount(
  { settings }: Pick<MicroHealthWorld, 'settings'>,
  amount: number,
  premium: number,
): FieldError[] {
  if (AMOUNT_CHECK.of(settings).accepts(amount, premium)) return [];
  const demand = `must be ${premium}, the premium of this plan.`;
  return [fieldError('amount', 'premium', demand, 'amount-check')];
}

/** The commissions of a premium in naira, each rounded half up to the kobo (`commissions`). */
export function commissionsOf(
  { micro_health }: MicroHealthWorld,
  productId: number,
  amount: number,
) {
  const rate = micro_health.commission_rates.find((each) => each.product_id === productId);
  const partner = shareInKobo(amount, rate?.partner ?? 0);
  const merchant = shareInKobo(amount, rate?.merchant ?? 0);
  return { partner, merchant, total: partner + merchant };
}

/** The record of a premium in naira, paid for one period of a subscription when that was written. */
export function createTransaction(
  world: MicroHealthWorld,
  subscription: MicroHealthListedSubscription,
  amount: number,
): MicroHealthTransaction {
  const written = subscription.updated_at;
  const commissions = commissionsOf(world, subscription.product_id, amount);
  return {
    id: nextId(world, 'transaction'),
    user_id: subscription.user_id,
    amount: amount.toFixed(2),
    product_id: subscription.product_id,
    status: 'successful',
    type: 'credit',
    subscriptions_id: subscription.id,
    merchant_user_id: world.merchant_id,
    created_at: written,
    updated_at: written,
    partner_commission: nairaText(commissions.partner),
    merchant_commission: nairaText(commissions.merchant),
    total_commission: nairaText(commissions.total),
  };
}
