import * as z from 'zod/mini';
import { type Problem, problem } from '../core/errors.ts';
import { component, describe, type Infer } from '../core/schema.ts';
import { id, timestamp } from '../http/record-fields.ts';

/** What every place that answers a product says of it. */
export const productFields = () => ({
  id: id({ description: 'The product.', examples: [1] }),
  name: z.string(),
  details: describe(z.string(), { description: 'What it covers; may contain HTML.' }),
  beneficiaries: describe(z.boolean(), { description: 'Whether it covers beneficiaries.' }),
  max_beneficiaries: describe(z.int().check(z.gte(0)), {
    description: 'How many beneficiaries a purchase may name.',
  }),
  provider_id: id(),
  logo_url: z.nullable(z.string()),
  enable: describe(z.boolean(), { description: 'Whether it can be bought.' }),
  created_at: timestamp(),
  updated_at: timestamp(),
});

/** A product as the catalogue holds it: with the family it belongs to (`catalogue`). */
export const CatalogueProduct = component('CatalogueProduct', () =>
  z.strictObject({
    family: describe(z.string(), {
      description: 'The key of the family it is sold in, such as micro_health.',
    }),
    ...productFields(),
    service_id: id(),
    product_class_id: id(),
  }),
);
export type CatalogueProduct = Infer<typeof CatalogueProduct>;

/** The part of a World that every family reads: its products, by id. */
export interface Catalogue {
  readonly products: ReadonlyMap<number, CatalogueProduct>;
}

/** The product, if this family sells it; otherwise the problem (`catalogue`, `motor-product`). */
export function checkProduct(
  { products }: Catalogue,
  family: string,
  productId: number,
): { product: CatalogueProduct; problems: [] } | { product: undefined; problems: Problem[] } {
  const product = products.get(productId);
  if (product?.family === family && product.enable) return { product, problems: [] };
  const sold = [...products.values()].filter((each) => each.family === family && each.enable);
  const ids = sold.map((each) => each.id).join(', ');
  return {
    product: undefined,
    problems: [
      problem(
        'product_id',
        `must name a product of this family: ${ids}.`,
        'catalogue',
        'motor-product',
      ),
    ],
  };
}

/** The product of a record, which fixtures and snapshots have checked to be there. */
export function productOf({ products }: Catalogue, productId: number): CatalogueProduct {
  const product = products.get(productId);
  if (!product) throw new Error(`Product ${productId} is not in the catalogue`);
  return product;
}
