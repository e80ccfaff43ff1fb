import { test as base, expect } from '@playwright/test';

const test = base.extend({
  /** A new key for each test opens a new World, so tests can run in parallel. */
  key: async ({ browserName }, use, { testId, retry }) =>
    use(`sk_${browserName}_${testId}_${retry}`),

  /** Calls the control plane for that key. Pages of another origin cannot call it, tests can. */
  sandbox: async ({ key, playwright }, use, { config }) => {
    const context = await playwright.request.newContext({
      baseURL: config.metadata.sandbox,
      extraHTTPHeaders: { authorization: `Bearer ${key}` },
    });
    const send = async (method, path, data) => {
      const response = await context.fetch(`/_sandbox/${path}`, { method, data });
      expect(response.ok(), await response.text()).toBe(true);
      return response.json();
    };
    await use({
      post: (path, data) => send('POST', path, data),
      get: (path) => send('GET', path),
    });
    await context.dispose();
  },

  /** The shop, which calls the sandbox with that key. */
  page: async ({ page, key }, use, { config }) => {
    const service = JSON.stringify({ url: config.metadata.sandbox, key });
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

test('a policy is bought', async ({ page, sandbox }) => {
  await order(page);
  await pay(page);
  await expect(page.getByRole('status')).toHaveText(/policy \d{10}\.$/);
  const records = await sandbox.get('records?family=micro_health');
  expect(records.data).toMatchObject([{ first_name: 'Ada', surname: 'Obi' }]);
});

test('who pays after fifteen minutes is told to begin again', async ({ page, sandbox }) => {
  await order(page);
  await expect(page.getByRole('button', { name: 'Pay 700' })).toBeVisible();
  const { effects } = await sandbox.post('clock/advance', { by: 'PT15M' });
  expect(effects).toMatchObject([{ kind: 'purchase_expired' }]);
  await pay(page);
  await expect(page.getByRole('alert')).toHaveText('Token has expired');
});

test('who pays while the insurer is busy can pay again', async ({ page, sandbox }) => {
  await sandbox.post('faults', {
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
