import { expect, test } from 'vitest';
import { calls, detail, notice, openAll, openInspector, rows, tab } from './support/inspector.ts';
import { clipboard, openBeside } from './support/page.ts';
import { send, serve } from './support/sandbox.ts';

test('the address contains the merchant, the open call and the filter', async () => {
  const server = await serve();
  const { id, apiKey: key } = server.sandbox.createMerchant({ name: 'Corner Shop' });
  await send(server, 'getMicroHealthQuote', {}, { key });
  await send(server, 'getMicroHealthQuote', { no_of_users: -1 }, { key });
  await send(server, 'getMotorQuote', {}, { key });
  const page = await openInspector(server, `?merchant=${id}`);
  await page.getByRole('button', { name: 'Refused', exact: true }).click();
  await page.getByLabel('Search the calls').fill('quote');
  await rows(page, 'getMicroHealthQuote').click();
  await detail(page).getByRole('heading', { name: '422 getMicroHealthQuote' }).waitFor();

  const other = await openBeside(page, page.url());
  await detail(other).getByRole('heading', { name: '422 getMicroHealthQuote' }).waitFor();
  await other.getByRole('button', { name: /^Merchant: Corner Shop/ }).waitFor();
  expect(await rows(other).count()).toBe(1);
  expect(await other.getByLabel('Search the calls').inputValue()).toBe('quote');
  const refused = other.getByRole('button', { name: 'Refused', exact: true });
  expect(await refused.getAttribute('aria-pressed')).toBe('true');
});

test('a call id in the address opens the call, and the back and forward buttons work', async () => {
  const server = await serve();
  const { apiKey: key } = server.sandbox.createMerchant({ name: 'Corner Shop' });
  await send(server, 'getMicroHealthQuote', {}, { key });
  const { headers } = await send(server, 'getMotorQuote', {}, { key });
  const link = `?call=${headers.get('sandbox-request-id')}`;
  const page = await openInspector(server, link);
  const isShown = (operation: string) =>
    detail(page)
      .getByRole('heading', { name: `200 ${operation}` })
      .waitFor();
  await isShown('getMotorQuote');
  await detail(page).getByRole('button', { name: 'Copy link' }).click();
  expect(await clipboard(page)).toBe(`${server.url}/_sandbox${link}`);

  await rows(page, 'getMicroHealthQuote').click();
  await isShown('getMicroHealthQuote');
  await tab(page, 'Faults').click();
  await page.getByText('No active faults').waitFor();
  await page.goBack();
  await isShown('getMicroHealthQuote');
  await page.goBack();
  await isShown('getMotorQuote');
  await page.goForward();
  await isShown('getMicroHealthQuote');
});

test("after another merchant's snapshot was restored, each of two calls with the same id opens its own", async () => {
  const server = await serve();
  const merchant = server.sandbox.merchant('sk_sandbox_demo');
  const other = server.sandbox.createMerchant({ name: 'Corner Shop' });
  await send(server, 'getMotorQuote');
  other.restore(merchant.snapshot());
  const page = await openAll(server);
  const isShown = (name: string, within = page) =>
    detail(within).getByText(`${name} · req-1-1 ·`).waitFor();
  await rows(page, 'Corner Shop').click();
  await isShown('Corner Shop');
  await rows(page, 'Demo Merchant').click();
  await isShown('Demo Merchant');
  expect(await rows(page).count()).toBe(2);
  await page.goBack();
  await isShown('Corner Shop');

  await detail(page).getByRole('button', { name: 'Copy link' }).click();
  const linked = await openBeside(page, await clipboard(page));
  await linked.getByRole('button', { name: /^Merchant: Corner Shop/ }).waitFor();
  await isShown('Corner Shop', linked);
  expect(await rows(linked).getAttribute('aria-selected')).toBe('true');
});

test('the inspector works with the keyboard alone', async () => {
  const server = await serve();
  await send(server, 'getMicroHealthQuote', { no_of_users: -1 });
  await send(server, 'getMotorQuote');
  const page = await openInspector(server);
  await rows(page, 'getMotorQuote').waitFor();
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key);
  };
  const focused = () =>
    page.evaluate(() => {
      const { activeElement: element } = document;
      return element?.getAttribute('aria-label') ?? element?.textContent?.trim() ?? '';
    });
  const tabTo = async (wanted: RegExp) => {
    for (let step = 0; step < 60; step++) {
      await press('Tab');
      if (wanted.test(await focused())) return;
    }
    throw new Error(`Tab leads to no ${wanted}`);
  };
  const isShown = (operation: RegExp) =>
    detail(page).getByRole('heading', { name: operation }).waitFor();

  // Search, list, call, and the actions of a call.
  await press('/');
  expect(await focused()).toBe('Search the calls');
  await page.keyboard.type('quote');
  await press('ArrowDown', 'ArrowDown');
  await isShown(/getMotorQuote/);
  await press('j');
  await isShown(/getMicroHealthQuote/);
  await press('Enter');
  await tabTo(/^Edit and send…$/);
  await press('Enter');
  const form = page.getByRole('dialog', { name: 'Edit and send' });
  await form.waitFor();
  await press('Escape');
  await form.waitFor({ state: 'detached' });
  expect(await focused(), 'the focus returns to the button').toBe('Edit and send…');
  await press('Escape');
  await page.getByText('Select a call to see').waitFor();

  // Clock and tabs.
  await press('Control+Home');
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await tabTo(/^\+15 min$/);
  await press('Enter');
  await notice(page, 'Moved the clock by 15 minutes. Nothing expired.').waitFor();
  await tabTo(/^Records/);
  await press('Enter');
  await page.getByRole('table').waitFor();
  await tabTo(/^\d{6,}|^[A-Z]{2,}\d+/);
  await press('Enter');
  const record = page.getByRole('region', { name: 'Selected record' });
  await record.getByText('policy_no').first().waitFor();
  expect(await calls(page).count()).toBe(0);
});
