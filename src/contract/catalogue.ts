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

/** A product with the prices that are known of it. */
export interface Sold {
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
