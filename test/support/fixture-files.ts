import health from '../../fixtures/micro-health.json' with { type: 'json' };
import motor from '../../fixtures/motor.json' with { type: 'json' };
import products from '../../fixtures/products.json' with { type: 'json' };

/** The built-in fixtures, as far as tests change their prices. */
export const fixtureFiles = () => ({
  products: products.products,
  health: { prices: health.prices },
  motor: motor.premium_rates[0] as { product_id: number; rate: number },
});
