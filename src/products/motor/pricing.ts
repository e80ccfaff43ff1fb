import { type FieldError, fieldError, throwIfInvalid } from '../../world/errors.ts';
import { naira, shareInKobo } from '../../world/money.ts';
import { checkProduct } from '../catalogue.ts';
import type { MotorWorld } from './records.ts';
import type { MotorQuoteRequest } from './requests.ts';

/** What is wrong with a question for a price, as far as its fields are known. */
export function checkQuote(
  world: MotorWorld,
  { product_id: product }: Partial<MotorQuoteRequest>,
): FieldError[] {
  const errors = checkProduct(world, 'motor', product);
  if (product === undefined || errors.length > 0) return errors;
  if (rateOf(world, product) !== undefined) return [];
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
