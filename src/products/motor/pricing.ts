import { type Problem, problem, refuse } from '../../core/errors.ts';
import { naira, shareInKobo } from '../../core/money.ts';
import { checkProduct } from '../product.ts';
import type { QuoteRequest } from './requests.ts';
import type { MotorWorld } from './state.ts';

/** What is wrong with the product of a request, if its field is known (`motor-product`). */
export const checkMotorProduct = (world: MotorWorld, productId: number | undefined): Problem[] =>
  productId === undefined ? [] : checkProduct(world, 'motor', productId).problems;

/** What is wrong with a question for a price, as far as its fields are known. */
export function checkQuote(world: MotorWorld, input: Partial<QuoteRequest>): Problem[] {
  const problems: Problem[] = checkMotorProduct(world, input.product_id);
  if (input.product_id === undefined || problems.length > 0) return problems;
  if (rateOf(world, input.product_id) !== undefined) return [];
  return [problem('product_id', 'names a product that has no premium rate.', 'motor-quote')];
}

/** The premium in naira, half a kobo rounded up (`motor-quote`). Refuses a product without a rate. */
export function quotePremium(world: MotorWorld, input: QuoteRequest): number {
  refuse(checkQuote(world, input));
  const rate = rateOf(world, input.product_id) as number;
  return naira(shareInKobo(input.vehicle_value, rate));
}

const rateOf = ({ motor }: MotorWorld, productId: number): number | undefined =>
  motor.premium_rates.find((each) => each.product_id === productId)?.rate;
