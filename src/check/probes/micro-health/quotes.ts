import type { AssumptionId } from '../../../core/assumptions.ts';
import { is, type Memory, meets, type Probe } from '../../probe.ts';
import { type Input, refusing } from '../refusal.ts';

const operation = 'getMicroHealthQuote';

const quote = (name: string, input: Record<string, unknown>, more: Partial<Probe> = {}): Probe => ({
  name,
  operation,
  call: () => ({ input }),
  ...more,
});

const refused = refusing(operation, (input: Input) => ({ input }));

const SAMPLE = { no_of_users: 2, subscription_type: 'monthly', product_id: '1' };

const asBefore = (name: string, ...decisions: readonly AssumptionId[]): Partial<Probe> => ({
  decisions,
  claims: (_data, memory) => [
    meets(
      'quote_price',
      `${memory[name]?.quote_price}`,
      (seen) => seen === memory[name]?.quote_price,
    ),
  ],
});

/** Whether each added user costs less than the one before. */
function getsCheaper(memory: Memory): boolean {
  const prices = [1, 2, 3, 4].map((users) => Number(memory[`quote_${users}`]?.quote_price));
  const [one, two, three, four] = prices as [number, number, number, number];
  return two > one && three - two < two - one && four - three < three - two && four > three;
}

export const microHealthQuotes: readonly Probe[] = [
  quote('prices the documented sample', SAMPLE, {
    keep: 'quote_2',
    decisions: ['catalogue'],
    claims: () => [is('quote_price', 700, 'price-config')],
  }),
  quote('prices one user', { ...SAMPLE, no_of_users: 1 }, { keep: 'quote_1' }),
  quote('prices three users', { ...SAMPLE, no_of_users: 3 }, { keep: 'quote_3' }),
  quote(
    'lets each added user cost less than the one before',
    { ...SAMPLE, no_of_users: 4 },
    {
      keep: 'quote_4',
      claims: (_data, memory) => [
        meets(
          'quote_price',
          'less more than three users than those than two',
          () => getsCheaper(memory),
          'price-config',
        ),
      ],
    },
  ),
  quote(
    'prices the second plan',
    { no_of_users: 4, subscription_type: 'monthly', product_id: 3 },
    { decisions: ['catalogue'], claims: () => [is('quote_price', 700, 'price-config')] },
  ),
  quote(
    'takes numbers as texts, and the product as a number',
    { no_of_users: '2', subscription_type: 'monthly', product_id: 1 },
    asBefore('quote_2', 'text-and-numbers', 'product-id-type'),
  ),
  quote(
    'ignores fields it does not know',
    { ...SAMPLE, sandbox_check: true },
    asBefore('quote_2', 'unknown-fields'),
  ),
  quote(
    'prices a year',
    { no_of_users: 4, subscription_type: 'annually', product_id: 3 },
    { keep: 'quote_annually' },
  ),
  quote(
    'takes yearly for annually',
    { no_of_users: 4, subscription_type: 'yearly', product_id: '3' },
    asBefore('quote_annually', 'frequency-words'),
  ),
  quote(
    'prices a quarter',
    { no_of_users: 1, subscription_type: 'quarterly', product_id: 1 },
    { keep: 'quote_quarterly' },
  ),
  refused(
    'asks for every field',
    {},
    ['no_of_users', 'subscription_type', 'product_id'],
    'micro-health-required',
  ),
  refused(
    'takes white space for nothing',
    { ...SAMPLE, subscription_type: '  ' },
    ['subscription_type'],
    'text-and-numbers',
  ),
  refused(
    'names every problem at once, in order',
    { product_id: true, subscription_type: 'weekly', no_of_users: 'two' },
    ['no_of_users', 'subscription_type', 'product_id'],
    'validation-messages',
  ),
  refused('refuses no users', { ...SAMPLE, no_of_users: 0 }, ['no_of_users'], 'text-and-numbers'),
  refused(
    'refuses half a user',
    { ...SAMPLE, no_of_users: 1.5 },
    ['no_of_users'],
    'text-and-numbers',
  ),
  refused(
    'refuses more users than a plan covers',
    { ...SAMPLE, no_of_users: 5 },
    ['no_of_users'],
    'users-count',
  ),
  refused(
    'refuses another frequency',
    { ...SAMPLE, subscription_type: 'weekly' },
    ['subscription_type'],
    'frequency-words',
  ),
  refused(
    'refuses a product nobody has',
    { ...SAMPLE, product_id: 999_999 },
    ['product_id'],
    'catalogue',
  ),
  refused(
    'refuses a product of another family',
    { ...SAMPLE, product_id: 2 },
    ['product_id'],
    'motor-product',
    'catalogue',
  ),
];
