/* The sample purchases that pages and `merchant.buy` send, in agreement with a catalogue. */

import type { Product } from '../types/public.ts';
import { daysOf, type ProductFamily } from './family.ts';
import { sampleRequests } from './sample-requests.ts';

type Fields = Readonly<Record<string, unknown>>;

/** What of a catalogue a purchase depends on. */
export type SoldProduct = Pick<Product, 'id' | 'family' | 'enabled'>;

/**
 * The sample purchase of a family with some fields changed: of a product that the catalogue sells, with its premium as
 * the amount, and from this day. A field that is undefined is left out.
 */
export function samplePurchase(
  family: ProductFamily,
  products: readonly SoldProduct[],
  today: string,
  changes: Fields = {},
): Fields {
  const sample: Fields = { ...sampleRequests[family.initiateOperation], ...daysOf(family, today) };
  const isOf = (id: unknown) => (product: SoldProduct) => String(product.id) === String(id);
  const sold = products.filter((product) => product.family === family.key && product.enabled);
  const wanted =
    changes.product_id ?? (sold.find(isOf(sample.product_id)) ? undefined : sold[0]?.id);
  const product_id = wanted ?? sample.product_id;
  const prices = products.find(isOf(product_id)) ?? {};
  const chosen = { ...sample, product_id };
  const purchase = family.pricedPurchase?.(chosen, changes, prices as Fields) ?? {
    ...chosen,
    ...changes,
  };
  return Object.fromEntries(Object.entries(purchase).filter(([, value]) => value !== undefined));
}
