import { type Problem, problem } from '../../core/errors.ts';
import { shareInKobo } from '../../core/money.ts';
import { type CatalogueProduct, checkProduct } from '../product.ts';
import type { MicroHealthWorld } from './state.ts';

export type Frequency = 'monthly' | 'quarterly' | 'annually';

/** Calendar months between two payments. */
export const MONTHS: Readonly<Record<Frequency, number>> = {
  monthly: 1,
  quarterly: 3,
  annually: 12,
};

/** The product, if micro-health sells it. */
export const checkMicroHealthProduct = (world: MicroHealthWorld, productId: number) =>
  checkProduct(world, 'micro_health', productId);

/** Whether the product covers that many users (`users-count`). */
export function checkUsers(product: CatalogueProduct, users: number, field: string): Problem[] {
  const most = 1 + (product.beneficiaries ? product.max_beneficiaries : 0);
  if (users <= most) return [];
  return [
    problem(field, `must make at most ${most} users for product ${product.id}.`, 'users-count'),
  ];
}

/** The premium in naira for a number of users, as the price configuration says (`price-config`). */
export function premiumOf(
  { micro_health }: MicroHealthWorld,
  productId: number,
  users: number,
  frequency: Frequency,
): number | undefined {
  return micro_health.prices.find(
    (price) => price.product_id === productId && price.users === users,
  )?.[frequency];
}

/** Whether an amount is the premium, to the kobo (`amount-check`). */
export function checkAmount(
  { settings }: MicroHealthWorld,
  amount: number,
  premium: number,
): Problem[] {
  if (settings.amountCheck === 'ignore' || amount === premium) return [];
  return [problem('amount', `must be ${premium}, the premium of this plan.`, 'amount-check')];
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
