import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { expectNoSidewaysScroll, openPage } from './support/page.ts';
import { serve } from './support/sandbox.ts';

/** Waits until Scalar has drawn an operation, and opens the dialog that sends it. */
async function openRequest(page: Page, path: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`Test Request.*post ${path}`) }).click();
}

const send = (page: Page) => page.getByRole('button', { name: /^Send/ }).first().click();
const key = (page: Page) => page.getByPlaceholder('Token').first();

test('the reference page sends a quote with the key of the demo merchant, asking nobody else', async () => {
  const server = await serve();
  const page = await openPage(server, '/docs');
  await page.getByText('Price a micro-health plan').first().click();
  await openRequest(page, '/api/merchant/micro_health/get_quote');
  await send(page);
  await page.locator('.cm-content', { hasText: '"quote_price": 700' }).waitFor();
  expect(server.sandbox.journal()).toHaveLength(1);
});

test('the reference page of the control plane moves the clock of the demo merchant', async () => {
  const server = await serve();
  const page = await openPage(server, '/docs/control');
  await page.getByText('Let time pass in a World').first().click();
  await openRequest(page, '/_sandbox/clock/advance');
  await send(page);
  await expect
    .poll(() => server.sandbox.merchant('sk_sandbox_demo').clock.show().now)
    .toBe('2026-01-31T10:15:00.000Z');
});

test('examples show a request in many languages', async () => {
  const page = await openPage(await serve(), '/docs');
  for (const language of ['Shell', 'Ruby', 'Node.js', 'PHP', 'Python']) {
    await page.getByRole('tab', { name: language }).first().waitFor();
  }
  await page.getByText('curl http://').first().waitFor();
});

test('the key is that of the demo merchant, or none where there is no demo merchant', async () => {
  const page = await openPage(await serve(), '/docs');
  await expect.poll(() => key(page).inputValue()).toBe('sk_sandbox_demo');

  const merchants = { merchants: [{ id: 9, name: 'Mine', api_key: 'sk_of_my_own' }] };
  const other = await openPage(await serve({ fixtures: { 'merchants.json': merchants } }), '/docs');
  await key(other).waitFor();
  expect(await key(other).inputValue()).toBe('');
  expect(await other.content()).not.toContain('sk_of_my_own');
});

test('a search finds an operation by its path and by a field', async () => {
  const page = await openPage(await serve(), '/docs');
  await page.getByText('Price a micro-health plan').first().waitFor();
  await page.keyboard.press('Control+k');
  for (const words of ['motor_initiate', 'chasis']) {
    await page.keyboard.press('Control+a');
    await page.keyboard.type(words);
    await page
      .getByRole('option', { name: /Initiate a motor policy/ })
      .first()
      .waitFor();
  }
});

test('an address that names nothing shows the page all the same', async () => {
  const page = await openPage(await serve(), '/docs#tag/nothing');
  await page.getByRole('heading', { name: 'Micro-insurance merchant API' }).waitFor();
});

test('an assumption of an operation leads to its row', async () => {
  const page = await openPage(await serve(), '/docs');
  await page.getByRole('link', { name: 'token-boundary' }).first().click();
  await page.waitForURL(/\/docs\/assumptions#token-boundary$/);
  const row = page.locator('tr:target');
  expect(await row.textContent()).toContain('token-boundary');
  const top = await row.evaluate((element) => element.getBoundingClientRect().top);
  expect(top).toBeGreaterThanOrEqual(50);
});

test.each([
  ['/docs', 1280, 'light'],
  ['/docs/control', 390, 'dark'],
  ['/docs/assumptions', 390, 'light'],
] as const)('%s is there for everybody, at %i pixels, %s', async (path, width, scheme) => {
  const page = await openPage(await serve(), path, { width, scheme });
  await page.getByRole('heading', { level: 1 }).waitFor();
  // What Scalar names and nests is its own affair; the colours are ours.
  const rules = path === '/docs/assumptions' ? undefined : ['color-contrast'];
  await expectAccessible(page, path, rules);
  await expectNoSidewaysScroll(page);
  const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(background).toBe(scheme === 'dark' ? 'rgb(15, 18, 22)' : 'rgb(246, 247, 249)');
});
