import { expect } from '@playwright/test';
import { test as base } from 'micro-insurance-sandbox/playwright';

/** `sandbox` and `merchant` come from the kit: a server for the worker, and a merchant for each test. */
const test = base.extend({
  /** The shop, which calls the sandbox with the key of the merchant. */
  page: async ({ page, sandbox, merchant }, use) => {
    const service = JSON.stringify({ url: sandbox.url, key: merchant.apiKey });
    await page.addInitScript((text) => localStorage.setItem('service', text), service);
    await page.goto('/');
    await use(page);
  },
});

async function order(page) {
  await page.getByLabel('First name').fill('Ada');
  await page.getByLabel('Surname').fill('Obi');
  await page.getByLabel('E-mail').fill('ada@example.com');
  await page.getByLabel('Date of birth').fill('1990-04-12');
  await page.getByRole('button', { name: 'Order' }).click();
}

const pay = (page) => page.getByRole('button', { name: 'Pay 700' }).click();

test('a policy is bought', async ({ page, merchant }) => {
  await order(page);
  await pay(page);
  await expect(page.getByRole('status')).toHaveText(/policy \d{10}\.$/);
  const { data } = merchant.records({ family: 'micro_health' });
  expect(data).toMatchObject([{ first_name: 'Ada', surname: 'Obi' }]);
});

test('who pays after fifteen minutes is told to begin again', async ({ page, merchant }) => {
  await order(page);
  await expect(page.getByRole('button', { name: 'Pay 700' })).toBeVisible();
  const { effects } = merchant.clock.advance('PT15M');
  expect(effects).toMatchObject([{ kind: 'purchase_expired' }]);
  await pay(page);
  await expect(page.getByRole('alert')).toHaveText('Token has expired');
});

test('who pays while the insurer is busy can pay again', async ({ page, merchant }) => {
  merchant.faults.add({
    match: { operation: 'verifyMicroHealthSubscription' },
    stage: 'before',
    effect: { kind: 'respond', status: 503 },
  });
  await order(page);
  await pay(page);
  await expect(page.getByRole('alert')).toHaveText(/^The insurer is busy\. Nothing was paid/);
  await pay(page);
  await expect(page.getByRole('status')).toHaveText(/policy \d{10}\.$/);
  await expect(page.getByRole('alert')).toBeEmpty();
});
