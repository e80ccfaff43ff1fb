import { expect, test } from 'vitest';
import {
  calls,
  clock,
  detail,
  isLive,
  notice,
  openAll,
  openInspector,
  openMenu,
  rows,
  tab,
} from './support/inspector.ts';
import { clipboard } from './support/page.ts';
import { DEMO_KEY, send, serve } from './support/sandbox.ts';

test('without an address, the page shows the calls of all merchants in one stream', async () => {
  const server = await serve({ autoMerchants: true });
  const page = await openAll(server);
  await page.getByRole('heading', { name: 'No calls yet' }).waitFor();
  await send(server, 'getMotorQuote');
  await detail(page).getByRole('heading', { name: '200 getMotorQuote' }).waitFor();
  for (const key of ['worker-1', 'worker-2']) await send(server, 'listMotorPolicies', {}, { key });
  await send(server, 'getMotorQuote', {}, { key: 'no key' });

  await rows(page, 'no valid key').waitFor();
  await rows(page, 'worker-2').click();
  await detail(page).getByText('worker-2').waitFor();

  const menu = await openMenu(page);
  await expect
    .poll(() => menu.getByRole('option').allTextContents())
    .toEqual([
      'All merchants',
      'worker-2worker-21 call31 Jan 10:00:00',
      'worker-1worker-11 call31 Jan 10:00:00',
      'Demo Merchant…box_demo1 call31 Jan 10:00:00',
      'Other Merchant…ox_otherno calls',
    ]);
  await page.keyboard.press('Escape');
  await detail(page).getByRole('button', { name: 'Copy as curl' }).click();
  expect(await clipboard(page)).toContain('Bearer worker-2');

  await openMenu(page);
  await menu.getByRole('option', { name: 'worker-1' }).click();
  await expect.poll(() => rows(page).count()).toBe(1);
  const others = page.getByRole('button', { name: /of others/ });
  expect(await others.textContent()).toBe('2 calls of others · 1 call without a valid key');
  await send(server, 'getMotorQuote');
  await page.getByText('3 calls of others').waitFor();
  await others.click();
  await expect.poll(() => rows(page).count()).toBe(5);
  await page.getByRole('button', { name: /^Merchant: All merchants/ }).waitFor();
});

test('among all merchants, a tab of one World asks for a merchant', async () => {
  const server = await serve();
  const page = await openAll(server);
  await tab(page, 'Records').click();
  await page.getByText('Records belong to one merchant.').waitFor();
  await page.getByRole('main').getByRole('button', { name: 'Demo Merchant' }).click();
  await page.getByRole('table').waitFor();
  await clock(page).getByText('31 Jan 2026 10:00:00 UTC').waitFor();
});

test('moves of the clock, resets and restored snapshots stand in the list', async () => {
  const server = await serve();
  const merchant = server.sandbox.merchant(DEMO_KEY);
  await send(server, 'getMotorQuote');
  const page = await openInspector(server);
  const list = calls(page);
  await list.getByText('31 Jan 2026', { exact: true }).waitFor();
  merchant.clock.advance('PT20M');
  await list.getByText('Clock moved by 20 min').waitFor();
  await send(server, 'listMotorPolicies');
  await rows(page, 'listMotorPolicies').waitFor();
  merchant.clock.advance('P1D');
  await list.getByText('Clock moved by 1 day').waitFor();
  await list.getByText('1 Feb 2026', { exact: true }).waitFor();
  const top = async (text: string) =>
    (await list.getByText(text).first().boundingBox())?.y ?? Number.NaN;
  const tops = await Promise.all(
    ['Clock moved by 1 day', 'policies', 'Clock moved by 20 min', 'quote'].map(top),
  );
  expect(tops).toEqual(tops.toSorted((a, b) => a - b));

  merchant.restore(merchant.snapshot());
  await list.getByText('Snapshot restored').waitFor();
  expect(await rows(page).count()).toBe(2);
  merchant.reset();
  await page.getByRole('heading', { name: 'No calls yet' }).waitFor();
  await send(server, 'getMotorQuote');
  await list.getByText('World reset').waitFor();
  expect(await list.getByText(/^Clock moved/).count(), 'a reset empties the list').toBe(0);
});

