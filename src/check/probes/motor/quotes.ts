import type { AssumptionId } from '../../../core/assumptions.ts';
import { is, type Json, type Probe } from '../../probe.ts';
import { type Input, refusing } from '../refusal.ts';

const quote = 'getMotorQuote';

const quotes = (
  name: string,
  input: Json,
  premium: number,
  insured: number,
  ...decisions: AssumptionId[]
): Probe => ({
  name,
  operation: quote,
  call: () => ({ input }),
  decisions,
  claims: () => [
    is('premium', premium, 'motor-quote'),
    is('amount_insured', insured, 'motor-quote'),
  ],
});

const refusedQuote = refusing(quote, (input: Input) => ({ input }));

/** Prices of motor policies. */
export const motorQuotes: readonly Probe[] = [
  quotes(
    'prices a vehicle',
    { product_id: 4, vehicle_value: 5_000_000 },
    250_000,
    5_000_000,
    'catalogue',
  ),
  quotes(
    'takes numbers as texts',
    { product_id: '4', vehicle_value: '5000000' },
    250_000,
    5_000_000,
    'text-and-numbers',
    'product-id-type',
  ),
  quotes('rounds half a kobo up', { product_id: 4, vehicle_value: 1000.1 }, 50.01, 1000.1),
  quotes(
    'rounds to the kobo',
    { product_id: 4, vehicle_value: 1_234_567.88, sandbox_check: true },
    61_728.39,
    1_234_567.88,
    'unknown-fields',
  ),
  refusedQuote('asks for both fields', {}, ['product_id', 'vehicle_value']),
  refusedQuote(
    'refuses a vehicle worth nothing',
    { product_id: 4, vehicle_value: 0 },
    ['vehicle_value'],
    'text-and-numbers',
  ),
  refusedQuote(
    'refuses a product nobody has',
    { product_id: 999_999, vehicle_value: 1 },
    ['product_id'],
    'catalogue',
  ),
  refusedQuote(
    'refuses a product of another family',
    { product_id: 1, vehicle_value: 1 },
    ['product_id'],
    'motor-product',
    'catalogue',
  ),
];
