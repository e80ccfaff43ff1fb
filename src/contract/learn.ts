import type { ProductFamily } from '../products/family.ts';
import {
  type Catalogue,
  pricesOf,
  publishedCatalogue,
  type Sold,
  withProducts,
} from './catalogue.ts';
import { sameJson } from './json.ts';
import type { Learner } from './learner.ts';
import { familyScenarios } from './scenarios/index.ts';

/** What a server sells, and what to tell of it. */
export interface Learnt {
  readonly catalogue: Catalogue;
  readonly notes: readonly string[];
  /** Why nothing of a family can be bought, by its key. */
  readonly unknown: ReadonlyMap<string, string>;
}

/** The ids that are tried where the published ones are not sold. */
const MAX_TRIED_ID = 12;

/**
 * Learns from its quotes what a server sells, and for how much.
 *
 * @param named products that the user named, by family
 */
export async function learnCatalogue(
  learner: Learner,
  families: readonly ProductFamily[],
  named: ReadonlyMap<string, number>,
): Promise<Learnt> {
  const published = publishedCatalogue();
  let catalogue = published;
  const notes: string[] = [];
  const unknown = new Map<string, string>();
  for (const { key } of families) {
    const own = published.products.filter(({ family }) => family === key).map(({ id }) => id);
    const wanted = named.get(key);
    const sold = await soldOf(
      learner,
      key,
      wanted === undefined ? own : [wanted],
      wanted === undefined,
    );
    // Its quotes fail. The report tells that; purchases are tried with the published products.
    if (sold === undefined) continue;
    catalogue = withProducts(catalogue, key, sold);
    if (sold.length === 0) {
      unknown.set(key, `no product of it was found; --product ${key}=ID names one`);
      continue;
    }
    const ids = sold.map(({ id }) => id);
    if (!sameJson(ids, own)) {
      notes.push(`${key} sells ${inWords(ids)}; the sandbox's own fixtures sell ${inWords(own)}.`);
    }
    if (hasOtherPrices(catalogue, published, key)) {
      notes.push(`Prices of ${key} are the server's own; the sandbox's fixtures have others.`);
    }
  }
  return { catalogue, notes, unknown };
}

const inWords = (ids: readonly number[]): string =>
  `product${ids.length === 1 ? '' : 's'} ${ids.join(' and ')}`;

/** Whether a product that is published too has other prices. */
const hasOtherPrices = (catalogue: Catalogue, published: Catalogue, family: string): boolean =>
  Object.entries(pricesOf(catalogue, family)).some(([list, prices]) => {
    const before = pricesOf(published, family)[list] ?? [];
    return prices.some(
      (price) =>
        before.some(({ product_id }) => product_id === price.product_id) &&
        !before.some((each) => sameJson(each, price)),
    );
  });

async function soldOf(
  learner: Learner,
  family: string,
  ids: readonly number[],
  searches: boolean,
): Promise<Sold[] | undefined> {
  const learn = familyScenarios.find((each) => each.family === family)?.learn;
  if (!learn) return ids.map((id) => ({ id, prices: {} }));
  const sold: Sold[] = [];
  for (const id of ids) {
    const prices = await learn(learner, id);
    if (prices === undefined) return undefined;
    if (prices !== 'not sold') sold.push({ id, prices });
  }
  for (let id = 1; searches && sold.length === 0 && id <= MAX_TRIED_ID; id++) {
    if (ids.includes(id)) continue;
    const prices = await learn(learner, id);
    if (prices !== undefined && prices !== 'not sold') sold.push({ id, prices });
  }
  return sold;
}
