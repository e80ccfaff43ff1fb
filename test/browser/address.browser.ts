import { expect, test } from 'vitest';
import { calls, detail, notice, openInspector, rows, tab } from './support/inspector.ts';
import { clipboard, openBeside } from './support/page.ts';
import { send, serve } from './support/sandbox.ts';

test('the address shows a colleague the same: merchant, open call and filter', async () => {
  const server = await serve();
  const shop = server.sandbox.createMerchant({ name: 'Corner Shop' });
  const key = shop.apiKey;
  await send(server, 'getMicroHealthQuote', {}, { key });
  await send(server, 'getMicroHealthQuote', { no_of_users: -1 }, { key });
  await send(server, 'getMotorQuote', {}, { key });
  const page = await openInspector(server, `?merchant=${shop.id}`);
  await page.getByRole('button', { name: 'Refused', exact: true }).click();
  await page.getByLabel('Search the calls').fill('quote');
  await rows(page, 'getMicroHealthQuote').click();
  await detail(page).getByRole('heading', { name: '422 getMicroHealthQuote' }).waitFor();

  const other = await openBeside(page, page.url());
  await detail(other).getByRole('heading', { name: '422 getMicroHealthQuote' }).waitFor();
  await other.getByRole('button', { name: /^Merchant: Corner Shop/ }).waitFor();
  expect(await rows(other).count()).toBe(1);
  expect(await other.getByLabel('Search the calls').inputValue()).toBe('quote');
  expect(
    await other.getByRole('button', { name: 'Refused', exact: true }).getAttribute('aria-pressed'),
  ).toBe('true');
});

test('the id of a call alone leads to it', async () => {
  const server = await serve();
  const shop = server.sandbox.createMerchant({ name: 'Corner Shop' });
  const { headers } = await send(server, 'getMotorQuote', {}, { key: shop.apiKey });
  const page = await openInspector(server, `?call=${headers.get('sandbox-request-id')}`);
  await detail(page).getByRole('heading', { name: '200 getMotorQuote' }).waitFor();
  await detail(page).getByRole('button', { name: 'Copy link' }).click();
  expect(await clipboard(page)).toBe(
    `${server.url}/_sandbox?call=${headers.get('sandbox-request-id')}`,
  );
});

test('the browser goes back and forth between what was looked at', async () => {
  const server = await serve();
  await send(server, 'getMicroHealthQuote');
  await send(server, 'getMotorQuote');
  const page = await openInspector(server);
  await rows(page, 'getMicroHealthQuote').click();
  await detail(page)
    .getByRole('heading', { name: /getMicroHealthQuote/ })
    .waitFor();
  await rows(page, 'getMotorQuote').click();
  await detail(page)
    .getByRole('heading', { name: /getMotorQuote/ })
    .waitFor();
  await tab(page, 'Records').click();
  await page.getByRole('table').waitFor();

  await page.goBack();
  await detail(page)
    .getByRole('heading', { name: /getMotorQuote/ })
    .waitFor();
  await page.goBack();
  await detail(page)
    .getByRole('heading', { name: /getMicroHealthQuote/ })
    .waitFor();
  await page.goForward();
  await detail(page)
    .getByRole('heading', { name: /getMotorQuote/ })
    .waitFor();
});

test('everything is reached by keyboard alone', async () => {
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
  const tabTo = async (wanted: string | RegExp) => {
    for (let step = 0; step < 60; step++) {
      await page.keyboard.press('Tab');
      const name = await focused();
      if (typeof wanted === 'string' ? name === wanted : wanted.test(name)) return;
    }
    throw new Error(`Tab leads to no ${wanted}`);
  };

  // Search, the list, a call, and what can be done with it.
  await press('/');
  expect(await focused()).toBe('Search the calls');
  await page.keyboard.type('quote');
  await press('ArrowDown', 'ArrowDown');
  await detail(page)
    .getByRole('heading', { name: /getMotorQuote/ })
    .waitFor();
  await press('j');
  await detail(page)
    .getByRole('heading', { name: /getMicroHealthQuote/ })
    .waitFor();
  await press('Enter');
  await tabTo('Send again');
  await press('Enter');
  const form = page.getByRole('dialog', { name: 'Send again' });
  await form.waitFor();
  await press('Escape');
  await form.waitFor({ state: 'detached' });
  expect(await focused(), 'the focus is back where it was').toBe('Send again');
  await press('Escape');
  await page.getByText('Choose a call to see').waitFor();

  // The clock, and the tabs.
  await page.keyboard.press('Control+Home');
  await page.evaluate(() => (document.activeElement as HTMLElement | null)?.blur());
  await tabTo('+15 min');
  await press('Enter');
  await notice(page, 'Fifteen minutes passed. Nothing lapsed.').waitFor();
  await tabTo(/^Records/);
  await press('Enter');
  await page.getByRole('table').waitFor();
  await tabTo(/^\d{6,}|^[A-Z]{2,}\d+/);
  await press('Enter');
  await page
    .getByRole('region', { name: 'The chosen record' })
    .getByText('policy_no')
    .first()
    .waitFor();
  expect(await calls(page).count()).toBe(0);
});
