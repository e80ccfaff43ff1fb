import { expect, test } from 'vitest';
import { clock, isLive, notice, openInspector, openMenu, rows, tab } from './support/inspector.ts';
import { clipboard } from './support/page.ts';
import { send, serve } from './support/sandbox.ts';

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
  await notice(page, 'Advanced the clock by a day. Nothing expired.').waitFor();
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
