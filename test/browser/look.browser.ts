import { brotliCompressSync, gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { initiate } from '../support/requests.ts';
import { expectAccessible } from './support/accessibility.ts';
import { calls, choose, openAll, openInspector, rows } from './support/inspector.ts';
import { BACKGROUND, backgroundOf, openPage } from './support/page.ts';
import { clientOver, send, serve } from './support/sandbox.ts';

/* How the pages look: accessible, in light and dark, on large windows and phones, and small. */

async function busySandbox() {
  const server = await serve();
  const client = clientOver(server);
  client.merchant.faults.add({ stage: 'after', effect: { kind: 'respond', status: 503 } });
  const match = { operation: 'verifyGroupLifePolicy' } as const;
  client.merchant.faults.add({ match, stage: 'after', effect: { kind: 'malformed' } });
  const token = await initiate(client, 'motor').catch(() => initiate(client, 'motor'));
  await send(server, 'verifyMotorPolicy', { token });
  await send(server, 'initiateMotorPolicy', { email: 'x', phone_number: '1', duration: null });
  await initiate(client, 'group_life');
  return server;
}

const VIEWS: Readonly<Record<string, (page: Page) => Promise<unknown>>> = {
  '?merchant=1': (page) => rows(page).first().waitFor(),
  '?merchant=1&call=req-1-3': (page) =>
    page.getByRole('heading', { name: /verifyMotor/ }).waitFor(),
  '?merchant=1&search=status:422': async (page) => {
    await rows(page).first().click();
    await page.getByRole('button', { name: 'Edit', exact: true }).click();
  },
  '?merchant=1&tab=records': (page) => page.getByRole('table').waitFor(),
  '?merchant=1&tab=pending': (page) => page.getByRole('table').waitFor(),
  '?merchant=1&tab=faults': (page) => page.getByText('Active rules').waitFor(),
  '?merchant=all&tab=merchants': (page) => page.getByRole('table').waitFor(),
  '?merchant=2': (page) => page.getByText('No calls yet').waitFor(),
};

test.each([
  [1440, 'light'],
  [390, 'dark'],
] as const)('every view is accessible at %i pixels, %s', async (width, scheme) => {
  const server = await busySandbox();
  const page = await openInspector(server, '?merchant=1', { width, scheme });
  for (const [query, ready] of Object.entries(VIEWS)) {
    await page.goto(`${server.url}/_sandbox${query}`);
    await ready(page);
    await expectAccessible(page, query);
    expect(await backgroundOf(page)).toBe(BACKGROUND[scheme]);
  }
});

test('no tab is cut if its counts have thousands', async () => {
  const page = await openInspector(await busySandbox(), '?merchant=1');
  const tabs = page.getByRole('navigation', { name: 'Views' });
  for (const width of [1621, 1440, 1150, 960]) {
    await page.setViewportSize({ width, height: 844 });
    const cut = await tabs.evaluate((nav) => {
      for (const count of nav.querySelectorAll('.n')) count.textContent = '1,000';
      return nav.scrollWidth - nav.clientWidth;
    });
    expect(cut, `${width} pixels`).toBe(0);
  }
});

test('menus and dialogs are accessible, work by keyboard and give the focus back', async () => {
  const server = await busySandbox();
  const page = await openInspector(server, '?merchant=1', { width: 1440 });
  const world = page.getByRole('button', { name: 'World', exact: true });
  await world.focus();
  await page.keyboard.press('Enter');
  await expectAccessible(page, 'the menu of the World');
  await page.keyboard.press('Tab');
  expect(await page.locator(':focus').textContent()).toBe('Download as a file');
  await page.keyboard.press('Escape');
  expect(await page.locator(':focus').textContent()).toBe('World');
  await choose(page, 'World', /^Save/);
  await page.getByRole('dialog').waitFor();
  await expectAccessible(page, 'a dialog');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('the list is moved through by keyboard', async () => {
  const server = await busySandbox();
  const page = await openInspector(server);
  const focused = page.locator('[type=search]:focus');
  // The page listens to keys a moment after it shows its rows.
  await expect
    .poll(async () => {
      if ((await focused.count()) === 0) await page.keyboard.press('/');
      return focused.count();
    })
    .toBe(1);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('j');
  await page.keyboard.press('j');
  await expect.poll(() => rows(page).nth(1).getAttribute('aria-selected')).toBe('true');
  expect(await calls(page).getAttribute('aria-activedescendant')).toMatch(/^call-req/);
  await page.keyboard.press('Escape');
  await page.getByText('Select a call to see what happened.').waitFor();
});

test('on a phone, the first call and the first problem of an open one are in view', async () => {
  const server = await busySandbox();
  const page = await openInspector(server, '?merchant=1', { width: 390 });
  const { y = 999 } = (await rows(page).first().boundingBox()) ?? {};
  expect(y).toBeLessThanOrEqual(150);
  await rows(page, '422').click();
  const problem = page.getByRole('region', { name: 'Problems' }).getByRole('listitem').first();
  await problem.waitFor();
  const box = await problem.boundingBox();
  expect((box?.y ?? 999) + (box?.height ?? 0)).toBeLessThan(500);
  await page.getByRole('button', { name: '‹ Calls' }).click();
  await rows(page).first().waitFor();
});

test('with all merchants, a phone scrolls nothing sideways', async () => {
  const page = await openAll(await busySandbox(), { width: 390 });
  await rows(page).first().waitFor();
  await expectAccessible(page, 'the calls of all merchants');
});

test('the inspector is small, and its first paint is fast', async () => {
  const server = await serve();
  const page = await openPage(server, '/_sandbox');
  let bytes = 0;
  for (const name of ['theme.css', 'inspector.css', 'inspector.js']) {
    const text = await (await fetch(`${server.url}/_sandbox/assets/${name}`)).text();
    bytes += brotliCompressSync(text).length;
    expect(gzipSync(text).length).toBeGreaterThan(0);
  }
  expect(bytes).toBeLessThan(50_000);
  await page.reload();
  await page.getByRole('heading', { name: 'No calls yet' }).waitFor();
  const paint = await page.evaluate(
    () => performance.getEntriesByName('first-contentful-paint')[0]?.startTime,
  );
  expect(paint).toBeGreaterThan(0);
});
