import type { Page } from 'playwright-core';
import { describe, expect, test } from 'vitest';
import { expectContained, expectOnScreen } from './support/containment.ts';
import { fillWithHostileTexts, HOSTILE, HOSTILE_FIXTURES } from './support/hostile.ts';
import { detail, openInspector, rows, tab } from './support/inspector.ts';
import { clipboard, openPage, type PageOptions } from './support/page.ts';
import { DEMO_KEY, serve } from './support/sandbox.ts';

/* Texts that users and servers write stay in their place: they move and reorder nothing beside them. */

const REFUSED = /status of 4(00|04|22)/;

const serveHostile = async () => {
  const server = await serve({ fixtures: HOSTILE_FIXTURES });
  await fillWithHostileTexts(server);
  return server;
};

const button = (page: Page, name: string | RegExp) =>
  page.getByRole('button', { name, exact: typeof name === 'string' });

describe.each([1440, 390])('at %i pixels', (width) => {
  const look: PageOptions = { width, allowed: REFUSED };

  test('calls keep their places in the list, and each call that is opened keeps its buttons', async () => {
    const page = await openInspector(await serveHostile(), '', look);
    await expect.poll(() => rows(page).count()).toBe(7);
    await expectContained(page, 'the list');
    for (let place = 0; place < 7; place++) {
      await rows(page).nth(place).click();
      await detail(page).getByRole('heading').first().waitFor();
      await expectOnScreen(button(page, 'Send again'));
      await expectOnScreen(button(page, 'Copy link'));
      for (const closed of await detail(page).locator('summary').all()) await closed.click();
      await expectContained(page, `call ${place}`);
      await button(page, 'Send again').click();
      await expectContained(page, `the form of call ${place}`);
      await page.keyboard.press('Escape');
      if (width < 760) await button(page, '‹ Calls').click();
    }
    await page.getByLabel('Search the calls').fill(`nowhere ${HOSTILE}`);
    await button(page, 'Show all').waitFor();
    await expectContained(page, 'a search');
    await page.goto(`${new URL(page.url()).origin}/_sandbox?call=${encodeURIComponent(HOSTILE)}`);
    await page.getByRole('heading', { name: /is not kept$/ }).waitFor();
    await expectContained(page, 'a call that is not kept');
  });

  test.each(['micro_health', 'motor', 'group_life'])(
    'policies of %s keep their columns, and one that is opened keeps its buttons',
    async (family) => {
      const page = await openInspector(await serveHostile(), `?tab=records&family=${family}`, look);
      await page.getByRole('table').getByRole('button').first().waitFor();
      await expectContained(page, 'the table');
      await expectOnScreen(button(page, 'Older'));
      await page.getByRole('table').getByRole('button').first().click();
      await expectOnScreen(button(page, 'Copy the record'));
      await expectContained(page, 'a record');
      if (width < 760) await button(page, '‹ Records').click();
      await page.getByLabel('Search by policy number').fill(`none ${HOSTILE}`);
      await page.getByText(/^No policy number contains/).waitFor();
      await expectContained(page, 'a search');
    },
  );

  test('a pending purchase keeps its buttons, and what its verify answers can be closed', async () => {
    const page = await openInspector(await serveHostile(), '?tab=pending', look);
    await expectOnScreen(button(page, 'Verify'));
    await expectOnScreen(button(page, /^Copy the token/));
    await expectContained(page, 'the purchases');
    await button(page, '+15 min').click();
    await page.getByText(/^Fifteen minutes passed/).waitFor();
    await expectOnScreen(button(page, 'Close the notice'));
    await expectContained(page, 'what lapsed');
  });

  test('each fault keeps its Remove, and the form keeps its buttons', async () => {
    const page = await openInspector(await serveHostile(), '?tab=faults', look);
    await expectOnScreen(button(page, 'Remove fault-1'));
    await expectContained(page, 'the faults');
    const form = page.getByRole('region', { name: 'Add a fault' });
    await form.getByLabel('Headers').fill(HOSTILE);
    await form.getByRole('button', { name: 'Add the fault' }).click();
    await form.getByRole('listitem').waitFor();
    await expectContained(page, 'a header that can not be read');
    await form.getByLabel('Headers').fill(`x-note: ${HOSTILE}`);
    await form.getByRole('button', { name: 'Add the fault' }).click();
    await form.getByRole('listitem').filter({ hasText: 'HTTP allows' }).waitFor();
    await expectContained(page, 'a header that HTTP does not allow');
  });

  test('questions about a World keep their buttons, and a refused snapshot is told in its place', async () => {
    const page = await openInspector(await serveHostile(), '?tab=world', look);
    await expectContained(page, 'the World');
    for (const [asks, does] of [
      ['Reset the World…', 'Reset'],
      ['Clear the calls…', 'Clear'],
    ] as const) {
      await button(page, asks).click();
      await expectOnScreen(page.getByRole('dialog').getByRole('button', { name: does }));
      await expectContained(page, asks);
      await page.keyboard.press('Escape');
    }
    await page.getByLabel('Upload…').setInputFiles({
      name: 'world.json',
      mimeType: 'application/json',
      buffer: Buffer.from(JSON.stringify({ version: 1, world: { [HOSTILE]: 1 }, [HOSTILE]: 1 })),
    });
    await page.getByRole('alert').filter({ hasText: 'The snapshot was refused' }).waitFor();
    await expectContained(page, 'a refused snapshot');
  });

  test('merchants keep their commands, and what is said of one can be closed', async () => {
    const server = await serve({ fixtures: HOSTILE_FIXTURES });
    const page = await openInspector(server, '?merchant=2', look);
    await page.getByRole('heading', { name: 'No calls yet' }).waitFor();
    await expectContained(page, 'no calls');
    expect(await page.title(), 'an isolate of its own').toMatch(
      /^Calls · \u2068Shop .{1,200}…\u2069\u2069 · micro-insurance-sandbox$/,
    );
    await expectOnScreen(button(page, 'Copy the key'));
    const open = () => button(page, /^Merchant: /).click();

    await open();
    await expectContained(page, 'the menu');
    await button(page, 'New merchant…').click();
    await page.getByLabel('Name').fill(HOSTILE);
    await button(page, 'Create').click();
    await expectOnScreen(button(page, 'Close the notice'));
    await expectContained(page, 'a new merchant');

    for (const [asks, does] of [
      ['New key…', 'Give a new key'],
      ['Remove…', 'Remove'],
    ] as const) {
      await open();
      await expectOnScreen(button(page, asks));
      await button(page, asks).click();
      await expectOnScreen(button(page, does));
      await expectContained(page, asks);
      await button(page, does).click();
      await expectOnScreen(button(page, 'Close the notice'));
      await expectContained(page, does);
    }
    await expectOnScreen(button(page, /^Go to /));
    await expectContained(page, 'a merchant that is gone');
  });

  test('the front page keeps its buttons', async () => {
    const server = await serve({ fixtures: HOSTILE_FIXTURES });
    server.sandbox.merchant(DEMO_KEY).faults.add({
      stage: 'before',
      effect: { kind: 'respond', status: 200, body: { [HOSTILE]: [HOSTILE, 1] } },
    });
    const page = await openPage(server, '/', look);
    await expectOnScreen(button(page, 'Copy the key'));
    await button(page, 'Run: A first call').click();
    await page.getByRole('link', { name: 'Open it in the inspector' }).waitFor();
    await expectContained(page, 'the front page');
  });
});

test('what is copied is what was written, without marks of direction', async () => {
  const server = await serveHostile();
  const [call] = server.sandbox.merchant(DEMO_KEY).journal.list({ limit: 1 });
  const page = await openInspector(server, `?call=${call?.id}`);
  const copied = async (name: string) => {
    await button(page, name).click();
    return await clipboard(page);
  };
  expect(await copied('Copy the body of the request')).toBe(HOSTILE);
  expect(await copied('Copy as curl')).toContain(`/${HOSTILE}?${HOSTILE}=${HOSTILE}'`);
  await tab(page, 'Pending').click();
  expect(await copied(`Copy the token ${HOSTILE}`)).toBe(HOSTILE);
});
