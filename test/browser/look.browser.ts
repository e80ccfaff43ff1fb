import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { playStory, STORY_START } from '../../scripts/story.ts';
import { expectAccessible } from './support/accessibility.ts';
import { detail, isLive, rows, tab } from './support/inspector.ts';
import { expectNoSidewaysScroll, openPage } from './support/page.ts';
import { send, serve } from './support/sandbox.ts';

/* How all pages look and work: on a phone too, in light and dark, with a screen reader, without animations. */

describe.each([
  { width: 1280, scheme: 'light' },
  { width: 390, scheme: 'dark' },
] as const)('at $width pixels, $scheme', (look) => {
  const expectFit = async (page: Page, what: string) => {
    await expectAccessible(page, what);
    await expectNoSidewaysScroll(page);
  };

  test('every view of the inspector is readable and accessible', async () => {
    const server = await serve({ now: STORY_START });
    const refused = await playStory(server);
    const lost = server.sandbox.journal().find(({ fault }) => fault?.effect.kind === 'drop')?.id;
    const page = await openPage(server, '/_sandbox?merchant=1', {
      ...look,
      reducedMotion: 'reduce',
    });
    await isLive(page);
    await page.getByRole('listbox').waitFor();
    await expectFit(page, 'the calls');

    for (const id of [lost, refused]) {
      await page.goto(`${server.url}/_sandbox?call=${id}`);
      await detail(page).getByRole('heading').first().waitFor();
      for (const closed of await detail(page).locator('summary').all()) await closed.click();
      await expectFit(page, `the call ${id}`);
    }
    await detail(page).getByRole('button', { name: 'Send again' }).click();
    await page.getByRole('dialog').waitFor();
    await expectFit(page, 'the form to send a call again');
    await page.keyboard.press('Escape');

    await page.goto(`${server.url}/_sandbox?merchant=1&tab=records`);
    await page.getByRole('table').getByRole('button').first().waitFor();
    await expectFit(page, 'the records');
    await page.getByRole('table').getByRole('button').first().click();
    await page.getByText('As the merchant API would answer it.').waitFor();
    await expectFit(page, 'a record');

    // Of a name and a key that are as long as they get.
    const { id } = server.sandbox.createMerchant({ name: 'Mutual Benefit '.repeat(10).trim() });
    await page.goto(`${server.url}/_sandbox?merchant=${id}`);
    await page.getByRole('button', { name: /^Merchant: Mutual Benefit/ }).waitFor();
    await expectNoSidewaysScroll(page);
    await page.goto(`${server.url}/_sandbox?merchant=1`);
    await page.getByRole('listbox').waitFor();

    for (const [name, sight] of [
      ['Pending', page.getByRole('button', { name: 'Verify' })],
      ['Faults', page.getByRole('button', { name: 'Add the fault' })],
      ['World', page.getByRole('button', { name: 'Download' })],
    ] as const) {
      await tab(page, name).click();
      await sight.waitFor();
      await expectFit(page, name);
    }
    await page.getByRole('button', { name: 'Reset the World…' }).click();
    await page.getByRole('dialog').waitFor();
    await expectFit(page, 'a question');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /^Merchant: / }).click();
    await expectFit(page, 'the merchants');
    await page.getByRole('button', { name: 'New merchant…' }).click();
    await page.getByRole('dialog', { name: 'New merchant' }).waitFor();
    await expectFit(page, 'the form of a new merchant');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: '+15 min' }).click();
    await page.getByText(/^Fifteen minutes passed/).waitFor();
    await expectFit(page, 'what lapsed');
  });
});

test('light and dark differ, and who wants no motion gets none', async () => {
  const server = await serve();
  const background = (page: Page) =>
    page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await openPage(server, '/_sandbox', { scheme: 'light', reducedMotion: 'reduce' });
  const dark = await openPage(server, '/_sandbox', { scheme: 'dark' });
  expect(await background(light)).toBe('rgb(246, 247, 249)');
  expect(await background(dark)).toBe('rgb(15, 18, 22)');

  const animations = (page: Page) => page.evaluate(() => document.getAnimations().length);
  await isLive(light);
  await isLive(dark);
  expect(await animations(dark), 'it waits for a first call').toBeGreaterThan(0);
  await light.getByRole('button', { name: '+15 min' }).click();
  await light.getByText(/^Fifteen minutes passed/).waitFor();
  expect(await animations(light)).toBe(0);
});

test('on a phone a call opens over the list, and leads back to it', async () => {
  const server = await serve();
  await send(server, 'getMicroHealthQuote');
  const page = await openPage(server, '/_sandbox', { width: 390 });
  const list = page.getByRole('region', { name: 'Calls', exact: true });
  await rows(page, 'getMicroHealthQuote').click();
  await detail(page)
    .getByRole('heading', { name: /getMicroHealthQuote/ })
    .waitFor();
  expect(await list.isVisible()).toBe(false);
  await detail(page).getByRole('button', { name: 'Calls' }).click();
  await list.waitFor();
  expect(await detail(page).isVisible()).toBe(false);
});

test.for(['/', '/_sandbox', '/docs', '/docs/control'])(
  '%s has a strict Content-Security-Policy and nothing inline, and the inspector is small',
  async (path, { annotate }) => {
    const server = await serve();
    const response = await fetch(server.url + path);
    const policy = response.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("script-src 'self'");
    expect(policy).not.toMatch(/script-src[^;]*unsafe/);
    const html = await response.text();
    expect(html).not.toMatch(/<script(?![^>]*\bsrc=)|<style|\sstyle=|\son\w+=|javascript:/i);

    const page = await openPage(server, path);
    const loaded = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
    );
    const files = [...new Set(loaded.filter((name) => /\.(js|css|svg)$/.test(name)))];
    expect(files.length).toBeGreaterThan(1);
    if (path !== '/_sandbox') return;
    const texts = await Promise.all(
      files.map(async (file) => (await fetch(server.url + file)).text()),
    );
    const size = [html, ...texts].reduce((sum, text) => sum + gzipSync(text).length, 0);
    await annotate(`${files.join(', ')} and the page: ${size} bytes, compressed`);
    expect(size).toBeLessThan(120_000);
  },
);
