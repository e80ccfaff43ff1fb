import { gzipSync } from 'node:zlib';
import type { Locator, Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { playStory, STORY_START } from '../../scripts/story.ts';
import { expectAccessible } from './support/accessibility.ts';
import { clock, detail, openAll, openInspector, openMenu, rows, tab } from './support/inspector.ts';
import { BACKGROUND, backgroundOf } from './support/page.ts';
import { send, serve } from './support/sandbox.ts';

/* The look of the inspector: phone and desktop, light and dark, screen reader, reduced motion. */

/** The rules that depend on width and colours. The other rules are checked once. */
const OF_LOOKS = ['color-contrast', 'target-size', 'scrollable-region-focusable'];

test.each([
  { width: 1280, scheme: 'light', rules: undefined },
  { width: 390, scheme: 'dark', rules: OF_LOOKS },
] as const)(
  'every view of the inspector is readable and accessible at $width pixels, $scheme',
  async ({ width, scheme, rules }) => {
    const server = await serve({ now: STORY_START });
    const refused = await playStory(server);
    const lost = server.sandbox.journal().find(({ fault }) => fault?.effect.kind === 'drop')?.id;
    const look = { width, scheme, reducedMotion: 'reduce' } as const;
    const page = await openInspector(server, `?call=${lost}`, look);
    expect(await backgroundOf(page)).toBe(BACKGROUND[scheme]);
    const expectFit = (what: string) => expectAccessible(page, what, rules);

    const unfold = async () => {
      await detail(page).getByRole('heading').first().waitFor();
      for (const closed of await detail(page).locator('summary').all()) await closed.click();
    };
    await unfold();
    await expectFit('a call that was lost');
    await page.goto(`${server.url}/_sandbox?call=${refused}`);
    await unfold();
    await expectFit('a call that was refused');
    await detail(page).getByRole('button', { name: 'Edit and send…' }).click();
    await page.getByRole('dialog').waitFor();
    await expectFit('the form to send a call again');
    await page.keyboard.press('Escape');

    await page.goto(`${server.url}/_sandbox?merchant=all`);
    await rows(page, 'no valid key').waitFor();
    await expectFit('all merchants');
    for (const [name, sight] of [
      ['Records', page.getByRole('table')],
      ['Pending', page.getByRole('table')],
      ['Faults', page.getByRole('heading', { name: 'Active faults' })],
      ['World', page.getByRole('button', { name: 'Reset every World…' })],
    ] as const) {
      await tab(page, name).click();
      await sight.waitFor();
      await expectFit(`${name} of all merchants`);
    }

    // A name of the greatest length.
    const { id } = server.sandbox.createMerchant({ name: 'Mutual Benefit '.repeat(10).trim() });
    await page.goto(`${server.url}/_sandbox?merchant=${id}`);
    await page.getByRole('button', { name: /^Merchant: Mutual Benefit/ }).waitFor();
    await expectFit('a long name');
    const menu = await openMenu(page);
    await expectFit('the merchants');
    await menu.getByRole('option', { name: 'Demo Merchant' }).click();
    for (const [name, sight] of [
      ['Calls', rows(page).first()],
      ['Pending', page.getByRole('button', { name: 'Verify' })],
      ['Faults', page.getByRole('button', { name: 'Add fault' })],
      ['World', page.getByRole('button', { name: 'Download' })],
      ['Records', page.getByRole('table').getByRole('button').first()],
    ] as const) {
      await tab(page, name).click();
      await sight.waitFor();
      await expectFit(name);
    }
    await page.getByRole('table').getByRole('button').first().click();
    await page.getByText('As the merchant API returns it').waitFor();
    await expectFit('a record');
    await page.goto(`${server.url}/_sandbox?merchant=1&tab=records&family=products`);
    await page.getByRole('button', { name: /^Buy…/ }).first().waitFor();
    await expectFit('the products');
    await page.goto(`${server.url}/_sandbox?merchant=1&tab=records`);
    await page.getByRole('button', { name: 'Buy a policy…' }).click();
    await page.getByRole('dialog').getByRole('combobox').waitFor();
    await expectFit('the form to buy a policy');
    await page.keyboard.press('Escape');

    await tab(page, 'World').click();
    await page.getByRole('button', { name: 'Reset the World…' }).click();
    await page.getByRole('dialog').waitFor();
    await expectFit('a question');
    await page.keyboard.press('Escape');
    await openMenu(page);
    await page.getByRole('button', { name: 'Create merchant…' }).click();
    await page.getByRole('dialog', { name: 'Create a merchant' }).waitFor();
    await expectFit('the form of a new merchant');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: '+15 min' }).click();
    await page.getByText(/^Moved the clock by 15 minutes/).waitFor();
    await expectFit('what expired');
    expect(await animationsOf(page), 'reduced motion has no animations').toBe(0);
  },
);

test('on a phone, a call replaces the list, and a button leads back', async () => {
  const server = await serve();
  const page = await openInspector(server, '', { width: 390 });
  expect(await animationsOf(page), 'an animation shows until the first call').toBeGreaterThan(0);
  await send(server, 'getMicroHealthQuote');
  const list = page.getByRole('region', { name: 'Calls', exact: true });
  const heading = detail(page).getByRole('heading', { name: '200 getMicroHealthQuote' });
  // The first call opens automatically.
  await heading.waitFor();
  await detail(page).getByRole('button', { name: 'Calls' }).click();
  await list.waitFor();
  expect(await detail(page).isVisible()).toBe(false);
  await rows(page, 'getMicroHealthQuote').click();
  await heading.waitFor();
  expect(await list.isVisible()).toBe(false);
});

