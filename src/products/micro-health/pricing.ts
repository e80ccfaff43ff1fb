import { type FieldError, fieldError, throwIfInvalid } from '../../world/errors.ts';
import { shareInKobo } from '../../world/money.ts';
import { type Catalogue, type CatalogueProduct, checkProduct } from '../catalogue.ts';
import type { MicroHealthQuoteRequest } from './requests.ts';
import type { MicroHealthSettings } from './settings.ts';
import type { MicroHealthState, MicroHealthWorld } from './state.ts';

export type Frequency = 'monthly' | 'quarterly' | 'annually';

/** Calendar months between two payments. */
export const MONTHS: Readonly<Record<Frequency, number>> = {
  monthly: 1,
  quarterly: 3,
  annually: 12,
};

/** What is sold, and at what price. */
export type PriceList = Catalogue & { readonly micro_health: Pick<MicroHealthState, 'prices'> };

/** The product, if micro-health sells it. */
export const checkMicroHealthProduct = (world: Catalogue, productId: number) =>
  checkProduct(world, 'micro_health', productId);

/** How many users the product covers at most: the principal and the beneficiaries (`users-count`). */
export const maxUsers = ({ beneficiaries, max_beneficiaries }: CatalogueProduct): number =>
  1 + (beneficiaries ? max_beneficiaries : 0);

/** Whether the price configuration knows that many users of a product (`price-config`). */
export const isPriced = (world: PriceList, productId: number, users: number): boolean =>
  premiumOf(world, productId, users, 'monthly') !== undefined;

/** The premium in naira for a number of users, as the price configuration says (`price-config`). */
export function premiumOf(
  { micro_health }: PriceList,
  productId: number,
  users: number,
  frequency: Frequency,
): number | undefined {
  return micro_health.prices.find(
    (price) => price.product_id === productId && price.users === users,
  )?.[frequency];
}

/** What is wrong with a question for a price, as far as its fields are known. */
export function checkQuote(
  world: PriceList,
  input: Partial<MicroHealthQuoteRequest>,
): FieldError[] {
  if (input.product_id === undefined) return [];
  const { product, errors } = checkMicroHealthProduct(world, input.product_id);
  const { no_of_users: users } = input;
  if (!product || users === undefined) return errors;
  const most = maxUsers(product);
  if (users > most) {
    const demand = `must be at most ${most} for product ${product.id}.`;
    return [fieldError('no_of_users', demand, 'users-count')];
  }
  if (isPriced(world, product.id, users)) return [];
  const demand = `must be a number of users that product ${product.id} has a price for.`;
  return [fieldError('no_of_users', demand, 'price-config')];
}

/** The premium in naira. Refuses a product or number of users that has no price. */
export function quotePremium(world: MicroHealthWorld, input: MicroHealthQuoteRequest): number {
  throwIfInvalid(checkQuote(world, input));
  return premiumOf(world, input.product_id, input.no_of_users, input.subscription_type) as number;
}

/** Whether amounts are held to the premium. */
export type AmountChecked = { readonly settings: Pick<MicroHealthSettings, 'amountCheck'> };

/** Whether an amount is the premium, to the kobo (`amount-check`). */
export function checkAmount(
  { settings }: AmountChecked,
  amount: number,
  premium: number,
): FieldError[] {
  if (settings.amountCheck === 'ignore' || amount === premium) return [];
  return [fieldError('amount', `must be ${premium}, the premium of this plan.`, 'amount-check')];
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
