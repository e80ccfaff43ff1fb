import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { familyKeys, initiateOf, purchaseOf, verifyOf } from '../support/requests.ts';
import { calls, detail, openInspector, rows, shownMerchant, tab } from './support/inspector.ts';
import { send, serve } from './support/sandbox.ts';

/* Input is always shown as text. `openPage` fails on dialogs, errors and foreign requests. */

const MARKUP = `<img src="/x" onerror="alert(1)">`;

/** The same value with markup instead of each string. */
function marked(value: unknown): unknown {
  if (typeof value === 'string') return MARKUP;
  if (Array.isArray(value)) return value.map(marked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, marked(held)]));
}

const expectNoElement = async (page: Page) => {
  expect(await page.locator('img, [onerror]').count()).toBe(0);
};

test('markup in the fields of a purchase is shown as text', async () => {
  const server = await serve();
  const page = await openInspector(server);
  for (const family of familyKeys) {
    await send(server, initiateOf[family], marked(purchaseOf(family)) as Record<string, unknown>);
    await send(server, initiateOf[family], { [MARKUP]: MARKUP, members: [{ [MARKUP]: MARKUP }] });
  }
  const all = server.sandbox.journal();
  await expect.poll(() => rows(page).count()).toBe(all.length);
  await calls(page).focus();
  for (const [place, { id }] of all.entries()) {
    await page.keyboard.press(place === 0 ? 'Home' : 'ArrowDown');
    await detail(page).getByText(id, { exact: true }).first().waitFor();
    await expectNoElement(page);
  }
  await detail(page).getByText('onerror').first().waitFor();
});

test('markup in the fields of a policy is shown as text', async () => {
  const server = await serve();
  const page = await openInspector(server, '?tab=records&family=group_life');
  const initiated = await send(server, initiateOf.group_life, {
    first_name: MARKUP,
    surname: MARKUP,
    group_name: MARKUP,
    group_contact_address: MARKUP,
    first_person_name: MARKUP,
  });
  const { data } = (await initiated.json()) as { data: { token: string } };
  await tab(page, 'Pending').click();
  await page
    .getByRole('row')
    .filter({ hasText: data.token.slice(-6) })
    .waitFor();
  await send(server, verifyOf.group_life, { token: data.token });

  await tab(page, 'Records').click();
  const table = page.getByRole('table');
  await table.getByText(MARKUP).first().waitFor();
  await table.getByRole('button').first().click();
  const record = page.getByRole('region', { name: 'Selected record' });
  await record.getByText(MARKUP).first().waitFor();
  await expectNoElement(page);
});

test('markup in merchants, paths, headers, tokens and faults is shown as text', async () => {
  const server = await serve();
  const merchant = server.sandbox.createMerchant({ name: MARKUP });
  const held = { [MARKUP]: MARKUP };
  merchant.faults.add({
    match: { body: held },
    stage: 'before',
    effect: { kind: 'respond', status: 503, headers: { 'x-note': MARKUP }, body: held },
    times: 100,
  });
  const page = await openInspector(server, `?merchant=${merchant.id}`);
  await shownMerchant(page, `Merchant: ${MARKUP}`).waitFor();
  const key = merchant.apiKey;
  const headers = {
    authorization: `Bearer ${key}`,
    'content-type': 'application/json',
    'x-note': MARKUP,
  };
  await fetch(`${server.url}/api/${MARKUP}?a=${MARKUP}`, { headers });
  await fetch(`${server.url}/api/${MARKUP}`, {
    headers: { authorization: `Bearer ${encodeURIComponent(MARKUP)}` },
  });
  await send(server, 'listMotorPolicies', held, { key, headers });
  await send(server, 'verifyMotorPolicy', { token: MARKUP }, { key });
  await send(server, 'getMotorQuote', held, { key });
  for (const body of [MARKUP, JSON.stringify(MARKUP)]) {
    const init = { method: 'POST', headers, body };
    await fetch(`${server.url}/api/merchant/micro_health/get_quote`, init);
  }
  await expect.poll(() => rows(page).count()).toBe(6);
  await page.goto(`${server.url}/_sandbox?merchant=all`);
  await expect.poll(() => rows(page).count()).toBe(7);
  for (const row of await rows(page).all()) {
    await row.click();
    await detail(page).getByRole('heading').first().waitFor();
    const closed = detail(page).getByText(/^Headers/);
    for (const summary of await closed.all()) await summary.click();
    await expectNoElement(page);
  }
  await rows(page, 'getMotorQuote').click();
  await detail(page).getByRole('button', { name: 'Edit', exact: true }).click();
  await detail(page).getByLabel('Edited body').waitFor();
  await expectNoElement(page);

  await page.goto(`${server.url}/_sandbox?merchant=${merchant.id}&tab=faults`);
  await page.getByText('Active rules').waitFor();
  await expectNoElement(page);
  await page.goto(`${server.url}/_sandbox?merchant=all&tab=merchants`);
  await page.getByRole('row').filter({ hasText: MARKUP }).waitFor();
  await expectNoElement(page);
});
