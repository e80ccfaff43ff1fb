import { test as base } from 'micro-insurance-sandbox/vitest';
import { createShop } from './shop.js';

type Shop = ReturnType<typeof createShop>;

/** `sandbox` and `merchant` come from the kit: one sandbox for the worker, and a merchant for each test. */
export const test = base.extend<{ openShop: () => Shop; shop: Shop }>({
  /** Opens a shop with the key of the merchant, and without orders. Its clock is that of the merchant. */
  openShop: async ({ sandbox, merchant }, use) => {
    const { fetch } = sandbox;
    const now = () => new Date(merchant.clock.show().now);
    const service = { baseUrl: 'http://sandbox', apiKey: merchant.apiKey, fetch, now };
    await use(() => createShop(service));
  },
  shop: async ({ openShop }, use) => use(openShop()),
});