test('a new merchant has its own clock and is selected', async () => {
  const server = await serve();
  const page = await openInspector(server);
  await (await openMenu(page)).getByRole('button', { name: 'Create merchant…' }).click();
  const form = page.getByRole('dialog', { name: 'Create a merchant' });
  await form.getByLabel('Name').fill('Corner Shop');
  await form.getByLabel('Records').selectOption('the demo records');
  await form.getByLabel('Clock starts at (UTC)').fill('2027-05-06T07:08:09');
  await form.getByRole('button', { name: 'Create' }).click();

  await page.getByRole('button', { name: /^Merchant: Corner Shop/ }).waitFor();
  await clock(page).getByText('6 May 2027 07:08:09 UTC').waitFor();
  const created = server.sandbox.merchants().at(-1);
  expect(created?.name).toBe('Corner Shop');
  expect(new URL(page.url()).searchParams.get('merchant')).toBe(String(created?.id));
  await page.getByRole('button', { name: 'Copy the key' }).click();
  expect(await clipboard(page)).toBe(created?.apiKey);
});

test('the keyboard finds a merchant by part of its name and selects it', async () => {
  const server = await serve();
  for (let number = 1; number <= 60; number++) {
    server.sandbox.createMerchant({ name: `Shop ${number}` });
  }
  const page = await openInspector(server);
  const menu = await openMenu(page);
  await menu.getByText('12 more. Type to search.').waitFor();
  await page.keyboard.type('shop 5');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Merchant: Shop 50\./ }).waitFor();
  expect(await menu.count()).toBe(0);
});

test('after a key rotation only the new key works, and the page keeps working', async () => {
  const server = await serve();
  const merchant = server.sandbox.createMerchant({ name: 'Corner Shop' });
  const { apiKey } = merchant;
  const page = await openInspector(server, `?merchant=${merchant.id}`);
  await (await openMenu(page)).getByRole('button', { name: 'Rotate key…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Rotate key' }).click();
  await notice(page, /^Rotated the key of Corner Shop. New key: /).waitFor();

  const key = server.sandbox.merchants().at(-1)?.apiKey ?? '';
  expect(key).not.toBe(apiKey);
  expect((await send(server, 'listMotorPolicies', {}, { key: apiKey })).status).toBe(401);
  expect((await send(server, 'getMotorQuote', {}, { key })).status).toBe(200);
  await rows(page, 'getMotorQuote').waitFor();
  await page.getByRole('button', { name: '+1 day' }).click();
  await notice(page, 'Moved the clock by a day. Nothing expired.').waitFor();
});

test('every view reports a removed merchant, whether removed here or elsewhere', async () => {
  const server = await serve();
  const removed = server.sandbox.createMerchant({ name: 'Corner Shop' });
  const page = await openInspector(server, `?merchant=${removed.id}`, {
    allowed: /status of 40[14]/,
  });
  await (await openMenu(page)).getByRole('button', { name: 'Remove…' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove', exact: true }).click();
  await notice(page, 'Removed Corner Shop.').waitFor();
  expect(() => removed.show()).toThrow();

  for (const view of ['Calls', 'Records', 'Pending', 'Faults', 'World']) {
    await page.getByRole('button', { name: 'Go to Demo Merchant' }).click();
    await page.getByRole('button', { name: /^Merchant: Demo Merchant/ }).waitFor();
    await isLive(page);
    const merchant = server.sandbox.createMerchant({ name: `Shop of ${view}`, records: 'demo' });
    await (await openMenu(page)).getByRole('option', { name: merchant.name }).click();
    await tab(page, view).click();
    merchant.remove();
    await page.getByRole('heading', { name: `Merchant ${merchant.id} does not exist` }).waitFor();
  }
});
