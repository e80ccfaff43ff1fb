import { test as base } from 'micro-insurance-sandbox/vitest';
import { createShop } from './shop.js';

/** `sandbox` and `merchant` come from the kit: one sandbox for the worker, and a merchant for each test. */
export const test = base.extend<{ shop: ReturnType<typeof createShop> }>({
  shop: async ({ sandbox, merchant }, use) => {
    const { fetch } = sandbox;
    await use(createShop({ baseUrl: 'http://sandbox', apiKey: merchant.apiKey, fetch }));
  },
});
