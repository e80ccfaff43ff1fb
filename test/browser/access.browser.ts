import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { type SandboxServer, startSandbox } from '../../src/node.ts';
import { START } from '../support/client.ts';
import { newStateFile } from '../support/state.ts';
import { expectAccessible } from './support/accessibility.ts';
import { FOREIGN_HOST } from './support/chromium.ts';
import {
  choose,
  clock,
  detail,
  isLive,
  openAll,
  openInspector,
  openMerchants,
  rows,
  tab,
} from './support/inspector.ts';
import { openBeside, openPage } from './support/page.ts';
import { DEMO_KEY, send, serve } from './support/sandbox.ts';

test('the page asks for the admin token once per tab, and reports a wrong one', async () => {
  const server = await serve({ adminToken: 'correct-horse' });
  const page = await openPage(server, '/_sandbox', { allowed: /status of 401/ });
  const requests: string[] = [];
  page.on('request', (request) => requests.push(request.url()));
  const token = page.getByLabel("Admin token or merchant's key");
  await token.fill('battery-staple');
  await page.getByRole('button', { name: 'Open' }).click();
  await page.getByRole('alert').getByText('not the admin token or').waitFor();
  await token.fill('correct-horse');
  await token.press('Enter');
  await isLive(page);

  await page.reload();
  await isLive(page);
  await send(server, 'getMicroHealthQuote');
  await rows(page, 'getMicroHealthQuote').waitFor();
  expect([page.url(), ...requests].filter((url) => /horse|battery/.test(url))).toEqual([]);

  const other = await openBeside(page, `${server.url}/_sandbox`);
  await other.getByLabel("Admin token or merchant's key").waitFor();
});

test('on a foreign host without an admin token, the page says how to set one', async () => {
  const page = await openElsewhere(await serve());
  await page.getByText('No admin token is set').getByText('SANDBOX_ADMIN_TOKEN').waitFor();
  await expectAccessible(page, 'the form for a key');
});

test("on a foreign host without an admin token, a merchant's key opens its World, and the tab keeps it", async () => {
  const server = await serve();
  await send(server, 'getMotorQuote');
  const page = await openElsewhere(server);
  const key = page.getByLabel("Merchant's key");
  // No header takes the second one.
  for (const wrong of ['sk_sandbox_dmeo', 'sk–sandbox–demo']) {
    await key.fill(wrong);
    await page.getByRole('button', { name: 'Open' }).click();
    await page.getByRole('alert').getByText("This is not a merchant's key.").waitFor();
    await page.reload();
  }
  await key.fill(DEMO_KEY);
  await key.press('Enter');
  await isLive(page);
  await rows(page, 'getMotorQuote').waitFor();

  await page.reload();
  await isLive(page);
  await send(server, 'getMicroHealthQuote', { no_of_users: -1 });
  await send(server, 'listMotorPolicies', {}, { key: 'sk_sandbox_other' });
  await rows(page, 'getMicroHealthQuote').click();
  await detail(page).getByRole('heading', { name: '422 getMicroHealthQuote' }).waitFor();
  expect(await rows(page).count(), 'other merchants stay hidden').toBe(2);
  await choose(page, 'Clock', '+1 day');
  await clock(page).getByText('1 Feb 2026 10:00:00 UTC').waitFor();
  await tab(page, 'Records').click();
  await page.getByRole('table').waitFor();
  server.sandbox.merchant(DEMO_KEY).clock.advance('PT1H');
  await clock(page).getByText('1 Feb 2026 11:00:00 UTC').waitFor();

  await page.getByRole('button', { name: 'Merchant: Demo Merchant. Enter another key' }).click();
  await key.fill('sk_sandbox_other');
  await key.press('Enter');
  await tab(page, 'Calls').click();
  await rows(page, 'listMotorPolicies').waitFor();
});

test("with a merchant's key, a link to a call of its World opens the call and selects its row", async () => {
  const server = await serve({ adminToken: 'correct-horse' });
  await send(server, 'getMotorQuote');
  const other = server.sandbox.createMerchant();
  other.restore(server.sandbox.merchant(DEMO_KEY).snapshot());
  const link = `/_sandbox?call=req-1-1&merchant=${other.id}`;
  const page = await openPage(server, link, { allowed: /status of 401/ });
  await page.getByLabel("Admin token or merchant's key").fill(other.apiKey);
  await page.getByRole('button', { name: 'Open' }).click();
  await detail(page).getByRole('heading', { name: '200 getMotorQuote' }).waitFor();
  await expect.poll(() => rows(page).getAttribute('aria-selected')).toBe('true');
});

