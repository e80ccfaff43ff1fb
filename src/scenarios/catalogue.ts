/* Finds out what a server sells, and at which prices. */

import { CatalogueProduct } from '../products/catalogue.ts';
import { builtInFixtures } from '../products/fixtures.ts';
import { type PriceDocument, priceDocument } from '../products/world.ts';
import { timestamp } from '../world/time.ts';
import { listAt, sameJson, valueAt } from './json.ts';
import { writtenMoment } from './received.ts';

/** The products and prices of a server, as far as a check knows them. The twin sells the same. */
export type ServerCatalogue = PriceDocument;

/** The products and prices of the built-in fixtures. */
export const publishedCatalogue = (): ServerCatalogue => priceDocument(builtInFixtures());

/** The ids of the products of a family that a check may buy. */
export const productsOf = ({ products }: ServerCatalogue, family: string): number[] =>
  products.filter((each) => each.family === family && each.enable).map(({ id }) => id);

/** Prices of products, by the name of the price list. */
export type Prices = Readonly<Record<string, readonly PricedProduct[]>>;

export interface PricedProduct {
  readonly product_id: number;
}

/** The price lists of a family. */
export const pricesOf = ({ records }: ServerCatalogue, family: string): Prices =>
  records[family] as Prices;

/** The prices that a server quotes for a product, if any; undefined if it returns no quotes at all. */
export type LearntPrices = Prices | 'not sold' | undefined;

/** A product with its known prices. */
interface Sold {
  readonly id: number;
  readonly prices: Prices;
}

/**
 * A catalogue in which a family sells only the given products, and no other family sells any of them. Unknown prices
 * are taken from the published catalogue.
 */
export function withProducts(
  catalogue: ServerCatalogue,
  family: string,
  sold: readonly Sold[],
): ServerCatalogue {
  const familyProducts = catalogue.products.filter((product) => product.family === family);
  const isSold = (id: number) => sold.some((each) => each.id === id);
  const [template] = familyProducts;
  if (!template) return catalogue;
  const products = sold.map(
    ({ id }) => familyProducts.find((each) => each.id === id) ?? { ...template, id },
  );
  const prices = Object.entries(pricesOf(catalogue, family)).map(([list, known]) => {
    const ofTemplate = known.filter((each) => each.product_id === template.id);
    const ofSold = sold.flatMap(({ id, prices: learnt }) => {
      const published = known.filter((each) => each.product_id === id);
      const others = published.length > 0 ? published : ofTemplate;
      return learnt[list] ?? others.map((each) => ({ ...each, product_id: id }));
    });
    return [list, ofSold] as const;
  });
  const others = Object.keys(catalogue.records).map((key) => {
    const lists = Object.entries(pricesOf(catalogue, key));
    return [
      key,
      Object.fromEntries(
        lists.map(([list, known]) => [list, known.filter((each) => !isSold(each.product_id))]),
      ),
    ];
  });
  return {
    products: [
      ...catalogue.products.filter((each) => each.family !== family && !isSold(each.id)),
      ...products,
    ],
    records: { ...Object.fromEntries(others), [family]: Object.fromEntries(prices) },
  };
}

/** A field of a product in the contract's form, if it is a moment in another one. */
function asWritten([field, value]: [string, unknown]): [string, unknown] {
  const moment =
    typeof value === 'string' && field.endsWith('_at') ? writtenMoment(value) : Number.NaN;
  return [field, Number.isNaN(moment) ? value : timestamp(moment)];
}

/** A catalogue with one product replaced. */
export function withProduct(
  catalogue: ServerCatalogue,
  served: unknown,
): ServerCatalogue | undefined {
  const known = catalogue.products.find(({ id }) => id === Number(valueAt(served, 'id')));
  if (!known) return undefined;
  // What a server leaves out may be null.
  const fields = { ...known, logo_url: null, ...(served as object) };
  const fits = ([field, value]: [string, unknown]) =>
    CatalogueProduct.shape[field as keyof CatalogueProduct]?.safeParse(value).success === true;
  const product: CatalogueProduct = {
    ...known,
    ...Object.fromEntries(Object.entries(fields).map(asWritten).filter(fits)),
    id: known.id,
    family: known.family,
  };
  if (sameJson(product, known)) return undefined;
  return {
    ...catalogue,
    products: catalogue.products.map((each) => (each === known ? product : each)),
  };
}

/** The products and prices of a server, with remarks. */
export interface Learnt {
  readonly catalogue: ServerCatalogue;
  readonly notes: readonly string[];
  /** Why a family has nothing to buy, by the family's key. */
  readonly unknown: ReadonlyMap<string, string>;
}

