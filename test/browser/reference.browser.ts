import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectAccessible } from './support/accessibility.ts';
import { expectNoSidewaysScroll, openPage } from './support/page.ts';
import { serve } from './support/sandbox.ts';

const operation = (page: Page, id: string) => page.locator(`.opblock[id$="-${id}"]`);
const listed = (page: Page) =>
  page.locator('.opblock').evaluateAll((all) => all.map(({ id }) => id.split('-').at(-1)));

/** Makes a call that is open on the page, and waits for words of its answer. */
async function tryOut(page: Page, id: string, words: string): Promise<void> {
  await operation(page, id).locator('button.execute').click();
  const answer = operation(page, id).locator('.live-responses-table tbody').first();
  await expect.poll(() => answer.textContent()).toContain(words);
}

test('the reference page shows what is assumed and tries a quote, asking nobody else', async () => {
  const page = await openPage(await serve(), '/docs');
  await page.locator('#suppositions tr#token-boundary').waitFor();
  await operation(page, 'getMicroHealthQuote').locator('.opblock-summary-control').click();
  await tryOut(page, 'getMicroHealthQuote', '"quote_price": 700');
  const method = operation(page, 'getMicroHealthQuote').locator('.opblock-summary-method');
  const colour = await method.evaluate((label) => getComputedStyle(label).color);
  expect(colour, 'the style sheet is applied').toBe('rgb(11, 110, 95)');

  await page.getByRole('link', { name: 'Open this call in the inspector' }).click();
  await page.waitForURL(/\/_sandbox\?call=req-1-1\b/);
});

test('the reference page of the control plane moves the clock of the demo merchant', async () => {
  const page = await openPage(await serve(), '/docs/control');
  await operation(page, 'advanceClock').locator('.opblock-summary-control').click();
  await tryOut(page, 'advanceClock', '"now": "2026-01-31T10:15:00.000Z"');
});

test('calls are tried with the key and the admin token that stand on the page', async () => {
  const server = await serve({ adminToken: 'hush' });
  const allowed = /401/;
  const page = await openPage(server, '/docs/control#/Sandbox/listMerchants', { allowed });
  await tryOut(page, 'listMerchants', '401');
  await page.getByLabel('Admin token').fill('hush');
  await tryOut(page, 'listMerchants', '"Demo Merchant"');

  const other = server.sandbox.createMerchant();
  expect(await page.getByLabel('Key', { exact: true }).inputValue()).toBe('sk_sandbox_demo');
  await page.getByLabel('Key', { exact: true }).fill(other.apiKey);
  await page.getByRole('link', { name: "Read a World's clock" }).click();
  await operation(page, 'getClock').locator('button.execute').click();
  await operation(page, 'getClock').getByText(`Bearer ${other.apiKey}`).waitFor();
});

test('the key of no merchant is on the page where there is no demo merchant', async () => {
  const merchants = { merchants: [{ id: 9, name: 'Mine', api_key: 'sk_of_my_own' }] };
  const page = await openPage(await serve({ fixtures: { 'merchants.json': merchants } }), '/docs');
  await page.locator('.opblock').first().waitFor();
  expect(await page.getByLabel('Key', { exact: true }).inputValue()).toBe('');
  expect(await page.content()).not.toContain('sk_of_my_own');
});

describe('the contents', () => {
  test('lead to an operation, open it, and say where one reads', async () => {
    const page = await openPage(await serve(), '/docs');
    const link = page.getByRole('link', { name: 'Price a motor policy' });
    await operation(page, 'getMotorQuote').waitFor();
    await link.click();
    await operation(page, 'getMotorQuote').locator('button.execute').waitFor();
    await expect.poll(() => link.getAttribute('aria-current')).toBe('location');
    const top = await operation(page, 'getMotorQuote').evaluate(
      (block) => block.getBoundingClientRect().top,
    );
    expect(top).toBeGreaterThanOrEqual(50);
    expect(top).toBeLessThan(120);
    expect(new URL(page.url()).hash).toBe('#/Comprehensive%20motor/getMotorQuote');
  });

  test('give an address that shows the same', async () => {
    const page = await openPage(await serve(), '/docs#/Group%20life/verifyGroupLifePolicy');
    await operation(page, 'verifyGroupLifePolicy').locator('button.execute').waitFor();
    await expect
      .poll(() =>
        operation(page, 'verifyGroupLifePolicy').evaluate(
          (block) => block.getBoundingClientRect().top,
        ),
      )
      .toBeLessThan(120);
  });
});

