import { expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { story } from './support/inspector.ts';
import { BACKGROUND, backgroundOf, clipboard, openPage } from './support/page.ts';
import { DEMO_KEY, serve } from './support/sandbox.ts';

test('the address and the key can be copied', async () => {
  const server = await serve();
  const page = await openPage(server, '/', { width: 390 });
  for (const text of [DEMO_KEY, server.url]) {
    await page.getByRole('button', { name: `Copy ${text}` }).click();
    await expect.poll(() => clipboard(page)).toBe(text);
  }
  await expectAccessible(page, 'the front page');
  expect(await backgroundOf(page)).toBe(BACKGROUND.light);
});

test('one click shows what a lost response does, in the inspector', async () => {
  const server = await serve();
  const page = await openPage(server, '/', { allowed: /net::ERR|status of 400/ });
  await page.getByRole('button', { name: 'Show me a lost response' }).click();
  await page.waitForURL(/\/_sandbox\?call=req-1-2\b/);
  await story(page).getByText('exists').waitFor();
  expect(server.sandbox.journal().map(({ status }) => status)).toHaveLength(3);
});

test('another click buys a policy', async () => {
  const server = await serve();
  const page = await openPage(server, '/', { scheme: 'dark' });
  await expectAccessible(page, 'the front page', { rules: ['color-contrast'] });
  await page.getByRole('button', { name: 'Buy a policy' }).click();
  await page.waitForURL(/\/_sandbox\?call=req-1-2\b/);
});

test('without the demo merchant, the page has no story to tell', async () => {
  const server = await serve();
  server.sandbox.merchant(DEMO_KEY).remove();
  const page = await openPage(server, '/');
  await page.getByRole('link', { name: 'Inspector' }).first().waitFor();
  expect(await page.getByRole('button', { name: /lost response/ }).count()).toBe(0);
});

test('the page for a path that does not exist leads to the other pages', async () => {
  const server = await serve();
  const options = { width: 390, scheme: 'dark', allowed: /status of 404/ } as const;
  const page = await openPage(server, '/_sandbox/nothing', options);
  await page.getByRole('heading', { name: 'There is no page here' }).waitFor();
  await page.getByText('The sandbox has no /_sandbox/nothing.').waitFor();
  await expectAccessible(page, 'the page for a path that does not exist');
  const links = page.getByRole('region', { name: 'Where to go' });
  await links.getByRole('link', { name: 'Inspector' }).click();
  // The inspector adds to its address what it opens on.
  await page.waitForURL(/\/_sandbox(\?|$)/);
});