/** Asks a server about the products of a family. */
interface Seller {
  learn(family: string, id: number): Promise<LearntPrices>;
  /** The ids of the products of the policies in the family's list. */
  listed(family: string): Promise<readonly number[]>;
}

/** The ids of the products of the policies in a list. */
export const productIdsIn = (body: unknown): number[] => {
  const data = valueAt(body, 'data');
  const ids = [...listAt(data, ''), ...listAt(data, 'data')].map((record) =>
    Number(valueAt(record, 'product_id') ?? valueAt(record, 'subscriptions.product_id')),
  );
  return [...new Set(ids)].filter((id) => Number.isSafeInteger(id) && id > 0);
};

/** The highest product id to try if the server sells neither the published products nor those in its list. */
const MAX_TRIED_ID = 12;

/**
 * Finds out which products a server sells, and at which prices.
 *
 * @param named products that the user named, by family
 */
export async function learnCatalogue(
  families: readonly string[],
  seller: Seller,
  named: ReadonlyMap<string, number>,
): Promise<Learnt> {
  const published = publishedCatalogue();
  const idsOf = (key: string) =>
    published.products.filter(({ family }) => family === key).map(({ id }) => id);
  /** The products that each family sells; undefined if it returns no quotes at all. */
  const found = new Map<string, readonly Sold[] | undefined>();
  /** A server may take the products of other families too. */
  const isOfOther = (key: string, id: number) =>
    [...named].some(([family, each]) => family !== key && each === id) ||
    [...found].some(([family, sold]) => family !== key && sold?.some((each) => each.id === id));
  const learn = async (key: string, id: number): Promise<LearntPrices> =>
    isOfOther(key, id) ? 'not sold' : seller.learn(key, id);
  const soldOf = async (key: string, ids: readonly number[]): Promise<Sold[] | undefined> => {
    const sold: Sold[] = [];
    for (const id of ids) {
      const prices = await learn(key, id);
      if (prices === undefined) return undefined;
      if (prices !== 'not sold') sold.push({ id, prices });
    }
    return sold;
  };
  const search = async (key: string): Promise<Sold[]> => {
    const tried = Array.from({ length: MAX_TRIED_ID }, (_, place) => place + 1);
    for (const id of new Set([...(await seller.listed(key)), ...tried])) {
      if (idsOf(key).includes(id)) continue;
      const prices = await learn(key, id);
      if (prices !== undefined && prices !== 'not sold') return [{ id, prices }];
    }
    return [];
  };
  for (const key of families) {
    const wanted = named.get(key);
    found.set(key, await soldOf(key, wanted === undefined ? idsOf(key) : [wanted]));
  }
  // No family searches before all have the products that are known to be theirs.
  for (const key of families) {
    if (found.get(key)?.length === 0 && !named.has(key)) found.set(key, await search(key));
  }
  let catalogue = published;
  const notes: string[] = [];
  const unknown = new Map<string, string>();
  for (const [key, sold] of found) {
    // Quotes fail, which the report shows. Purchases use the published products.
    if (sold === undefined) continue;
    catalogue = withProducts(catalogue, key, sold);
    if (sold.length === 0) {
      unknown.set(key, `no product found; name one with --product ${key}=ID`);
      continue;
    }
    const ids = sold.map(({ id }) => id);
    const publishedIds = idsOf(key);
    if (!sameJson(ids, publishedIds)) {
      notes.push(
        `The check used ${inWords(ids)} of ${key}; the sandbox's fixtures have ${inWords(publishedIds)}.`,
      );
    }
    if (hasOtherPrices(catalogue, published, key)) {
      notes.push(
        `The prices of ${key} differ from the sandbox's fixtures. The check used the server's.`,
      );
    }
  }
  return { catalogue, notes, unknown };
}

const inWords = (ids: readonly number[]): string =>
  `product${ids.length === 1 ? '' : 's'} ${ids.join(' and ')}`;

/** Whether a published product has other prices. */
const hasOtherPrices = (
  catalogue: ServerCatalogue,
  published: ServerCatalogue,
  family: string,
): boolean =>
  Object.entries(pricesOf(catalogue, family)).some(([list, prices]) => {
    const before = pricesOf(published, family)[list] ?? [];
    return prices.some(
      (price) =>
        before.some(({ product_id }) => product_id === price.product_id) &&
        !before.some((each) => sameJson(each, price)),
    );
  });
