import type { AssumptionId } from '../../../core/assumptions.ts';
import { getQuote } from '../../../products/micro-health/routes/get-quote.ts';
import { equals, satisfies } from '../../assertions.ts';
import type { Memory, Probe } from '../../probe.ts';
import { type Input, refusesForeignProduct, refusingInput, requiresAll } from '../refusals.ts';

const SAMPLE = { no_of_users: 2, subscription_type: 'monthly', product_id: '1' };

const quotes = (name: string, changes: Input, more: Partial<Probe> = {}): Probe => ({
  name,
  operation: getQuote,
  request: () => ({ input: { ...SAMPLE, ...changes } }),
  ...more,
});

/** The price that an earlier quote answered. */
export const quoted = (memory: Memory, quote: string): number | undefined =>
  memory[quote]?.quote_price;

const asBefore = (quote: string, ...assumptions: readonly AssumptionId[]): Partial<Probe> => ({
  assumptions,
  assertions: (_data, memory) => {
    const price = quoted(memory, quote);
    return [satisfies('quote_price', `${price}`, (seen) => seen === price)];
  },
});

/** Whether each added user costs less than the one before. */
function getsCheaper(memory: Memory): boolean {
  const prices = [1, 2, 3, 4].map((users) => Number(quoted(memory, `quote_${users}`)));
  const [one, two, three, four] = prices as [number, number, number, number];
  return two > one && three - two < two - one && four - three < three - two && four > three;
}

const SECOND_PLAN = { no_of_users: 4, product_id: 3 };
const YEAR = { ...SECOND_PLAN, subscription_type: 'annually' };
const QUARTER = { no_of_users: 1, subscription_type: 'quarterly', product_id: 1 };

/** What was quoted for the plans that are bought, by the names of the quotes in memory. */
const QUOTED: Readonly<Record<string, Input>> = {
  quote_2: {},
  quote_annually: YEAR,
  quote_quarterly: QUARTER,
};

/** A quote once more: it has to say what initiate asks for, where that is known. */
export const quotesAgain = (
  saveAs: string,
  asked: (memory: Memory) => number | undefined,
): Probe => ({
  name: 'quotes the price that initiate asks for',
  operation: getQuote,
  request: (memory) =>
    asked(memory) === undefined
      ? 'no refusal of another amount named the price'
      : { input: { ...SAMPLE, ...QUOTED[saveAs] } },
  assertions: (_data, memory) => [equals('quote_price', asked(memory))],
  saveAs,
});

const refuses = refusingInput(getQuote, (mistake) => ({ input: { ...SAMPLE, ...mistake } }));

/** Prices of plans. */
export const microHealthQuotes: readonly Probe[] = [
  quotes(
    'prices the documented sample',
    {},
    {
      saveAs: 'quote_2',
      // The price of what has to be initiated early.
      early: true,
      assumptions: ['catalogue'],
      assertions: () => [equals('quote_price', 700, 'price-config')],
    },
  ),
  quotes('prices one user', { no_of_users: 1 }, { saveAs: 'quote_1' }),
  quotes('prices three users', { no_of_users: 3 }, { saveAs: 'quote_3' }),
  quotes(
    'lets each added user cost less than the one before',
    { no_of_users: 4 },
    {
      saveAs: 'quote_4',
      assertions: (_data, memory) => [
        satisfies(
          'quote_price',
          'less more than three users than those than two',
          () => getsCheaper(memory),
          'price-config',
        ),
      ],
    },
  ),
  quotes('prices the second plan', SECOND_PLAN, {
    assumptions: ['catalogue'],
    assertions: () => [equals('quote_price', 700, 'price-config')],
  }),
  quotes(
    'takes numbers as texts, and the product as a number',
    { no_of_users: '2', product_id: 1 },
    asBefore('quote_2', 'text-and-numbers', 'product-id-type'),
  ),
  quotes(
    'ignores fields it does not know',
    { sandbox_check: true },
    asBefore('quote_2', 'unknown-fields'),
  ),
  quotes('prices a year', YEAR, { saveAs: 'quote_annually' }),
  quotes(
    'takes yearly for annually',
    { ...SECOND_PLAN, subscription_type: 'yearly', product_id: '3' },
    asBefore('quote_annually', 'frequency-words'),
  ),
  quotes('prices a quarter', QUARTER, { saveAs: 'quote_quarterly' }),
  requiresAll(getQuote, 'asks for every field'),
  refuses('takes white space for nothing', { subscription_type: '  ' }, 'text-and-numbers'),
  refuses(
    'names every problem at once, in order',
    { product_id: true, subscription_type: 'weekly', no_of_users: 'two' },
    'validation-messages',
  ),
  refuses('refuses no users', { no_of_users: 0 }, 'text-and-numbers'),
  refuses('refuses half a user', { no_of_users: 1.5 }, 'text-and-numbers'),
  refuses('refuses more users than a plan covers', { no_of_users: 5 }, 'users-count'),
  refuses('refuses another frequency', { subscription_type: 'weekly' }),
  refuses('refuses a product nobody has', { product_id: 999_999 }, 'catalogue'),
  refusesForeignProduct(refuses, getQuote),
];
