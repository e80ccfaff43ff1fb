/* The products of a World, and which family sells each. */

import { z } from '@hono/zod-openapi';
import { id, wholeFrom, writtenFields } from '../api/response-fields.ts';
import { type FieldError, fieldError } from '../world/errors.ts';
import { onFirstUse } from '../world/on-first-use.ts';
import { assumed } from './named-schemas.ts';

/** The fields of a product in every response. */
export const productFields = onFirstUse(() => ({
  id: id({ description: 'Id of the product.' }),
  name: z.string().describe('Name of the product.'),
  details: z.string().describe('Description of the cover. It may contain HTML.'),
  beneficiaries: z
    .boolean()
    .meta(assumed('Whether the product covers beneficiaries.', 'users-count')),
  max_beneficiaries: wholeFrom(0).meta(
    assumed('Maximum number of beneficiaries in a purchase.', 'users-count'),
  ),
  provider_id: id({ description: 'Id of the provider.' }),
  logo_url: z.string().nullable().describe('URL of the logo. Null if there is none.'),
  enable: z.boolean().meta(assumed('Whether the product can be bought.', 'catalogue')),
  ...writtenFields(),
}));

/** Where a product belongs in the provider's catalogue. */
export const classFields = onFirstUse(() => ({
  service_id: id({ description: 'Id of the service of the product.' }),
  product_class_id: id({ description: 'Id of the product class.' }),
}));

/** A product in the catalogue, with its family (`catalogue`). */
export const CatalogueProduct = onFirstUse(() =>
  z.strictObject({ family: z.string(), ...productFields(), ...classFields() }),
);
export type CatalogueProduct = z.output<ReturnType<typeof CatalogueProduct>>;

/** The products of a World, by id. */
export interface Catalogue {
  readonly products: ReadonlyMap<number, CatalogueProduct>;
}

export const catalogueOf = (products: readonly CatalogueProduct[]): Catalogue => ({
  products: new Map(products.map((product) => [product.id, product])),
});

/** What a World sells, as JSON: products, and the lists of prices of each family by its key. */
export interface PriceList {
  readonly products: readonly CatalogueProduct[];
  readonly prices: Readonly<Record<string, object>>;
}

/** The products of a family that can be bought. */
export const soldBy = ({ products }: Catalogue, family: string): readonly CatalogueProduct[] =>
  [...products.values()].filter((each) => each.family === family && each.enable);

/** Checks the product of a request: the family must sell it (`catalogue`, `motor-product`). */
export function checkProduct(
  catalogue: Catalogue,
  family: string,
  productId: number | undefined,
): FieldError[] {
  if (productId === undefined) return [];
  const product = catalogue.products.get(productId);
  if (product?.family === family && product.enable) return [];
  const ids = soldBy(catalogue, family)
    .map(({ id }) => id)
    .join(', ');
  const demand =
    ids === ''
      ? 'must name a product of this family, but the catalogue sells none.'
      : `must name a product of this family: ${ids}.`;
  return [fieldError('product_id', 'product', demand, 'catalogue', 'motor-product')];
}

/** The product of a record. Validation of fixtures and snapshots ensures that it exists. */
export function productOf({ products }: Catalogue, productId: number): CatalogueProduct {
  const product = products.get(productId);
  if (!product) throw new Error(`Product ${productId} is not in the catalogue`);
  return product;
}
