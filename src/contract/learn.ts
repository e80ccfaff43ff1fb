import type { Operation } from '../http/operation.ts';
import { builtInFiles } from '../products/fixtures.ts';
import { getQuote as getHealthQuote } from '../products/micro-health/routes/get-quote.ts';
import { initiate } from '../products/micro-health/routes/initiate.ts';
import { getQuote as getMotorQuote } from '../products/motor/routes/get-quote.ts';
import { anyFamilies } from '../products/world.ts';
import type { Catalogue, Premium } from './catalogue.ts';
import type { ReceivedResponse } from './client.ts';
import { type Json, sameJson, valueAt } from './json.ts';
import { isAccepted } from './record.ts';
import type { Input } from './scenarios/scenario.ts';

/** What the sandbox sells that ships with this program. */
export const publishedCatalogue = (): Catalogue => {
  const file = (name: string): Json => builtInFiles[name];
  return {
    products: file('products.json').products,
    premiums: file('micro-health.json').prices,
    commissionRates: file('micro-health.json').commission_rates,
    motorRates: file('motor.json').premium_rates,
  };
};

/** What a server sells, and what to tell of it. */
export interface Learnt {
  readonly catalogue: Catalogue;
  readonly notes: readonly string[];
  /** Why nothing of a family can be bought, by its key. */
  readonly unknown: ReadonlyMap<string, string>;
}

interface Learner {
  /** The keys of the families to ask. */
  readonly families: readonly string[];
  /** Products that the user named, by family. */
  readonly named: ReadonlyMap<string, number>;
  /** Whether purchases may be initiated. */
  readonly buys: boolean;
  /** A purchase that is valid but for its product and amount. */
  readonly purchase: Input;
  ask(operation: Operation, input: Input): Promise<ReceivedResponse>;
}

/** The ids that are tried where the published ones are not sold. */
const MAX_TRIED_ID = 12;

/** Learns from its quotes what a server sells, and for how much. */
export async function learnCatalogue(learner: Learner): Promise<Learnt> {
  const published = publishedCatalogue();
  let catalogue = published;
  const notes: string[] = [];
  const unknown = new Map<string, string>();
  for (const family of anyFamilies.filter(({ key }) => learner.families.includes(key))) {
    const { key } = family;
    const own = published.products.filter((product) => product.family === key);
    const learn = LEARN[key];
    const named = learner.named.get(key);
    const ids = named === undefined ? own.map(({ id }) => id) : [named];
    const sold = learn
      ? await soldAmong(learner, learn, ids, named === undefined)
      : ids.map((id) => ({ id, prices: [] }));
    // Its quotes fail: what differs there is told, and the rest is tried as published.
    if (sold === undefined) continue;
    if (sold.length === 0) {
      unknown.set(key, `no product of it was found; --product ${key}=ID names one`);
      catalogue = withProducts(catalogue, key, []);
      continue;
    }
    catalogue = withProducts(catalogue, key, sold);
    if (
      !sameJson(
        sold.map(({ id }) => id),
        own.map(({ id }) => id),
      )
    ) {
      notes.push(`${key} sells ${products(sold)}; the sandbox's own fixtures ${products(own)}.`);
    }
  }
  for (const [list, what] of PRICE_LISTS) {
    const isOther = (catalogue[list] as readonly { product_id: number }[]).some((price) => {
      const before = (published[list] as readonly { product_id: number }[]).filter(
        (each) => each.product_id === price.product_id,
      );
      return before.length > 0 && !before.some((each) => sameJson(each, price));
    });
    if (isOther) notes.push(`${what} are the server's own: the sandbox's fixtures have others.`);
  }
  return { catalogue, notes, unknown };
}

const PRICE_LISTS = [
  ['premiums', 'Premiums of micro-health'],
  ['motorRates', 'Premium rates of motor'],
] as const;

const products = (sold: readonly { readonly id: number }[]): string =>
  `product${sold.length === 1 ? '' : 's'} ${sold.map(({ id }) => id).join(' and ')}`;

interface Sold {
  readonly id: number;
  readonly prices: readonly Json[];
}

/** The prices of a product: none where it is not sold, undefined where the server does not quote at all. */
type Learn = (learner: Learner, id: number) => Promise<readonly Json[] | undefined>;

/** Whether a server refuses a quote for its product. */
const refusesProduct = (answer: ReceivedResponse): boolean =>
  answer.status < 500 && /product/i.test(answer.text);

