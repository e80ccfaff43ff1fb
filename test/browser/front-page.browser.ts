import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Locator } from 'playwright-core';
import { expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { BACKGROUND, backgroundOf, clipboard, openPage } from './support/page.ts';
import { send, serve } from './support/sandbox.ts';

/** Where a part of the page ends, in pixels below the top of the window. */
async function bottomOf(part: Locator): Promise<number> {
  const { y = 0, height = 0 } = (await part.boundingBox()) ?? {};
  return Math.floor(y + height);
}

test('the key and the commands can be copied', async () => {
  const page = await openPage(await serve(), '/');
  await page.getByRole('button', { name: 'Copy the key' }).click();
  await page.getByText('Copied').waitFor();
  expect(await clipboard(page)).toBe('sk_sandbox_demo');

  await page.getByRole('button', { name: 'Copy: Skip 15 minutes' }).click();
  await expect
    .poll(() => clipboard(page))
    .toBe(
      await page.locator('article', { hasText: 'Skip 15 minutes' }).locator('pre').textContent(),
    );
});

test('the purchase works as pasted, and runs on the page', async () => {
  const server = await serve();
  const page = await openPage(server, '/');
  await page.getByRole('button', { name: 'Copy: Buy a policy' }).click();
  const command = await clipboard(page);
  const { stdout } = await promisify(execFile)('sh', ['-c', command]);
  const { policy_no } = JSON.parse(stdout).data;
  const merchant = server.sandbox.merchant('sk_sandbox_demo');
  const bought = () => merchant.records({ family: 'micro_health', search: policy_no }).total;
  expect([policy_no, bought()]).toEqual([expect.stringMatching(/^\d+$/), 1]);

  await page.getByRole('button', { name: 'Run: Buy a policy' }).click();
  const answer = page.getByRole('region', { name: 'Response: Buy a policy' });
  await answer.getByText('"policy_no"').waitFor();
  await expect.poll(() => bottomOf(answer)).toBeLessThanOrEqual(844);
  expect(merchant.journal.list().map(({ status }) => status)).toEqual([200, 200, 200, 200]);
});

test('the commands run on the page, update its numbers and lead to the inspector', async () => {
  const server = await serve();
  await send(server, 'initiateMotorPolicy');
  const page = await openPage(server, '/', { width: 390 });
  const number = (name: string) => page.locator(`[data-live=${name}]`).textContent();
  expect([await number('merchants'), await number('calls')]).toEqual(['2', '1']);
  await page.getByRole('button', { name: 'Run: Skip 15 minutes' }).click();
  const lapsed = page.getByRole('region', { name: 'Response: Skip 15 minutes' });
  await lapsed.getByText('"initiateMotorPolicy"').waitFor();
  expect(await lapsed.textContent()).toContain('"now": "2026-01-31T10:15:00.000Z"');
  server.sandbox.createMerchant();
  await expect.poll(() => number('merchants')).toBe('3');

  await page.getByRole('link', { name: 'Open the inspector' }).waitFor();
  await page.getByRole('button', { name: 'Run: Skip 15 minutes' }).click();
  await page.getByText('Nothing expired.').waitFor();

  await page.getByRole('button', { name: 'Run: Make a first call' }).click();
  const answer = page.getByRole('region', { name: 'Response: Make a first call' });
  await answer.getByText('"Subscriptions retrieved successfully"').waitFor();
  await expect.poll(() => number('calls')).toBe('2');
  await expectAccessible(page, 'the front page');
  expect(await backgroundOf(page)).toBe(BACKGROUND.light);
  await page.getByRole('link', { name: 'Open in the inspector' }).click();
  await page.waitForURL(/\/_sandbox\?call=req-1-2\b/);
});

test('the dark front page is accessible, and an admin token hides its numbers', async () => {
  const page = await openPage(await serve({ adminToken: 'hush' }), '/', { scheme: 'dark' });
  expect(await page.locator('[data-live]').count()).toBe(0);
  await page.getByRole('button', { name: 'Run: Make a first call' }).click();
  await page.getByRole('region', { name: 'Response: Make a first call' }).waitFor();
  await expectAccessible(page, 'the front page', ['color-contrast']);
  expect(await backgroundOf(page)).toBe(BACKGROUND.dark);
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
