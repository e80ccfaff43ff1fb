import { spawn } from 'node:child_process';
import { expect } from '@playwright/test';
import { test as base } from 'micro-insurance-sandbox/playwright';

const test = base.extend({
  /** The server of the shop: one for each worker, with a merchant of its own. */
  shop: [
    async ({ sandbox }, use, { parallelIndex }) => {
      const merchant = sandbox.createMerchant({ name: `shop ${parallelIndex}` });
      const url = `http://127.0.0.1:${4317 + parallelIndex}`;
      const env = {
        ...process.env,
        PORT: new URL(url).port,
        INSURANCE_URL: sandbox.url,
        INSURANCE_KEY: merchant.apiKey,
      };
      // Next.js: spawn('npx', ['next', 'start', '-p', PORT], …)
      const server = spawn(process.execPath, ['checkout.mjs'], { cwd: import.meta.dirname, env });
      await expect
        .poll(() =>
          fetch(url).then(
            (it) => it.ok,
            () => false,
          ),
        )
        .toBe(true);
      await use({ url, merchant });
      server.kill();
    },
    { scope: 'worker' },
  ],
  /** Tests of a worker run one after the other. Each finds the World as it was at the start. */
  merchant: async ({ shop }, use) => {
    shop.merchant.reset();
    await use(shop.merchant);
  },
  page: async ({ page, shop }, use) => {
    await page.goto(shop.url);
    await use(page);
  },
});

async function buy(page, email) {
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('E-mail').fill(email);
  await page.getByRole('button', { name: 'Buy' }).click();
}

test('a policy is bought', async ({ page, merchant }) => {
  await buy(page, 'ada@example.com');
  await expect(page.getByRole('status')).toHaveText(/policy \d{10}\.$/);
  const { data } = merchant.records({ family: 'micro_health' });
  expect(data).toMatchObject([{ first_name: 'Ada', email: 'ada@example.com' }]);
});

test('a customer reads what is wrong', async ({ page }) => {
  await buy(page, 'ada');
  await expect(page.getByRole('alert')).toHaveText('The email field must be an e-mail address.');
});

test('a customer who pays late is told so', async ({ page, merchant }) => {
  merchant.faults.add({
    match: { operation: 'verifyMicroHealthSubscription' },
    stage: 'before',
    effect: { kind: 'advance', by: 'PT15M' },
  });
  await buy(page, 'ada@example.com');
  await expect(page.getByRole('alert')).toHaveText('Token has expired');
});