test('on a phone, the first call is in view, and a pressed filter stays where it is', async () => {
  const server = await serve();
  await send(server, 'getMicroHealthQuote');
  const page = await openInspector(server, '', { width: 390 });
  const row = await rows(page).first().boundingBox();
  expect((row?.y ?? Number.NaN) + (row?.height ?? 0)).toBeLessThan(844 / 2);
  const filters = page.getByRole('group', { name: 'Show' }).getByRole('button');
  const places = () =>
    filters.evaluateAll((all) => all.map((each) => each.getBoundingClientRect().x));
  const before = await places();
  await page.getByRole('button', { name: 'Refused', exact: true }).click();
  await page.getByText('The call does not match.').waitFor();
  expect(await places()).toEqual(before);
});

test('on a large window, the first call stands in the upper sixth, and the status column is straight', async () => {
  const server = await serve({ now: STORY_START });
  await playStory(server);
  const page = await openInspector(server, '', { width: 1440 });
  await page.setViewportSize({ width: 1440, height: 900 });
  await rows(page).first().waitFor();
  expect((await rows(page).first().boundingBox())?.y).toBeLessThanOrEqual(900 / 6);
  for (const width of [1440, 1024, 768, 390]) {
    await page.setViewportSize({ width, height: 900 });
    const places = await rows(page)
      .locator('.status')
      .evaluateAll((all) => all.map((each) => each.getBoundingClientRect().right));
    expect(new Set(places).size, `at ${width} pixels`).toBe(1);
    const cut = await rows(page).evaluateAll((all) =>
      all.filter((row) => row.scrollWidth > row.clientWidth || row.scrollHeight > row.clientHeight),
    );
    expect(cut, `everything fits at ${width} pixels`).toEqual([]);
  }
});

test('on a large window, rows tell what a fault did whole, and the bar of a long name is one line', async () => {
  const server = await serve({ now: STORY_START });
  await playStory(server);
  const { id } = server.sandbox.createMerchant({ name: 'Mutual Benefit '.repeat(10).trim() });
  const page = await openAll(server, { width: 1440 });
  const cutBy = (of: Locator) => of.evaluate((each) => each.scrollWidth - each.clientWidth);
  const told = 'done, but the response was lost';
  for (const query of ['?merchant=all', '?merchant=1']) {
    await page.goto(`${server.url}/_sandbox${query}`);
    const shown = await rows(page, told).locator('small > bdi').boundingBox();
    const font = await rows(page, told)
      .locator('small')
      .evaluate((each) => getComputedStyle(each).font);
    const wanted = await page.evaluate(
      ([text, in_]) => {
        const context = document.createElement('canvas').getContext('2d');
        if (context) context.font = in_ ?? '';
        return context?.measureText(text ?? '').width ?? Number.NaN;
      },
      [told, font],
    );
    expect(shown?.width, query).toBeGreaterThanOrEqual(wanted);
  }
  for (const width of [1440, 1250]) {
    await page.setViewportSize({ width, height: 844 });
    await page.goto(`${server.url}/_sandbox?merchant=${id}`);
    await clock(page).getByText('frozen').waitFor();
    const bar = page.locator('.toolbar');
    expect((await bar.boundingBox())?.height, `${width} pixels`).toBeLessThan(50);
    expect(await cutBy(bar), `${width} pixels`).toBe(0);
  }
});

test('on a phone, the tables of all merchants fit and show status, end and counts', async () => {
  const server = await serve({ now: STORY_START });
  await playStory(server);
  const page = await openAll(server, { width: 390 });
  const expectInside = async (of: Locator) => {
    const { x = -1, width = 0 } = (await of.boundingBox()) ?? {};
    expect(x).toBeGreaterThanOrEqual(0);
    expect(x + width).toBeLessThanOrEqual(390);
  };
  await tab(page, 'Records').click();
  const record = page.getByRole('row', { name: '3074939158' });
  await expectInside(record.getByText('active'));
  await expectInside(record.getByText('2026-02-04'));
  await tab(page, 'World').click();
  const world = page.getByRole('row', { name: /^Demo Merchant/ });
  await expectInside(world.getByText('frozen'));
  await expectInside(world.getByRole('cell').last());
});

test('the fields of a form fit their columns, and dialogs have buttons of one size', async () => {
  const page = await openInspector(await serve());
  const action = page.getByRole('dialog').getByRole('button').last();
  await openMenu(page);
  await page.getByRole('button', { name: 'Create merchant…' }).click();
  const { height } = (await action.boundingBox()) ?? {};
  const wide = await page
    .getByRole('dialog')
    .locator('.field')
    .evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth));
  expect(wide).toEqual([]);
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'To…' }).click();
  expect((await action.boundingBox())?.height).toBe(height);
});

test('the inspector is smaller than 60 kB, compressed', async ({ annotate }) => {
  const page = await openInspector(await serve());
  const loaded = await page.evaluate(() =>
    performance.getEntriesByType('resource').map(({ name }) => name),
  );
  const files = new Set(loaded.filter((name) => /\.(js|css|svg)$/.test(name)));
  expect(files.size).toBeGreaterThan(1);
  let size = 0;
  for (const file of [page.url(), ...files]) {
    size += gzipSync(await (await fetch(file, { headers: { accept: '*/*' } })).text()).length;
  }
  await annotate(`${[...files].join(', ')} and the page: ${size} bytes, compressed`);
  expect(size).toBeLessThan(60_000);
});

const animationsOf = (page: Page): Promise<number> =>
  page.evaluate(() => document.getAnimations().length);