async function soldAmong(
  learner: Learner,
  learn: Learn,
  ids: readonly number[],
  searches: boolean,
): Promise<Sold[] | undefined> {
  const sold: Sold[] = [];
  for (const id of ids) {
    const prices = await learn(learner, id);
    if (prices === undefined) return undefined;
    if (prices.length > 0) sold.push({ id, prices });
  }
  for (let id = 1; searches && sold.length === 0 && id <= MAX_TRIED_ID; id++) {
    if (ids.includes(id)) continue;
    const prices = (await learn(learner, id)) ?? [];
    if (prices.length > 0) sold.push({ id, prices });
  }
  return sold;
}

const FREQUENCIES = ['monthly', 'quarterly', 'annually'] as const;
const MAX_USERS = 4;

/** How the prices of a family's product are learnt; none where it isn't sold. */
const LEARN: Readonly<Record<string, Learn>> = {
  async micro_health(learner, id) {
    const premiums: Json[] = [];
    for (let users = 1; users <= MAX_USERS; users++) {
      const prices: Record<string, number> = {};
      for (const frequency of FREQUENCIES) {
        const price = await premium(learner, id, users, frequency);
        if (typeof price !== 'number') {
          if (premiums.length === 0) return refusesProduct(price) ? [] : undefined;
          break;
        }
        prices[frequency] = price;
      }
      if (Object.keys(prices).length < FREQUENCIES.length) break;
      premiums.push({ product_id: id, users, ...prices });
    }
    return premiums;
  },
  async motor({ ask }, id) {
    const answer = await ask(getMotorQuote, { product_id: id, vehicle_value: RATED_VALUE });
    const quoted = isAccepted(answer) ? Number(valueAt(answer.body, 'data.premium')) : Number.NaN;
    if (quoted > 0) {
      return [{ product_id: id, rate: Math.round((quoted / RATED_VALUE) * 1e6) / 1e6 }];
    }
    return refusesProduct(answer) ? [] : undefined;
  },
};

const RATED_VALUE = 5_000_000;

/**
 * The premium of a plan: what a refusal of another amount says, because a purchase is held to that, or else what is
 * quoted; the refusal of a quote otherwise.
 */
async function premium(
  { ask, buys, purchase }: Learner,
  product_id: number,
  users: number,
  subscription_type: (typeof FREQUENCIES)[number],
): Promise<number | ReceivedResponse> {
  const answer = await ask(getHealthQuote, { no_of_users: users, subscription_type, product_id });
  const price = isAccepted(answer) ? Number(valueAt(answer.body, 'data.quote_price')) : Number.NaN;
  if (!(price > 0)) return answer;
  if (!buys) return price;
  const names = ['first', 'second', 'third'].slice(0, users - 1);
  const refused = await ask(initiate, {
    ...purchase,
    product_id,
    subscription_type,
    amount: price * 2 + 1,
    ...Object.fromEntries(
      names.map((which) => [`${which}_beneficiary_full_name`, 'Sandbox Check']),
    ),
  });
  return amountIn(valueAt(refused.body, 'data.error')) ?? price;
}

/** The one number in the one problem of a refusal. */
function amountIn(problems: unknown): number | undefined {
  if (!Array.isArray(problems) || problems.length !== 1) return undefined;
  if (!/\bamount\b/.test(String(problems[0]))) return undefined;
  const [number, another] = String(problems[0]).match(/\d+(\.\d+)?/g) ?? [];
  return number === undefined || another !== undefined ? undefined : Number(number);
}

/** A catalogue in which a family sells these products and no others. */
function withProducts(catalogue: Catalogue, family: string, sold: readonly Sold[]): Catalogue {
  const own = catalogue.products.filter((product) => product.family === family);
  const others = catalogue.products.filter((product) => product.family !== family);
  const template = own[0] as Catalogue['products'][number];
  const [rates] = catalogue.commissionRates;
  const prices = sold.flatMap((each) => each.prices);
  return {
    ...catalogue,
    products: [
      ...others.filter(({ id }) => !sold.some((each) => each.id === id)),
      ...sold.map(({ id }) => own.find((product) => product.id === id) ?? { ...template, id }),
    ],
    ...(family === 'micro_health' && {
      premiums: prices as readonly Premium[],
      commissionRates: sold.map(
        ({ id }) =>
          catalogue.commissionRates.find((rate) => rate.product_id === id) ?? {
            ...(rates as Catalogue['commissionRates'][number]),
            product_id: id,
          },
      ),
    }),
    ...(family === 'motor' && { motorRates: prices as Catalogue['motorRates'] }),
  };
}
