import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { exampleOf, familyKeys, initiateOf, purchaseOf, verifyOf } from '../support/requests.ts';
import { calls, detail, openInspector, rows, tab } from './support/inspector.ts';
import { openPage } from './support/page.ts';
import { DEMO_KEY, send, serve } from './support/sandbox.ts';

/* What comes from outside is text wherever it is shown. The harness fails on dialogs, errors and strange requests. */

const MARKUP = `<img src="/x" onerror="alert(1)">`;

/** The same value with markup in each of its texts. */
function marked(value: unknown): unknown {
  if (typeof value === 'string') return MARKUP;
  if (Array.isArray(value)) return value.map(marked);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, held]) => [key, marked(held)]));
}

const expectNoElement = async (page: Page) => {
  expect(await page.locator('img, [onerror]').count()).toBe(0);
};

test('a purchase with markup in each field is shown as text, refused or not', async () => {
  const server = await serve();
  const page = await openInspector(server);
  for (const family of familyKeys) {
    await send(server, initiateOf[family], marked(purchaseOf(family)) as Record<string, unknown>);
    await send(server, initiateOf[family], { [MARKUP]: MARKUP, members: [{ [MARKUP]: MARKUP }] });
  }
  const all = server.sandbox.journal({ limit: 1000 });
  await expect
    .poll(() => calls(page).getByRole('option').first().getAttribute('aria-setsize'))
    .toBe(String(all.length));
  await calls(page).focus();
  for (const [place, { id }] of all.entries()) {
    await page.keyboard.press(place === 0 ? 'Home' : 'ArrowDown');
    await detail(page).getByText(id, { exact: true }).first().waitFor();
    await expectNoElement(page);
  }
  await detail(page).getByText('onerror').first().waitFor();
});

test('policies whose fields are markup are shown as text in the records', async () => {
  const server = await serve();
  const page = await openInspector(server, '?tab=records&family=group_life');
  const free = [
    'first_name',
    'surname',
    'group_name',
    'group_contact_address',
    'first_person_name',
  ];
  const changes = Object.fromEntries(free.map((field) => [field, MARKUP]));
  const initiated = await send(server, initiateOf.group_life, changes);
  const { data } = (await initiated.json()) as { data: { token: string } };
  expect(initiated.status).toBe(200);
  await tab(page, 'Pending').click();
  await page.getByRole('row').filter({ hasText: data.token }).waitFor();
  await send(server, verifyOf.group_life, { token: data.token });

  await tab(page, 'Records').click();
  await page.getByRole('table').getByText(MARKUP).first().waitFor();
  await page.getByRole('table').getByRole('button').first().click();
  const record = page.getByRole('region', { name: 'The chosen record' });
  await record.getByText(JSON.stringify(MARKUP)).first().waitFor();
  await expectNoElement(page);
});

test('merchants, paths, headers, tokens and faults of markup are shown as text', async () => {
  const server = await serve();
  const merchant = server.sandbox.createMerchant({ name: MARKUP });
  merchant.faults.add({
    match: { body: { [MARKUP]: MARKUP } },
    stage: 'before',
    effect: {
      kind: 'respond',
      status: 503,
      headers: { 'x-note': MARKUP },
      body: { [MARKUP]: MARKUP },
    },
    times: 100,
  });
  const page = await openInspector(server, `?merchant=${merchant.id}`);
  await page.getByRole('button', { name: `Merchant: ${MARKUP}` }).waitFor();
  const init = {
    headers: {
      authorization: `Bearer ${merchant.apiKey}`,
      'x-note': MARKUP,
      'content-type': 'application/json',
    },
  };
  await fetch(`${server.url}/api/${MARKUP}?a=${MARKUP}`, init);
  await fetch(
    `${server.url}/api/merchant/get_comprehensive_motor_policies?${MARKUP}=${MARKUP}`,
    init,
  );
  await send(server, 'verifyMotorPolicy', { token: MARKUP }, { key: merchant.apiKey });
  await send(server, 'getMotorQuote', { [MARKUP]: MARKUP }, { key: merchant.apiKey });
  await fetch(`${server.url}/api/merchant/micro_health/get_quote`, {
    ...init,
    method: 'POST',
    body: MARKUP,
  });
  await fetch(`${server.url}/api/merchant/micro_health/get_quote`, {
    ...init,
    method: 'POST',
    body: JSON.stringify(MARKUP),
  });
  await fetch(`${server.url}/api/${MARKUP}`, {
    headers: { authorization: `Bearer ${encodeURIComponent(MARKUP)}` },
  });
  await expect.poll(() => rows(page).count()).toBe(7);
  for (let place = 0; place < 7; place++) {
    await rows(page).nth(place).click();
    await detail(page).getByRole('heading').first().waitFor();
    for (const headers of await detail(page)
      .getByText(/^Headers/)
      .all())
      await headers.click();
    await expectNoElement(page);
  }
  await page.getByRole('button', { name: 'Send again' }).click();
  await page.getByRole('dialog', { name: 'Send again' }).waitFor();
  await page.keyboard.press('Escape');

  for (const name of ['Faults', 'World']) {
    await tab(page, name).click();
    await page.getByRole('region').first().waitFor();
    await expectNoElement(page);
  }
  await page.getByRole('button', { name: 'Reset the World…' }).click();
  await page.getByRole('dialog').getByRole('heading', { name: MARKUP }).waitFor();
  await expectNoElement(page);
});

test('an answer of markup is text on the front page', async () => {
  const server = await serve();
  const page = await openPage(server, '/', { allowed: /status of 503/ });
  server.sandbox.merchant(DEMO_KEY).faults.add({
    stage: 'before',
    effect: {
      kind: 'respond',
      status: 503,
      body: { [MARKUP]: [MARKUP, exampleOf('getMicroHealthQuote')] },
    },
  });
  await page.getByRole('button', { name: 'Run: A first call' }).click();
  await page
    .getByRole('region', { name: /^Answer/ })
    .getByText('onerror')
    .first()
    .waitFor();
  await expectNoElement(page);
});
