/* Finds out the prices and commission rates of micro-health, with quotes and purchases that are not completed. */

import type { ReceivedResponse } from '../../kit/receive.ts';
import {
  BENEFICIARY_FIELDS,
  FREQUENCIES,
  type Frequency,
} from '../../products/micro-health/requests.ts';
import { getQuote, initiate } from '../../products/micro-health/routes.ts';
import type { LearntPrices, PricedProduct, Prices } from '../catalogue.ts';
import { listAt, valueAt } from '../json.ts';
import { isAccepted } from '../received.ts';
import { type CheckRun, type Input, type Learner, refusesProduct } from '../scenario.ts';
import { emailOf, FILES, FIRST_NAME, IDENTITY_NUMBER, PHONE, SURNAME } from '../shared.ts';

/** The fields of a purchase, without its plan. */
export const purchaserOf = (run: CheckRun) => ({
  first_name: FIRST_NAME,
  surname: SURNAME,
  email: emailOf(run),
  phone_no: PHONE,
  date_of_birth: '1990-04-12',
  nin_number: IDENTITY_NUMBER,
  id_url: `${FILES}/id.png`,
});

/** The names of the beneficiaries. */
export const beneficiaries = (users: number, nameOf: (which: string) => string): Input =>
  Object.fromEntries(
    BENEFICIARY_FIELDS.slice(0, users - 1).map((field) => [
      field,
      nameOf(field.slice(0, field.indexOf('_'))),
    ]),
  );

/** A purchase names at most three beneficiaries; a quote may be for more users. */
const MAX_USERS = 10;

/** Finds the premiums of a product with quotes. */
export async function learn(learner: Learner, product_id: number): Promise<LearntPrices> {
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
}

/**
 * The premium of a plan. The amount in the refusal of a wrong amount counts most, because purchases must match it; then
 * the quoted price. Returns the response if the quote is refused.
 */
async function learnPremium(
  { ask, buys: mayBuy, run }: Learner,
  product_id: number,
  users: number,
  subscription_type: Frequency,
): Promise<number | ReceivedResponse> {
  const answer = await ask(getQuote, { no_of_users: users, subscription_type, product_id });
  const price = isAccepted(answer) ? Number(valueAt(answer.body, 'data.quote_price')) : Number.NaN;
  if (!(price > 0)) return answer;
  if (!mayBuy || users > 1 + BENEFICIARY_FIELDS.length) return price;
  const input = {
    ...purchaserOf(run),
    product_id,
    subscription_type,
    amount: price * 2 + 1,
    ...beneficiaries(users, () => SURNAME),
  };
  return amountIn((await ask(initiate, input)).body) ?? price;
}

/** The amount in a refusal with one problem about the amount. */
function amountIn(body: unknown): number | undefined {
  const told = valueAt(body, 'data.error') ?? valueAt(body, 'errors.amount');
  const [problem, ...others] = [told].flat();
  if (others.length > 0 || !/\bamount\b/.test(String(problem))) return undefined;
  const [number, another] = String(problem).match(/\d+(\.\d+)?/g) ?? [];
  return number === undefined || another !== undefined ? undefined : Number(number);
}

/** The prices with the commission rates that most transactions of each product have. */
export function pricesFrom(data: readonly unknown[], known: Prices): Prices {
  const paid = data
    .flatMap((page) => listAt(page, 'data'))
    .flatMap((subscriber) => listAt(subscriber, 'transactions'));
  const counts = new Map<string, number>();
  for (const rates of paid.map(ratesOf)) {
    const isRate = [rates.partner, rates.merchant].every((rate) => rate >= 0 && rate < 1);
    const key = JSON.stringify(rates);
    if (isRate) counts.set(key, (counts.get(key) ?? 0) + 1);
  }
  const seen = [...counts]
    .toSorted(([, a], [, b]) => b - a)
    .map(([key]) => JSON.parse(key) as ReturnType<typeof ratesOf>);
  const commission_rates = (known.commission_rates ?? []).map((rate) => ({
    ...rate,
    ...seen.find(({ product_id }) => product_id === rate.product_id),
  }));
  return { ...known, commission_rates };
}

/** The commission rates of a transaction. */
function ratesOf(transaction: unknown) {
  const numberAt = (field: string) => Number(valueAt(transaction, field));
  const rateOf = (field: string) => Math.round((numberAt(field) / numberAt('amount')) * 1e4) / 1e4;
  return {
    product_id: numberAt('product_id'),
    partner: rateOf('partner_commission'),
    merchant: rateOf('merchant_commission'),
  };
}
