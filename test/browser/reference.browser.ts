import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { BACKGROUND, backgroundOf, openPage } from './support/page.ts';
import { serve } from './support/sandbox.ts';

/** Sends the example of an operation once Scalar has drawn it. */
async function sendRequest(page: Page, path: string): Promise<void> {
  await page.getByRole('button', { name: new RegExp(`Test Request.*post ${path}`) }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: /^Send/ }).first().click();
}

test('the reference has fields in its first view and requests in many languages, and sends one with the demo key', async () => {
  const server = await serve();
  const page = await openPage(server, '/docs', { width: 1440 });
  for (const language of ['Shell', 'Ruby', 'Node.js', 'PHP', 'Python']) {
    await page.getByRole('button', { name: language }).first().waitFor();
  }
  await page.getByText('curl http://').first().waitFor();
  await expect
    .poll(() => page.getByPlaceholder('Token').first().inputValue())
    .toBe('sk_sandbox_demo');
  await expectAccessible(page, 'the reference page');
  expect(await backgroundOf(page)).toBe(BACKGROUND.light);

  const title = page.getByRole('heading', { name: 'Start a micro-health purchase' }).first();
  const fields = page.getByText('The details of a new policy.').first();
  const top = async (of: Locator) => (await of.boundingBox())?.y ?? Number.NaN;
  await page.getByText('Start a micro-health purchase').first().click();
  await expect.poll(() => top(title)).toBeLessThan(110);
  expect((await top(fields)) - (await top(title))).toBeLessThan(240);
  await page
    .locator('summary', { hasText: /^\d+ assumptions$/ })
    .first()
    .click();
  await page.locator('details[open]').getByRole('link').first().waitFor();

  await page.getByText('Get a micro-health quote').first().click();
  await sendRequest(page, '/api/merchant/micro_health/get_quote');
  await page.locator('.cm-content', { hasText: '"quote_price": 700' }).waitFor();
  await expectAccessible(page, 'a call that was sent', { within: '[role=dialog]' });
  expect(server.sandbox.journal()).toHaveLength(1);
});

test('search finds an operation by path or field, and assumptions link to their rows', async () => {
  // An unknown fragment still shows the page.
  const page = await openPage(await serve(), '/docs#tag/nothing');
  await page.getByRole('heading', { name: 'Micro-insurance merchant API' }).waitFor();
  await page.keyboard.press('Control+k');
  for (const words of ['motor_initiate', 'chasis']) {
    await page.keyboard.press('Control+a');
    await page.keyboard.type(words);
    const found = page.getByRole('option', { name: /Start a motor purchase/ });
    await found.first().waitFor();
  }
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'token-boundary' }).first().click();
  await page.waitForURL(/\/docs\/assumptions#token-boundary$/);
  const row = page.locator(':target');
  expect(await row.textContent()).toContain('token-boundary');
  const top = await row.evaluate((element) => element.getBoundingClientRect().top);
  expect(top, 'the row is not under the page header').toBeGreaterThanOrEqual(50);
});

test('the control plane reference fits on a phone, and advances the demo clock', async () => {
  const server = await serve();
  const page = await openPage(server, '/docs/control', { width: 390, scheme: 'dark' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  // The reference puts the choice of a Content-Type into the button that opens a response.
  const known = /^nested-interactive at #headlessui-disclosure-button-scalar-/;
  await expectAccessible(page, 'the control plane', { known });
  expect(await backgroundOf(page)).toBe(BACKGROUND.dark);
  await page.setViewportSize({ width: 1280, height: 844 });
  await page.getByText('Move the clock of a World forward').first().click();
  await sendRequest(page, '/_sandbox/clock/advance');
  const { clock } = server.sandbox.merchant('sk_sandbox_demo');
  await expect.poll(() => clock.show().now).toBe('2026-01-31T10:15:00.000Z');
});

test('the assumptions page is accessible on a phone', async () => {
  const page = await openPage(await serve(), '/docs/assumptions', { width: 390 });
  await page.getByRole('heading', { level: 1 }).waitFor();
  await expectAccessible(page, 'the assumptions');
});
