import type { AssumptionId } from '../../../core/assumptions.ts';
import { getQuote } from '../../../products/motor/routes/get-quote.ts';
import { equals } from '../../assertions.ts';
import type { Probe } from '../../probe.ts';
import { type Input, refusesForeignProduct, refusingInput, requiresAll } from '../refusals.ts';

const SAMPLE = { product_id: 4, vehicle_value: 5_000_000 };

const quotes = (
  name: string,
  changes: Input,
  [premium, insured]: readonly [number, number],
  ...assumptions: AssumptionId[]
): Probe => ({
  name,
  operation: getQuote,
  request: () => ({ input: { ...SAMPLE, ...changes } }),
  assumptions,
  assertions: () => [
    equals('premium', premium, 'motor-quote'),
    equals('amount_insured', insured, 'motor-quote'),
  ],
});

const refuses = refusingInput(getQuote, (mistake) => ({ input: { ...SAMPLE, ...mistake } }));

/** Prices of motor policies. */
export const motorQuotes: readonly Probe[] = [
  quotes('prices a vehicle', {}, [250_000, 5_000_000], 'catalogue'),
  quotes(
    'takes numbers as texts',
    { product_id: '4', vehicle_value: '5000000' },
    [250_000, 5_000_000],
    'text-and-numbers',
    'product-id-type',
  ),
  quotes('rounds half a kobo up', { vehicle_value: 1000.1 }, [50.01, 1000.1]),
  quotes(
    'rounds to the kobo',
    { vehicle_value: 1_234_567.88, sandbox_check: true },
    [61_728.39, 1_234_567.88],
    'unknown-fields',
  ),
  quotes(
    'takes zeros behind the second decimal place',
    { vehicle_value: '1000.1000' },
    [50.01, 1000.1],
    'text-and-numbers',
  ),
  refuses('refuses a third decimal place', { vehicle_value: 1000.001 }, 'text-and-numbers'),
  requiresAll(getQuote, 'asks for both fields'),
  refuses('refuses a vehicle worth nothing', { vehicle_value: 0 }),
  refuses('refuses a product nobody has', { product_id: 999_999 }, 'catalogue'),
  refusesForeignProduct(refuses, getQuote),
];
