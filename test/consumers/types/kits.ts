/*
 * Typed tests with the kits. Several compilers compile it; nothing runs it.
 */
import type { Merchant, MotorPolicy } from 'micro-insurance-sandbox';
import {
  test as browserTest,
  createTest as createBrowserTest,
} from 'micro-insurance-sandbox/playwright';
import { createTest, test } from 'micro-insurance-sandbox/vitest';

test('a policy is bought', async ({ sandbox, merchant, expect }) => {
  const own: Merchant = merchant;
  const policy: MotorPolicy = await own.buy('motor');
  expect(sandbox.merchants()).toContain(policy);
  // @ts-expect-error a test has no such fixture
  ({}) satisfies { nothing: typeof merchant.nothing };
});

createTest({ amountCheck: 'ignore' })('has other options', ({ merchant }) => merchant.reset());
createTest({ merchant: { records: 'demo', seed: 3 } });
// @ts-expect-error no option of a merchant has this name
createTest({ merchant: { record: 'demo' } });
// @ts-expect-error no option has this name
createTest({ amount: 'ignore' });

browserTest('a page buys', async ({ page, sandbox, merchant }) => {
  const url: string = sandbox.url;
  await page.goto(url);
  await merchant.journal.await({ operation: 'verifyMotorPolicy' });
});

const own = createBrowserTest({ cors: 'http://127.0.0.1:5173' }).extend<{ shop: string }>({
  shop: async ({ merchant }, use) => use(merchant.apiKey),
});
own('has a fixture of its own', ({ shop }) => void shop.length);
