import type { CatalogueProduct } from '../products/catalogue.ts';

type Frequency = 'monthly' | 'quarterly' | 'annually';

/** What a number of users pays, in naira. */
export interface Premium extends Readonly<Record<Frequency, number>> {
  readonly product_id: number;
  readonly users: number;
}

/** What a server sells and for how much, as far as a check knows: the twin sells the same. */
export interface Catalogue {
  readonly products: readonly CatalogueProduct[];
  readonly premiums: readonly Premium[];
  readonly commissionRates: readonly {
    readonly product_id: number;
    readonly partner: number;
    readonly merchant: number;
  }[];
  readonly motorRates: readonly { readonly product_id: number; readonly rate: number }[];
}

/** The ids of the products of a family that a check may buy. */
export const productsOf = ({ products }: Catalogue, family: string): number[] =>
  products.filter((each) => each.family === family && each.enable).map(({ id }) => id);

/** The premium of a plan; undefined where there is none. */
export const premiumOf = (
  { premiums }: Catalogue,
  productId: number,
  users: number,
  frequency: Frequency,
): number | undefined =>
  premiums.find((each) => each.product_id === productId && each.users === users)?.[frequency];
