import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { buy, initiate } from '../support/requests.ts';
import { detail, notice, openInspector, openMenu, rows } from './support/inspector.ts';
import { openPage } from './support/page.ts';
import { clientOver, send, serve } from './support/sandbox.ts';

/* Where the keyboard is after an action: never lost to the body of the page. */

/** The text of the element that has the focus, once one has it for longer than a redraw. */
async function focused(page: Page): Promise<string> {
  await page.waitForFunction(() => document.activeElement !== document.body);
  await page.evaluate(() => new Promise(requestAnimationFrame));
  return (await page.locator(':focus').textContent()) ?? '';
}

/** Presses a button with the keyboard, as somebody without a mouse does. */
async function press(page: Page, name: string | RegExp, exact = false): Promise<void> {
  await page.getByRole('button', { name, exact }).press('Enter');
}

test('"Run" on the front page keeps the focus', async () => {
  const page = await openPage(await serve(), '/');
  await press(page, 'Run: Buy a policy');
  await page.getByRole('region', { name: 'Response: Buy a policy' }).waitFor();
  expect(await page.locator(':focus').getAttribute('aria-label')).toBe('Run: Buy a policy');
});

test('a dialog gives the focus back, whether it is cancelled or sent', async () => {
  const page = await openInspector(await serve(), '?tab=records', { allowed: /status of 422/ });
  await press(page, 'Buy a policy…');
  const form = page.getByRole('dialog', { name: /^Buy a policy/ });
  await press(page, 'Cancel');
  expect(await focused(page)).toBe('Buy a policy…');

  await press(page, 'Buy a policy…');
  const example = await form.getByLabel('Body').inputValue();
  await form.getByLabel('Body').fill('{}');
  await press(page, 'Buy', true);
  await form.getByText('The first_name field is required.').waitFor();
  expect(await focused(page)).toBe('Buy');
  await form.getByLabel('Body').fill(example);
  await press(page, 'Buy', true);
  await notice(page, /^Bought/).waitFor();
  expect(await focused(page)).toBe('Buy a policy…');
});

test('a verified purchase gives the focus to the policy that was bought', async () => {
  const server = await serve();
  const client = clientOver(server);
  await initiate(client, 'motor');
  const page = await openInspector(server, '?tab=pending');
  await press(page, /^Verify/);
  await page.getByText('The purchase is now a policy.').waitFor();
  const [policy] = client.merchant.records({ family: 'motor' }).data;
  expect(await focused(page)).toBe(`Open ${policy?.policy_number}`);
});

test('a renewal and a common fault keep the focus on their buttons', async () => {
  const server = await serve();
  const { policy_no } = await buy(clientOver(server), 'micro_health');
  const page = await openInspector(server, `?tab=records&record=${policy_no}`);
  await press(page, /^Renew for/);
  await notice(page, /^Renew returned 200/).waitFor();
  expect(await focused(page)).toMatch(/^Renew for/);

  await page.getByRole('link', { name: 'Faults' }).click();
  await press(page, /^Add: Lose the answer/);
  await notice(page, /^Added fault-1/).waitFor();
  expect(await focused(page)).toBe('Add');
});

test('a call sent from a dialog, and a new merchant, have the focus', async () => {
  const server = await serve();
  await send(server, 'getMotorQuote');
  const page = await openInspector(server);
  await rows(page, 'getMotorQuote').click();
  await press(page, 'Edit and send…');
  await press(page, 'Send', true);
  await detail(page).getByText('req-1-2').first().waitFor();
  expect(await focused(page)).toContain('getMotorQuote');

  await openMenu(page);
  await press(page, /^Create/);
  await page.getByRole('dialog', { name: 'Create a merchant' }).getByLabel('Name').fill('Kese');
  await press(page, 'Create', true);
  await notice(page, /^Created Kese/).waitFor();
  expect(await focused(page)).toContain('Kese');
});
