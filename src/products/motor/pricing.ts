import { type FieldError, fieldError, throwIfInvalid } from '../../world/errors.ts';
import { naira, shareInKobo } from '../../world/money.ts';
import { type Catalogue, checkProduct } from '../catalogue.ts';
import type { MotorQuoteRequest } from './requests.ts';
import type { MotorWorld } from './state.ts';

/** What is wrong with the product of a request, if its field is known (`motor-product`). */
export const checkMotorProduct = (world: Catalogue, productId: number | undefined): FieldError[] =>
  productId === undefined ? [] : checkProduct(world, 'motor', productId).errors;

/** What is wrong with a question for a price, as far as its fields are known. */
export function checkQuote(world: MotorWorld, input: Partial<MotorQuoteRequest>): FieldError[] {
  const errors: FieldError[] = checkMotorProduct(world, input.product_id);
  if (input.product_id === undefined || errors.length > 0) return errors;
  if (rateOf(world, input.product_id) !== undefined) return [];
  return [fieldError('product_id', 'names a product that has no premium rate.', 'motor-quote')];
}

/** The premium in naira, half a kobo rounded up (`motor-quote`). Refuses a product without a rate. */
export function quotePremium(world: MotorWorld, input: MotorQuoteRequest): number {
  throwIfInvalid(checkQuote(world, input));
  const rate = rateOf(world, input.product_id) as number;
  return naira(shareInKobo(input.vehicle_value, rate));
}

const rateOf = ({ motor }: MotorWorld, productId: number): number | undefined =>
  motor.premium_rates.find((each) => each.product_id === productId)?.rate;
