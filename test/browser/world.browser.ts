import { expect, test } from 'vitest';
import { initiate } from '../support/requests.ts';
import {
  choose,
  clock,
  notice,
  openAll,
  openInspector,
  openMerchants,
  rows,
  shownMerchant,
  story,
  tab,
} from './support/inspector.ts';
import { clientOver, DEMO_KEY, send, serve } from './support/sandbox.ts';

/* The World of a merchant: records, pending purchases, faults, clock, save points, and merchants. */

test('the clock is moved, resumed and frozen, and says what that ended', async () => {
  const server = await serve();
  await initiate(clientOver(server), 'motor');
  const page = await openInspector(server, '', { width: 1440 });
  await page.getByRole('button', { name: '+15 min' }).click();
  await clock(page).getByText('31 Jan 2026 10:15:00 UTC').waitFor();
  await notice(page, /expired at 10:15:00/).waitFor();
  await page.getByRole('button', { name: 'Resume' }).click();
  await clock(page).getByText('running').waitFor();
  await page.getByRole('button', { name: 'Freeze' }).click();
  await clock(page).getByText('frozen').waitFor();
});

test('a pending purchase shows what remains and its initiate, and is verified by a button', async () => {
  const server = await serve();
  await initiate(clientOver(server), 'motor');
  const page = await openInspector(server, '?tab=pending');
  await page.getByRole('cell', { name: '15 min' }).waitFor();
  await page.getByRole('button', { name: 'Initiate', exact: true }).waitFor();
  await page.getByRole('button', { name: /^Verify/ }).click();
  await page.getByRole('heading', { name: '200 verifyMotorPolicy' }).waitFor();
});

test('records have pages by number, a search and a status; one is bought, opened and renewed', async () => {
  const server = await serve();
  const merchant = server.sandbox.merchant(DEMO_KEY);
  const page = await openInspector(server, '?tab=records');
  const pages = page.getByRole('navigation', { name: 'Pages of records' });
  await pages.getByLabel('Page').fill('2');
  await page.keyboard.press('Enter');
  await page.getByRole('cell', { name: 'ended' }).first().waitFor();
  expect(page.url()).toContain('page=2');
  await page.getByRole('button', { name: 'Buy a policy…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Buy', exact: true }).click();
  await page.getByRole('button', { name: /^policy \d+/ }).click();
  await story(page)
    .getByRole('button', { name: /^initiate 200/ })
    .waitFor();
  await page.getByRole('button', { name: /^Renew for/ }).click();
  await page.getByRole('heading', { name: '200 topUpMicroHealthSubscription' }).waitFor();
  const [newest] = merchant.records({ family: 'micro_health' }).data;
  expect(newest?.transactions).toHaveLength(2);
  await tab(page, 'Records').click();
  await page.getByLabel('Search by policy number or name').fill('nobody has this name');
  await page.getByText('No number and no name contains').waitFor();
});

