import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startSandbox } from '../../src/node/index.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await chromium.launch({
    executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium',
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}, 30_000);

afterAll(() => browser.close());

test('the reference page shows what is supposed and tries a quote, asking nobody else', async () => {
  const server = await startSandbox({ port: 0 });
  const page = await browser.newPage();
  const strays: string[] = [];
  const complaints: string[] = [];
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.route('**/*', (route) => {
    const address = route.request().url();
    if (address.startsWith(server.url) || address.startsWith('data:')) return route.continue();
    strays.push(address);
    return route.abort();
  });

  await page.goto(`${server.url}/docs`);
  await page.locator('#suppositions tr#token-boundary').waitFor();
  const quote = page.locator('[id$="getMicroHealthQuote"]');
  await quote.locator('.opblock-summary-control').click();
  await quote.locator('button.execute').click();
  const answer = quote.locator('.live-responses-table tbody');
  await expect
    .poll(() => answer.first().textContent(), { timeout: 10_000 })
    .toContain('"quote_price": 700');

  expect(strays).toEqual([]);
  expect(complaints).toEqual([]);
  const green = await quote.evaluate((block) => getComputedStyle(block).borderColor);
  expect(green, 'the style sheet is applied').toBe('rgb(73, 204, 144)');
  await page.close();
  await server.close();
}, 60_000);
