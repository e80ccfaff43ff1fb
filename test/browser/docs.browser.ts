import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SandboxServer, startSandbox } from '../../src/node/index.ts';

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

/** A page of a sandbox, and what is wrong with it: whom it asks besides, and what the browser minds. */
async function open(server: SandboxServer, path: string, width = 1280) {
  const page = await browser.newPage({ viewport: { width, height: 844 } });
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

  await page.goto(`${server.url}${path}`);
  return { page, strays, complaints };
}

test('the reference page shows what is supposed and tries a quote, asking nobody else', async () => {
  const server = await startSandbox({ port: 0 });
  const { page, strays, complaints } = await open(server, '/docs');
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

test('the reference page of the control plane moves the clock of the demo merchant', async () => {
  const server = await startSandbox({ port: 0, now: '2026-01-31T10:00:00Z', clock: 'frozen' });
  const { page, strays, complaints } = await open(server, '/docs/control');
  const advance = page.locator('[id$="advanceClock"]');
  await advance.locator('.opblock-summary-control').click();
  await advance.locator('button.execute').click();
  const answer = advance.locator('.live-responses-table tbody');
  await expect
    .poll(() => answer.first().textContent(), { timeout: 10_000 })
    .toContain('"now": "2026-01-31T10:15:00.000Z"');

  expect(strays).toEqual([]);
  expect(complaints).toEqual([]);
  await page.close();
  await server.close();
}, 60_000);

test.each(['/', '/docs', '/docs/control'])(
  '%s fits a phone',
  async (path) => {
    const server = await startSandbox({ port: 0 });
    const { page, complaints } = await open(server, path, 390);
    await page.locator('h1').waitFor();
    if (path === '/docs') await page.locator('#token-boundary').waitFor();
    if (path !== '/') {
      await page.locator('.opblock-summary-control').first().click();
      await page.locator('.responses-table').first().waitFor();
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
    expect(await page.locator('main').count()).toBe(1);
    expect(await page.locator('h1').count()).toBe(1);
    expect(complaints).toEqual([]);
    await page.close();
    await server.close();
  },
  60_000,
);
