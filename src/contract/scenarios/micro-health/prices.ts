import { getQuote, initiate } from '../../../products/micro-health/routes.ts';
import { type Catalogue, type PricedProduct, type Prices, pricesOf } from '../../catalogue.ts';
import type { ReceivedResponse } from '../../client.ts';
import { type Json, valueAt } from '../../json.ts';
import { type Learn, type Learner, refusesProduct } from '../../learner.ts';
import { isAccepted } from '../../record.ts';
import { SURNAME } from '../people.ts';

export const FAMILY = 'micro_health';
export const BENEFICIARIES = ['first', 'second', 'third'] as const;
export const FREQUENCIES = ['monthly', 'quarterly', 'annually'] as const;
export type Frequency = (typeof FREQUENCIES)[number];

/** What a number of users pays, in naira. */
interface Premium extends PricedProduct, Readonly<Record<Frequency, number>> {
  readonly users: number;
}

export const premiumsOf = (catalogue: Catalogue): readonly Premium[] =>
  (pricesOf(catalogue, FAMILY).prices ?? []) as readonly Premium[];

/** The premium of a plan; undefined where there is none. */
export const premiumOf = (
  catalogue: Catalogue,
  productId: number,
  users: number,
  frequency: Frequency,
): number | undefined =>
  premiumsOf(catalogue).find((each) => each.product_id === productId && each.users === users)?.[
    frequency
  ];

const MAX_USERS = 4;

export const learn: Learn = async (learner, product_id) => {
  const prices: PricedProduct[] = [];
  for (let users = 1; users <= MAX_USERS; users++) {
    const price: Record<string, number> = {};
    for (const frequency of FREQUENCIES) {
      const quoted = await learnPremium(learner, product_id, users, frequency);
      if (typeof quoted === 'number') price[frequency] = quoted;
      else if (prices.length === 0) return refusesProduct(quoted) ? 'not sold' : undefined;
      else return { prices };
    }
    prices.push({ product_id, users, ...price } as PricedProduct);
  }
  return { prices };
};

/**
 * The premium of a plan: what a refusal of another amount says, because a purchase is held to that, or else what is
 * quoted; the refusal of a quote otherwise.
 */
async function learnPremium(
  { ask, buys: mayBuy, purchase }: Learner,
  product_id: number,
  users: number,
  subscription_type: Frequency,
): Promise<number | ReceivedResponse> {
  const answer = await ask(getQuote, { no_of_users: users, subscription_type, product_id });
  const price = isAccepted(answer) ? Number(valueAt(answer.body, 'data.quote_price')) : Number.NaN;
  if (!(price > 0)) return answer;
  if (!mayBuy) return price;
  const names = BENEFICIARIES.slice(0, users - 1).map((which) => [
    `${which}_beneficiary_full_name`,
    SURNAME,
  ]);
  const amount = price * 2 + 1;
  const input = {
    ...purchase,
    product_id,
    subscription_type,
    amount,
    ...Object.fromEntries(names),
  };
  return amountIn((await ask(initiate, input)).body) ?? price;
}

/** The one number in the one problem of a refusal of an amount. */
function amountIn(body: Json): number | undefined {
  const [problem, ...others] = [
    valueAt(body, 'data.error') ?? valueAt(body, 'errors.amount'),
  ].flat();
  if (others.length > 0 || !/\bamount\b/.test(String(problem))) return undefined;
  const [number, another] = String(problem).match(/\d+(\.\d+)?/g) ?? [];
  return number === undefined || another !== undefined ? undefined : Number(number);
}

/** The commission rates that transactions show. */
export function pricesFrom(data: readonly Json[], known: Prices): Prices[] {
  const paid = data
    .flatMap((page) => (Array.isArray(page?.data) ? page.data : []))
    .flatMap((subscriber: Json) => subscriber?.transactions ?? []);
  const distinct = [...new Map(paid.map((each: Json) => [ratesOf(each), each])).values()];
  return distinct.slice(0, MAX_RATES).flatMap((each: Json): Prices[] => {
    const rateOf = (field: string) =>
      Math.round((Number(each?.[field]) / Number(each?.amount)) * 1e4) / 1e4;
    const [partner, merchant] = [rateOf('partner_commission'), rateOf('merchant_commission')];
    const isRate = [partner, merchant].every((rate) => rate >= 0 && rate < 1);
    if (!isRate) return [];
    const rates = (known.commission_rates ?? []).map((rate) =>
      rate.product_id === each.product_id ? { ...rate, partner, merchant } : rate,
    );
    return [{ ...known, commission_rates: rates }];
  });
}

const MAX_RATES = 20;

/** What tells the rates of one transaction from those of another. */
const ratesOf = ({ product_id, partner_commission, merchant_commission, amount }: Json): string =>
  [product_id, partner_commission / amount, merchant_commission / amount].join(' ');
