import { createSandbox, type Merchant } from 'micro-insurance-sandbox';
import { test as base } from 'vitest';
import { createShop } from '../shop.mjs';

/** One sandbox for the file, in this process, with the clock frozen at 31 January. */
const sandbox = createSandbox({ now: '2026-01-31T10:00:00Z', clock: 'frozen' });

interface Fixtures {
  /** A new merchant for each test, so parallel tests cannot interfere. */
  merchant: Merchant;
  shop: ReturnType<typeof createShop>;
}

export const test = base.extend<Fixtures>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from the pattern what a fixture needs
  merchant: async ({}, use) => {
    const merchant = sandbox.createMerchant();
    await use(merchant);
    merchant.remove();
  },
  shop: async ({ merchant }, use) => {
    const { fetch } = sandbox;
    await use(createShop({ baseUrl: 'http://sandbox', apiKey: merchant.apiKey, fetch }));
  },
});
