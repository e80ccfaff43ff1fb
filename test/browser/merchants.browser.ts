import { expect, test } from 'vitest';
import { buy, initiate } from '../support/requests.ts';
import {
  calls,
  clock,
  detail,
  isLive,
  notice,
  openAll,
  openInspector,
  openMenu,
  openPlain,
  rows,
  tab,
} from './support/inspector.ts';
import { clipboard } from './support/page.ts';
import { clientOver, DEMO_KEY, send, serve } from './support/sandbox.ts';

test('the page shows the calls of all merchants in one stream, by real time', async () => {
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

  const list = calls(page);
  expect(await list.getByText('10:00:00').count(), 'no time of a World').toBe(0);
  const received = await rows(page).getByRole('time').first().getAttribute('datetime');
  expect(Math.abs(Date.parse(received ?? '') - Date.now())).toBeLessThan(60_000);
  const menu = await openMenu(page);
  const time = /\d\d:\d\d:\d\d$/.source;
  await expect
    .poll(() => menu.getByRole('option').allTextContents())
    .toEqual([
      'All merchants',
      expect.stringMatching(`^worker-21 call${time}`),
      expect.stringMatching(`^worker-11 call${time}`),
      expect.stringMatching(`^Demo Merchantsk_sandbox_demo1 call${time}`),
      'Other Merchantsk_sandbox_otherno calls',
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

test('without an address, the page opens on the only merchant in use, and with several on all', async () => {
  const server = await serve();
  const { name, apiKey: key } = server.sandbox.createMerchant({ name: 'Corner Shop' });
  const shown = async () => {
    const page = await openPlain(server);
    const menu = page.getByRole('button', { name: /^Merchant: / });
    const label = await menu.getAttribute('aria-label');
    await page.reload();
    await isLive(page);
    expect(await menu.getAttribute('aria-label'), 'the same after a reload').toBe(label);
    return label;
  };
  expect(await shown(), 'the first one while none is in use').toMatch(/^Merchant: Demo Merchant/);
  await send(server, 'getMotorQuote', {}, { key });
  expect(await shown()).toMatch(`Merchant: ${name}`);
  await send(server, 'getMotorQuote');
  expect(await shown()).toMatch(/^Merchant: All merchants/);
});

test('every tab shows what all merchants with calls have, each with its merchant', async () => {
  const server = await serve({ autoMerchants: true });
  const worker = clientOver(server, 'worker-1');
  const { policy_number } = await buy(worker, 'motor');
  const token = await initiate(clientOver(server, 'worker-2'), 'micro_health');
  const faults = server.sandbox.merchant('worker-2').faults;
  faults.add({ stage: 'after', effect: { kind: 'drop' } });
  const page = await openAll(server);
  const counted = (name: string) => expect.poll(() => tab(page, name).textContent());
  await counted('Records').toBe('Records1');
  await counted('Pending').toBe('Pending1');
  await counted('Faults').toBe('Faults1');

  await tab(page, 'Pending').click();
  const shown = new RegExp(`^worker-2 Ada Obi Micro-health, .* ₦700 .*…${token.slice(-6)}`);
  await page.getByRole('row', { name: shown }).waitFor();
  await tab(page, 'World').click();
  await page.getByRole('row', { name: /^worker-1 .* 0 1 0 0 0 2$/ }).waitFor();
  await tab(page, 'Faults').click();
  await page.getByText('after · drop').waitFor();
  await page.getByRole('button', { name: /^Remove fault-/ }).click();
  await page.getByRole('heading', { name: 'No active faults' }).waitFor();
  expect(faults.list()).toEqual([]);

  await tab(page, 'Records').click();
  const record = page.getByRole('row', { name: `worker-1 ${policy_number}` });
  await record.getByRole('button').click();
  await page.getByRole('heading', { name: policy_number }).waitFor();
  await page.getByRole('button', { name: /^Merchant: worker-1/ }).waitFor();
});

test('among all merchants, every World is reset after a question', async () => {
  const server = await serve();
  const { apiKey: key } = server.sandbox.createMerchant({ name: 'Corner Shop' });
  await send(server, 'getMotorQuote');
  await send(server, 'getMotorQuote', {}, { key });
  const page = await openAll(server);
  await tab(page, 'World').click();
  await page.getByRole('button', { name: 'Reset every World…' }).click();
  const question = page.getByRole('dialog', { name: 'Reset every World?' });
  await question.getByText('of all 3 merchants').waitFor();
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(server.sandbox.journal(), 'nothing is reset without confirmation').toHaveLength(2);
  await page.getByRole('button', { name: 'Reset every World…' }).click();
  await question.getByRole('button', { name: 'Reset', exact: true }).click();
  await notice(page, 'Reset every World.').waitFor();
  expect(server.sandbox.journal()).toEqual([]);
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
  await page.getByRole('button', { name: 'Copy key' }).click();
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