test("with an admin token set, a merchant's key opens its World too", async () => {
  const server = await serve({ adminToken: 'correct-horse' });
  const page = await openPage(server, '/_sandbox', { allowed: /status of 401/ });
  await page.getByLabel("Admin token or merchant's key").fill(DEMO_KEY);
  await page.getByRole('button', { name: 'Open' }).click();
  await isLive(page);
  await send(server, 'getMotorQuote');
  await rows(page, 'getMotorQuote').waitFor();
});

/** Opens the inspector under a host name that is not of this machine. */
const openElsewhere = (server: SandboxServer): Promise<Page> =>
  openPage(server, '/_sandbox', {
    base: `http://${FOREIGN_HOST}:${server.port}`,
    allowed: /status of 40[13]|Cross-Origin-Opener-Policy/,
  });

test('the page reconnects after a restart, and shows the calls it missed', async () => {
  const kept = { now: START, clock: 'frozen', seed: 7, state: newStateFile() } as const;
  const first = await startSandbox({ port: 0, ...kept });
  const page = await openInspector(first, '', { allowed: /ERR_/ });
  await send(first, 'getMicroHealthQuote');
  await rows(page, 'getMicroHealthQuote').waitFor();
  await first.close();
  await page.getByText('Cannot reach the sandbox. Trying again…').waitFor();
  await expectAccessible(page, 'the page without its sandbox', { rules: ['color-contrast'] });
  expect(await page.getByRole('button', { name: 'Clock' }).isDisabled()).toBe(true);
  const isDisabled = async (view: string, name: string) => {
    await tab(page, view).click();
    expect(await page.getByRole('button', { name }).first().isDisabled(), name).toBe(true);
  };
  await isDisabled('Faults', 'Add: 503 before the operation');
  await isDisabled('Records', 'Buy a policy…');
  await isDisabled('Calls', 'World');
  await tab(page, 'Calls').click();
  await rows(page).first().click();
  await isDisabled('Calls', 'Send again');
  expect(await page.locator('.notice, [role=alert]:not(:empty)').count(), 'said once').toBe(0);
  expect(await page.getByText(/Failed to fetch|reconnecting/).count()).toBe(0);
  const green = await page.locator('.pill.running, .pill.frozen').count();
  expect(green, 'the pill of the clock has no colour').toBe(0);

  const second = await serve({ port: first.port, ...kept });
  await send(second, 'getMotorQuote');
  await isLive(page);
  expect(await page.getByText('Cannot reach the sandbox').count()).toBe(0);
  expect(await page.getByRole('button', { name: 'Clock' }).isDisabled()).toBe(false);
  await rows(page, 'getMotorQuote').waitFor();
  const again = page.getByRole('button', { name: 'Send again' });
  await expect.poll(async () => (await again.count()) === 0 || again.isDisabled()).toBe(true);
  await send(second, 'listMotorPolicies');
  await rows(page, 'listMotorPolicies').waitFor();
});

test('after a restart nothing of before can be sent, and a policy that is gone is told', async () => {
  const first = await startSandbox({ port: 0, now: START, clock: 'frozen', seed: 7 });
  const { policy_no } = await first.sandbox.merchant(DEMO_KEY).buy('micro_health');
  const page = await openInspector(first, `?tab=records&record=${policy_no}`, {
    allowed: /ERR_|status of 404/,
  });
  await page.getByRole('heading', { name: policy_no }).waitFor();
  await tab(page, 'Calls').click();
  await rows(page).first().click();
  await first.close();
  await page.getByText('Cannot reach the sandbox. Trying again…').waitFor();
  await serve({ port: first.port });
  await page
    .getByRole('heading', { name: /^No calls yet|not found$/ })
    .first()
    .waitFor();
  expect(await page.getByRole('button', { name: 'Send again' }).count()).toBe(0);
  expect(await page.getByText('No calls match').count(), 'nothing was searched').toBe(0);
  await page.goto(`${first.url}/_sandbox?merchant=1&tab=records&record=${policy_no}`);
  await page.getByRole('heading', { name: `Policy ${policy_no} does not exist` }).waitFor();
});

test('a page without merchants retries an unreachable sandbox until it responds', async () => {
  const server = await serve();
  for (const merchant of server.sandbox.merchants()) merchant.remove();
  const page = await openAll(server, { allowed: /ERR_/ });
  await page.context().route('**/_sandbox/merchants', (route) => route.abort());
  const refused = page.waitForEvent('requestfailed');
  server.sandbox.createMerchant({ name: 'Corner Shop' });
  await refused;
  await page.context().unroute('**/_sandbox/merchants');
  await (await openMerchants(page)).getByRole('link', { name: 'Corner Shop' }).waitFor();
  await isLive(page);
});
