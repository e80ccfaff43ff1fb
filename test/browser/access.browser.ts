import { expect, test } from 'vitest';
import { startSandbox } from '../../src/node/index.ts';
import { START } from '../support/client.ts';
import { newStateFile } from '../support/state.ts';
import { FOREIGN_HOST } from './support/chromium.ts';
import { isLive, openInspector, rows } from './support/inspector.ts';
import { openBeside, openPage } from './support/page.ts';
import { send, serve } from './support/sandbox.ts';

test('the page asks for the admin token once per tab, and reports a wrong one', async () => {
  const server = await serve({ adminToken: 'correct-horse' });
  const page = await openPage(server, '/_sandbox', { allowed: /status of 401/ });
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const token = page.getByLabel('Admin token');
  await token.fill('battery-staple');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByRole('alert').getByText('This is not the admin token of the sandbox.').waitFor();
  await token.fill('correct-horse');
  await token.press('Enter');
  await isLive(page);

  await page.reload();
  await isLive(page);
  await send(server, 'getMicroHealthQuote');
  await rows(page, 'getMicroHealthQuote').waitFor();
  expect([page.url(), ...requests].filter((url) => /horse|battery/.test(url))).toEqual([]);

  const other = await openBeside(page, `${server.url}/_sandbox`);
  await other.getByLabel('Admin token').waitFor();
});

test('on a foreign host without an admin token, the page says how to set one', async () => {
  const server = await serve();
  const page = await openPage(server, '/_sandbox', {
    base: `http://${FOREIGN_HOST}:${server.port}`,
    allowed: /status of 403|Cross-Origin-Opener-Policy/,
  });
  await page.getByRole('heading', { name: /only on the machine of the sandbox/ }).waitFor();
  await page.getByText('SANDBOX_ADMIN_TOKEN=choose-a-long-one').waitFor();
});

test('the page reconnects after a restart, and shows the calls it missed', async () => {
  const kept = { now: START, clock: 'frozen', seed: 7, state: newStateFile() } as const;
  const first = await startSandbox({ port: 0, ...kept });
  const page = await openInspector(first, '', { allowed: /ERR_/ });
  await send(first, 'getMicroHealthQuote');
  await rows(page, 'getMicroHealthQuote').waitFor();
  await first.close();
  await page.getByRole('status').getByText('reconnecting').waitFor();

  const second = await serve({ port: first.port, ...kept });
  await send(second, 'getMotorQuote');
  await isLive(page);
  for (const operation of ['getMotorQuote', 'getMicroHealthQuote']) {
    await rows(page, operation).waitFor();
  }
  await send(second, 'listMotorPolicies');
  await rows(page, 'listMotorPolicies').waitFor();
  expect(await rows(page).count()).toBe(3);
});

test('a page without merchants retries an unreachable sandbox until it responds', async () => {
  const server = await serve();
  for (const merchant of server.sandbox.merchants()) merchant.remove();
  const page = await openInspector(server, '', { allowed: /ERR_/ });
  await page.context().route('**/_sandbox/merchants', (route) => route.abort());
  server.sandbox.createMerchant({ name: 'Corner Shop' });
  await page.getByRole('heading', { name: 'Cannot reach the sandbox' }).waitFor();
  await page.context().unroute('**/_sandbox/merchants');
  await page.getByRole('button', { name: /^Merchant: Corner Shop/ }).waitFor();
  await isLive(page);
});