test.each(['#%', '#/Nothing/of%20this', '#nothing'])(
  'an address that names nothing shows the page all the same: %s',
  async (hash) => {
    const page = await openPage(await serve(), `/docs${hash}`);
    await operation(page, 'getMotorQuote').waitFor();
    expect(await listed(page)).toHaveLength(15);
  },
);

describe('a search', () => {
  test('leaves the operations that have every word, by path, summary or field, and says which field', async () => {
    const page = await openPage(await serve(), '/docs');
    await operation(page, 'getMotorQuote').waitFor();
    expect(await listed(page)).toHaveLength(15);
    await page.keyboard.press('/');
    await page.keyboard.type('chasis initiate');
    await expect.poll(() => listed(page)).toEqual(['initiateMotorPolicy']);
    await page.getByRole('link', { name: 'Initiate a motor policy chasis_no' }).waitFor();
    await page.keyboard.press('Escape');
    await expect.poll(() => listed(page)).toHaveLength(15);
  });

  test('goes through the assumptions too, and tells how much is left', async () => {
    const page = await openPage(await serve(), '/docs');
    await page.getByRole('searchbox').fill('15:00.000');
    await expect
      .poll(() => page.getByRole('status').textContent())
      .toMatch(/^no operations, \d assumptions?$/);
    await page.locator('#token-boundary').waitFor({ state: 'visible' });
    expect(await page.locator('#token-used').isVisible()).toBe(false);
    await page.getByRole('searchbox').fill('of this there is nothing');
    await expect
      .poll(() => page.getByRole('status').textContent())
      .toBe('no operations, no assumptions');
  });

  test('is given up where a link leads to what it hides', async () => {
    const page = await openPage(await serve(), '/docs');
    await operation(page, 'getMotorQuote').waitFor();
    await page.getByRole('searchbox').fill('getMotorQuote');
    await operation(page, 'getMotorQuote').locator('.opblock-summary-control').click();
    await operation(page, 'getMotorQuote').getByRole('link', { name: 'http-status' }).click();
    await page.locator('#http-status').waitFor({ state: 'visible' });
    expect(await page.getByRole('searchbox').inputValue()).toBe('');
  });
});

test('each assumption of an operation leads to its row', async () => {
  const page = await openPage(await serve(), '/docs#/Micro-health/initiateMicroHealthSubscription');
  const link = operation(page, 'initiateMicroHealthSubscription').getByRole('link', {
    name: 'amount-check',
  });
  await link.click();
  await expect
    .poll(() => page.evaluate(() => document.querySelector(':target')?.id))
    .toBe('amount-check');
  const top = await page
    .locator('#amount-check')
    .evaluate((row) => row.getBoundingClientRect().top);
  expect(top).toBeGreaterThanOrEqual(50);
  expect(page.context().pages()).toHaveLength(1);
});

describe.each([1280, 390])('at %i pixels', (width) => {
  test.each([
    ['/docs', 'light', 'initiateMicroHealthSubscription'],
    ['/docs', 'dark', 'listMicroHealthSubscriptions'],
    ['/docs/control', 'light', 'listJournal'],
    ['/docs/control', 'dark', 'advanceClock'],
  ] as const)('%s is there for everybody, %s', async (path, scheme, id) => {
    const page = await openPage(await serve(), path, { width, scheme });
    await operation(page, id).locator('.opblock-summary-control').click();
    await operation(page, id).locator('button.execute').waitFor();
    // One record is enough to look at.
    const perPage = operation(page, id).getByLabel('per_page');
    if ((await perPage.count()) > 0) await perPage.fill('1');
    await operation(page, id).locator('button.execute').click();
    await operation(page, id).locator('.live-responses-table').waitFor();
    await operation(page, id).getByRole('tab', { name: 'Schema' }).last().click();
    await expectAccessible(page, path);
    await expectNoSidewaysScroll(page);
    expect(await page.locator('main').count()).toBe(1);
    expect(await page.locator('h1').count()).toBe(1);
    const background = await page.evaluate(() => getComputedStyle(document.body).backgroundColor);
    expect(background).toBe(scheme === 'dark' ? 'rgb(15, 18, 22)' : 'rgb(246, 247, 249)');
  });
});