test('a refused purchase opens its call, one without a response the list', async () => {
  const server = await serve();
  const page = await openInspector(server, '?tab=records', { allowed: /status of 422|net::ERR/ });
  await page.getByRole('button', { name: 'Buy a policy…' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Body of the first call').fill('{}');
  await form.getByRole('button', { name: 'Buy', exact: true }).click();
  await page.getByRole('heading', { name: /^422 initiate/ }).waitFor();
  const effect = { kind: 'drop' } as const;
  server.sandbox.merchant(DEMO_KEY).faults.add({ stage: 'before', effect });
  await tab(page, 'Records').click();
  await page.getByRole('button', { name: 'Buy a policy…' }).click();
  await form.getByRole('button', { name: 'Buy', exact: true }).click();
  await notice(page, 'No response arrived.').waitFor();
  await rows(page, 'lost').waitFor();
  await page.getByText('Select a call to see what happened.').waitFor();
});

test('a preset fault is added with one click, another is customized, and both act and go', async () => {
  const server = await serve();
  const page = await openInspector(server, '?tab=faults', { allowed: /status of 422/ });
  await page.getByRole('combobox', { name: 'Operation' }).selectOption('getMotorQuote');
  await page.getByRole('button', { name: 'Add: 503 before the operation' }).click();
  await page.getByRole('button', { name: 'Remove fault-1' }).waitFor();
  expect((await send(server, 'getMotorQuote')).status).toBe(503);
  await page.getByText('A rule changes the next call').waitFor();
  await page.getByRole('button', { name: 'Customize…' }).first().click();
  const form = page.getByRole('dialog');
  const add = async (effect: string) => {
    await form.getByLabel('Effect').fill(effect);
    await form.getByRole('button', { name: 'Add', exact: true }).click();
  };
  await add('{"kind": ');
  await form.getByRole('alert').getByText('Effect: Line 1, column 10: this is no JSON').waitFor();
  await add('{"kind":"dropp"}');
  await form.getByRole('alert').getByText(/kind/).waitFor();
  await form.getByLabel('Stage').selectOption('before');
  expect(await form.getByLabel('Only calls with').inputValue()).toBe(
    '{"operation":"getMotorQuote"}',
  );
  await form.getByLabel('Times').fill('3');
  await add('{"kind":"delay","ms":5}');
  await page.getByText('3 times').waitFor();
  await page.getByRole('button', { name: /^Remove fault/ }).click();
  await page.getByText('A rule changes the next call').waitFor();
});

test('a World is saved, reset, brought back by its name, and restored from a file', async () => {
  const server = await serve();
  const merchant = server.sandbox.merchant(DEMO_KEY);
  await merchant.buy('motor');
  const count = () => merchant.records({ family: 'motor' }).total;
  const bought = count();
  const page = await openInspector(server, '', { allowed: /status of 4\d\d/ });
  await choose(page, 'World', /^Save this World…/);
  await page.getByRole('dialog').getByLabel('Name').fill('one more policy');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await notice(page, /^Saved one more policy/).waitFor();
  await choose(page, 'World', /^Reset/);
  await notice(page, 'The World is as it was').waitFor();
  expect(count()).toBe(bought - 1);
  await choose(page, 'World', 'Back to one more policy');
  await notice(page, 'Restored one more policy.').waitFor();
  expect(count()).toBe(bought);
  const snapshot = JSON.stringify(merchant.snapshot());
  merchant.reset();
  const file = async (name: string, text: string) => {
    const chosen = page.waitForEvent('filechooser');
    await choose(page, 'World', 'Restore a file…');
    const buffer = Buffer.from(text);
    await (await chosen).setFiles({ name, mimeType: 'application/json', buffer });
  };
  await file('broken.json', '{"version":0,"world":{}}');
  await page.locator('.notice.bad').waitFor();
  expect(count(), 'nothing changed').toBe(bought - 1);
  await file('world.json', snapshot);
  await notice(page, 'Restored world.json.').waitFor();
  expect(count()).toBe(bought);
});

test('the menu of the World and its dialog stay open while calls arrive', async () => {
  const server = await serve();
  const page = await openInspector(server);
  const called = async (times: number) => {
    await initiate(clientOver(server), 'motor');
    const pending = page.locator('.tabs a').filter({ hasText: 'Pending' });
    await pending.getByText(String(times), { exact: true }).waitFor();
  };
  await page.getByRole('button', { name: 'World', exact: true }).click();
  await called(1);
  const save = page.locator('[popover]').getByRole('button', { name: /^Save this World…/ });
  expect(await save.isVisible()).toBe(true);
  await save.click();
  await page.getByRole('dialog').getByLabel('Name').fill('before');
  await called(2);
  expect(await page.locator('dialog').evaluate((dialog) => dialog.matches(':modal'))).toBe(true);
});

test('what is chosen in a dialog stays while calls arrive', async () => {
  const server = await serve();
  const page = await openInspector(server, '?tab=faults');
  await page.getByRole('button', { name: 'Customize…' }).first().click();
  const stage = page.getByRole('dialog').getByLabel('Stage');
  await stage.selectOption('before');
  const pending = page.locator('.tabs a').filter({ hasText: 'Pending' });
  await initiate(clientOver(server), 'motor');
  await pending.getByText('1', { exact: true }).waitFor();
  expect(await stage.inputValue()).toBe('before');
  await page.keyboard.press('Escape');
  await openMerchants(page);
  await page.getByRole('button', { name: 'New merchant…' }).click();
  const records = page.getByRole('dialog').getByLabel('Records');
  await records.selectOption('demo');
  await initiate(clientOver(server), 'motor');
  await page.getByRole('cell', { name: '2', exact: true }).first().waitFor();
  expect(await records.inputValue()).toBe('demo');
});

test('merchants are one table with keys and counts: one is created, opened and left', async () => {
  const server = await serve();
  await send(server, 'getMotorQuote');
  const page = await openAll(server);
  await tab(page, 'Merchants').click();
  await page.getByRole('button', { name: 'New merchant…' }).click();
  await page.getByRole('dialog').getByLabel('Name').fill('Corner Shop');
  await page.getByRole('dialog').getByRole('button', { name: 'Create' }).click();
  await shownMerchant(page, /^Merchant: Corner Shop/).waitFor();
  const merchant = server.sandbox.merchants().at(-1);
  await send(server, 'getMotorQuote', {}, { key: merchant?.apiKey as string });
  await expect.poll(() => rows(page).count()).toBe(1);
  const table = await openMerchants(page);
  await table
    .getByRole('row')
    .filter({ hasText: merchant?.apiKey as string })
    .waitFor();
  await table.getByRole('link', { name: 'Demo Merchant' }).click();
  await shownMerchant(page, /^Merchant: Demo/).waitFor();
  await openMerchants(page);
  await tab(page, 'Calls').click();
  await expect.poll(() => rows(page).count()).toBe(2);
});

test('from the address of a merchant that does not exist, the page leads to those there are', async () => {
  const server = await serve();
  await send(server, 'getMotorQuote');
  const page = await openInspector(server, '?merchant=99', { allowed: /status of 404/ });
  await page.getByRole('heading', { name: 'Merchant 99 does not exist' }).waitFor();
  await page.getByRole('main').getByRole('link', { name: 'Merchants' }).click();
  await openMerchants(page);
  await tab(page, 'Calls').click();
  await rows(page, 'getMotorQuote').waitFor();
});

test('without an address, the page opens on the only merchant in use', async () => {
  const server = await serve();
  await send(server, 'getMotorQuote', {}, { key: 'sk_sandbox_other' });
  const page = await openInspector(server, '?merchant=2');
  await page.goto(`${server.url}/_sandbox`);
  await rows(page, 'getMotorQuote').waitFor();
  await shownMerchant(page, /^Merchant: Other/).waitFor();
});
