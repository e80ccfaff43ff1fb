import { expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { clipboard, expectNoSidewaysScroll, openPage } from './support/page.ts';
import { send, serve } from './support/sandbox.ts';

test('the key and the commands can be copied', async () => {
  const server = await serve();
  const page = await openPage(server, '/');
  await page.getByRole('button', { name: 'Copy the key' }).click();
  await page.getByText('Copied').waitFor();
  expect(await clipboard(page)).toBe('sk_sandbox_demo');

  await page.getByRole('button', { name: 'Copy: Fifteen minutes, at once' }).click();
  await expect
    .poll(() => clipboard(page))
    .toBe(await page.locator('article:nth-child(2) pre').first().textContent());
});

test('a first call is made there, shows its answer, and stands in the inspector', async () => {
  const page = await openPage(await serve(), '/');
  await page.getByRole('button', { name: 'Run: A first call' }).click();
  const answer = page.getByRole('region', { name: 'Answer: A first call' });
  await answer.getByText('"Subscriptions retrieved successfully"').waitFor();
  await page.getByRole('link', { name: 'Open it in the inspector' }).click();
  await page.waitForURL(/\/_sandbox\?call=req-1-1\b/);
});

test('fifteen minutes pass at once, and a purchase with them', async () => {
  const server = await serve();
  await send(server, 'initiateMotorPolicy');
  const page = await openPage(server, '/');
  await page.getByRole('button', { name: 'Run: Fifteen minutes, at once' }).click();
  const answer = page.getByRole('region', { name: 'Answer: Fifteen minutes, at once' });
  await answer.getByText('"initiateMotorPolicy"').waitFor();
  expect(await answer.textContent()).toContain('"now": "2026-01-31T10:15:00.000Z"');
});

test('what the sandbox holds is shown, and follows it', async () => {
  const server = await serve();
  const page = await openPage(server, '/');
  const number = (name: string) => page.locator(`[data-live=${name}]`);
  expect(await number('merchants').textContent()).toBe('2');
  server.sandbox.createMerchant();
  await send(server, 'getMicroHealthQuote');
  await expect.poll(() => number('merchants').textContent()).toBe('3');
  await expect.poll(() => number('calls').textContent()).toBe('1');
});

test('with an admin token the page shows no numbers, and asks for none', async () => {
  const server = await serve({ adminToken: 'hush' });
  const page = await openPage(server, '/');
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await page.locator('[data-live]').count()).toBe(0);
});

test.each([
  [1280, 'dark'],
  [390, 'light'],
] as const)('the front page is there for everybody, at %i pixels, %s', async (width, scheme) => {
  const page = await openPage(await serve(), '/', { width, scheme });
  for (const name of ['Run: A first call', 'Run: Fifteen minutes, at once']) {
    await page.getByRole('button', { name }).click();
    await page.getByRole('region', { name: name.replace('Run', 'Answer') }).waitFor();
  }
  await expectAccessible(page, 'the front page');
  await expectNoSidewaysScroll(page);
  const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  expect(background).toBe(scheme === 'dark' ? 'rgb(15, 18, 22)' : 'rgb(246, 247, 249)');
});
