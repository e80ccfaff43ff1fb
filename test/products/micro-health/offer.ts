import file from '../../../fixtures/micro-health.json' with { type: 'json' };
import catalogue from '../../../fixtures/products.json' with { type: 'json' };
import { createClient } from '../../support/client.ts';
import { purchaseOf } from '../../support/requests.ts';

interface Offer {
  /** Changes to product 1. */
  readonly product?: object;
  readonly prices?: readonly object[];
  readonly commission_rates?: readonly object[];
}

/** A client of a sandbox with other products or prices than the fixtures. */
export const clientOffering = ({ product, ...prices }: Offer, amountCheck?: 'ignore') =>
  createClient({
    fixtures: {
      'products.json': {
        products: catalogue.products.map((each) =>
          each.id === 1 ? { ...each, ...product } : each,
        ),
      },
      'micro-health.json': { ...file, ...prices, policies: [], purchases: [] },
    },
    ...(amountCheck && { amountCheck }),
  });

/** A purchase for the principal only: product 1, monthly, 400 naira. */
export const PRINCIPAL = purchaseOf('micro_health', {
  first_beneficiary_full_name: undefined,
  profile_url: undefined,
  amount: 400,
});
