import { CatalogueProduct } from '../products/catalogue.ts';
import { builtInFixtures } from '../products/fixtures.ts';
import { type PriceDocument, priceDocument } from '../products/world.ts';
import { type Json, sameJson } from './json.ts';

/** What a server sells and for how much, as far as a check knows: the twin sells the same. */
export type Catalogue = PriceDocument;

/** What the sandbox sells that ships with this program. */
export const publishedCatalogue = (): Catalogue => priceDocument(builtInFixtures());

/** The ids of the products of a family that a check may buy. */
export const productsOf = ({ products }: Catalogue, family: string): number[] =>
  products.filter((each) => each.family === family && each.enable).map(({ id }) => id);

/** Prices of products, by the name of their list. */
export type Prices = Readonly<Record<string, readonly PricedProduct[]>>;

export interface PricedProduct {
  readonly product_id: number;
}

/** The price lists of a family. */
export const pricesOf = ({ records }: Catalogue, family: string): Prices =>
  records[family] as Prices;

/** What a server says of a product; undefined where it does not quote at all. */
export type LearntPrices = Prices | 'not sold' | undefined;

/** A product with the prices that are known of it. */
interface Sold {
  readonly id: number;
  readonly prices: Prices;
}

/**
 * A catalogue in which a family sells these products and no others. What is not known of a product is as the published
 * one has it.
 */
export function withProducts(
  catalogue: Catalogue,
  family: string,
  sold: readonly Sold[],
): Catalogue {
  const own = catalogue.products.filter((product) => product.family === family);
  const isSold = (id: number) => sold.some((each) => each.id === id);
  const [template] = own;
  if (!template) return catalogue;
  const products = sold.map(({ id }) => own.find((each) => each.id === id) ?? { ...template, id });
  const prices = Object.entries(pricesOf(catalogue, family)).map(([list, known]) => {
    const ofTemplate = known.filter((each) => each.product_id === template.id);
    const ofSold = sold.flatMap(({ id, prices: learnt }) => {
      const published = known.filter((each) => each.product_id === id);
      const others = published.length > 0 ? published : ofTemplate;
      return learnt[list] ?? others.map((each) => ({ ...each, product_id: id }));
    });
    return [list, ofSold] as const;
  });
  return {
    products: [
      ...catalogue.products.filter((each) => each.family !== family && !isSold(each.id)),
      ...products,
    ],
    records: { ...catalogue.records, [family]: Object.fromEntries(prices) },
  };
}

/** A catalogue with another object for one product. */
export function withProduct(catalogue: Catalogue, seen: Json): Catalogue | undefined {
  const own = catalogue.products.find(({ id }) => id === seen?.id);
  if (!own) return undefined;
  const fits = ([field, value]: [string, Json]) =>
    CatalogueProduct.shape[field as keyof CatalogueProduct]?.safeParse(value).success === true;
  const product: CatalogueProduct = {
    ...own,
    ...Object.fromEntries(Object.entries<Json>(seen).filter(fits)),
    id: own.id,
    family: own.family,
  };
  if (sameJson(product, own)) return undefined;
  return {
    ...catalogue,
    products: catalogue.products.map((each) => (each === own ? product : each)),
  };
}

/** What a server sells, and what to tell of it. */
export interface Learnt {
  readonly catalogue: Catalogue;
  readonly notes: readonly string[];
  /** Why nothing of a family can be bought, by its key. */
  readonly unknown: ReadonlyMap<string, string>;
}

/** Asks a server for the prices of a product. */
type LearnPrices = (family: string, id: number) => Promise<LearntPrices>;

/** The ids that are tried where the published ones are not sold. */
const MAX_TRIED_ID = 12;

/**
 * Learns from its quotes what a server sells, and for how much.
 *
 * @param named products that the user named, by family
 */
export async function learnCatalogue(
  families: readonly string[],
  learn: LearnPrices,
  named: ReadonlyMap<string, number>,
): Promise<Learnt> {
  const published = publishedCatalogue();
  let catalogue = published;
  const notes: string[] = [];
  const unknown = new Map<string, string>();
  for (const key of families) {
    const own = published.products.filter(({ family }) => family === key).map(({ id }) => id);
    const wanted = named.get(key);
    const isNamed = wanted !== undefined;
    const sold = await soldOf(key, isNamed ? [wanted] : own, !isNamed, learn);
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

/** The products of a family that are sold; undefined where the server does not quote at all. */
async function soldOf(
  family: string,
  ids: readonly number[],
  searches: boolean,
  learn: LearnPrices,
): Promise<Sold[] | undefined> {
  const sold: Sold[] = [];
  for (const id of ids) {
    const prices = await learn(family, id);
    if (prices === undefined) return undefined;
    if (prices !== 'not sold') sold.push({ id, prices });
  }
  for (let id = 1; searches && sold.length === 0 && id <= MAX_TRIED_ID; id++) {
    if (ids.includes(id)) continue;
    const prices = await learn(family, id);
    if (prices !== undefined && prices !== 'not sold') sold.push({ id, prices });
  }
  return sold;
}
