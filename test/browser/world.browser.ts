import { readFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { anyFamilies } from '../../src/products/world.ts';
import { clientOf } from '../support/client.ts';
import { buy, initiate } from '../support/requests.ts';
import { expectAccessible } from './support/accessibility.ts';
import { calls, clock, detail, notice, openInspector, rows, tab } from './support/inspector.ts';
import { clipboard } from './support/page.ts';
import { clientOver, DEMO_KEY, send, serve } from './support/sandbox.ts';

test('a pending purchase is verified by a button, or expires after 15 minutes', async () => {
  const server = await serve();
  const client = clientOver(server);
  await initiate(client, 'motor');
  const page = await openInspector(server, '?tab=pending');
  await page.getByRole('row', { name: /Bola Ade.*Comprehensive Motor Plan.*₦250,000/ }).waitFor();
  await page.getByRole('button', { name: 'Verify the purchase of Bola Ade' }).click();
  await notice(page, /^Verify returned 200/).waitFor();
  await page.getByRole('heading', { name: 'No pending purchases' }).waitFor();
  const [policy] = client.merchant.records({ family: 'motor' }).data;
  const bought = page.getByText('The purchase is now a policy.');
  await bought.getByRole('button', { name: `Open ${policy?.policy_number}` }).click();
  await page.getByRole('heading', { name: policy?.policy_number as string }).waitFor();
  await tab(page, 'Pending').click();

  const token = await initiate(client, 'motor');
  const purchase = page.getByRole('row').filter({ hasText: `…${token.slice(-6)}` });
  await purchase.getByRole('button', { name: `Copy the token ${token}` }).click();
  expect(await clipboard(page)).toBe(token);
  await purchase.getByText('15:00', { exact: true }).waitFor();

  await page.getByRole('button', { name: '+15 min' }).click();
  await page.getByRole('heading', { name: 'No pending purchases' }).waitFor();
  await notice(page, 'Moved the clock by 15 minutes. 1 pending purchase expired.').waitFor();
  await clock(page).getByText('31 Jan 2026 10:15:00 UTC').waitFor();
  await tab(page, 'Calls').click();
  await page.getByText('Comprehensive motor purchase of Bola Ade expired at 10:15:00').waitFor();
});

test('buttons advance the clock by a day, a month or to a later time', async () => {
  const server = await serve();
  // The demo merchant has covers that end, too.
  const merchant = server.sandbox.createMerchant();
  const policy = await merchant.buy('micro_health');
  const page = await openInspector(server, `?merchant=${merchant.id}`);
  // From 31 January to the last day of February.
  await page.getByRole('button', { name: '+1 month' }).click();
  await clock(page).getByText('28 Feb 2026 10:00:00 UTC').waitFor();
  await notice(page, 'Moved the clock by a month. 1 cover ended.').waitFor();
  const ended = page.getByRole('list', { name: 'Clock moved by a month: what ended' });
  const line = ended.getByRole('listitem').filter({ hasText: policy.policy_no });
  await line.getByText('Micro-health cover ended 28 Feb 2026').waitFor();
  await page.getByRole('button', { name: '+1 day' }).click();
  await clock(page).getByText('1 Mar 2026 10:00:00 UTC').waitFor();
  // Another program advances the clock.
  merchant.clock.advance('PT1H');
  await clock(page).getByText('1 Mar 2026 11:00:00 UTC').waitFor();
  for (const words of ['by a month', 'by a day', 'by 1 h']) {
    await calls(page).getByText(`Clock moved ${words}`, { exact: true }).waitFor();
  }

  const form = page.getByRole('dialog', { name: 'Move the clock to which time?' });
  const moveTo = async (moment: string) => {
    await page.getByRole('button', { name: 'To…' }).click();
    await form.getByLabel('Time (UTC)').fill(moment);
    await form.getByRole('button', { name: 'Move the clock' }).click();
  };
  await moveTo('2026-03-14T08:30:00');
  await clock(page).getByText('14 Mar 2026 08:30:00 UTC').waitFor();
  await moveTo('2026-03-13T08:30:00');
  await form.locator('input:invalid').waitFor();
  const { now } = merchant.clock.show();
  expect(now).toBe('2026-03-14T08:30:00.000Z');
});

test('a move of the clock lists what it ended with its holder, folded, and opens a policy of it', async () => {
  const server = await serve();
  const { policy_no } = await server.sandbox.merchant(DEMO_KEY).buy('micro_health');
  await send(server, 'getMotorQuote');
  const page = await openInspector(server, '', { width: 390 });
  await page.getByRole('button', { name: '+1 month' }).click();
  const told = notice(page, /^Moved the clock by a month. \d covers ended.$/);
  expect((await told.boundingBox())?.height, 'the notice is short').toBeLessThan(60);
  const ended = page.getByRole('list', { name: 'Clock moved by a month: what ended' });
  const lines = ended.getByRole('listitem');
  await ended.getByText(/Ebele Nnadi .* Micro-health cover ended 4 Feb 2026/).waitFor();
  expect(await lines.count()).toBe(4);
  const row = async () => (await rows(page, 'getMotorQuote').boundingBox())?.y ?? Number.NaN;
  const { y = 0, height = 0 } = (await ended.boundingBox()) ?? {};
  expect(await row(), 'the next call stands below').toBeGreaterThanOrEqual(y + height - 1);
  await ended.getByRole('button', { name: /^\d more$/ }).click();
  await ended.getByRole('button', { name: 'Show fewer' }).waitFor();
  expect(await lines.count()).toBeGreaterThan(4);
  await expectAccessible(page, 'what ended');
  await ended.getByRole('button', { name: policy_no }).click();
  const record = page.getByRole('region', { name: 'Selected record' });
  await record.getByRole('heading', { name: policy_no }).waitFor();
});

test('the clock can be set running, ticks, and can be frozen again', async () => {
  const server = await serve();
  const page = await openInspector(server);
  const shown = () => clock(page).getByRole('time').textContent();
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await clock(page).getByText('running').waitFor();
  await expect.poll(shown).not.toBe('31 Jan 2026 10:00:00 UTC');
  await page.getByRole('button', { name: 'Freeze' }).click();
  await clock(page).getByText('frozen').waitFor();
  const { now } = server.sandbox.merchant(DEMO_KEY).clock.show();
  await expect.poll(shown).toContain(now.slice(11, 19));
});

test('records have pages and a search, and open as the merchant API returns them', async () => {
  const server = await serve();
  const page = await openInspector(server);
  await tab(page, 'Records').click();
  const numbers = () => page.getByRole('table').getByRole('button').allTextContents();
  await expect.poll(numbers).toHaveLength(15);
  const first = await numbers();
  await page.getByRole('button', { name: 'Older' }).click();
  await page.getByText(/page 2 of \d/).waitFor();
  await expect.poll(numbers).not.toEqual(first);
  const [older = ''] = await numbers();
  expect(first).not.toContain(older);
  await page.getByRole('button', { name: 'Newer' }).click();
  await expect.poll(numbers).toEqual(first);

  await page.getByLabel('Search by policy number or name').fill(older.slice(2));
  await expect.poll(numbers).toEqual([older]);
  await page.getByRole('table').getByRole('button', { name: older }).click();
  const record = page.getByRole('region', { name: 'Selected record' });
  await record.getByText(`"${older}"`).first().waitFor();
  await page.getByLabel('Search by policy number or name').fill('nothing');
  await page.getByText('No policy number and no name contains nothing.').waitFor();
  expect(server.sandbox.journal(), 'viewing records adds no journal entry').toEqual([]);
});

test('records show whether they are active, by the clock of the World', async () => {
  const server = await serve();
  const merchant = server.sandbox.createMerchant({ now: '2026-01-31T10:00:00Z', mode: 'frozen' });
  await buy(clientOf(server.sandbox, merchant), 'micro_health');
  const page = await openInspector(server, `?merchant=${merchant.id}&tab=records`);
  const row = page.getByRole('row').nth(1);
  await row.getByText('active', { exact: true }).waitFor();
  await page.getByRole('button', { name: '+1 month' }).click();
  await row.getByText('ended', { exact: true }).waitFor();
});

test('a policy begins with what it is about, and is renewed by a real call', async () => {
  const server = await serve();
  const { policy_no } = await server.sandbox.merchant(DEMO_KEY).buy('micro_health');
  const page = await openInspector(server, `?tab=records&record=${policy_no}`);
  const record = page.getByRole('region', { name: 'Selected record' });
  const summary = () => record.locator('.summary > div').allTextContents();
  await expect
    .poll(summary)
    .toEqual([
      'HolderAda Obi',
      'ProductMalaria Care Plan',
      'Coversthe principal and 1 beneficiary',
      'Premium₦700 monthly',
      'Period31 Jan 2026 to 28 Feb 2026 · ends in 28 days',
      'Renewalsnone yet',
    ]);
  await record.getByRole('button', { name: 'Renew for ₦700' }).click();
  await notice(page, /the policy \d+ is renewed\./).waitFor();
  await expect.poll(summary).toContain('Renewals1, the last on 31 Jan 2026');
  expect(await summary()).toContain('Period31 Jan 2026 to 31 Mar 2026 · ends in 59 days');
  const own = record.getByRole('region', { name: 'Calls of this policy' });
  await own.getByRole('button', { name: '200 topUpMicroHealthSubscription' }).waitFor();
  const { request, status } = server.sandbox.journal()[0] ?? {};
  expect({ body: request?.body, status }).toEqual({
    body: { subscription_type: 'monthly', amount: 700, policy_no },
    status: 200,
  });

  const [motor] = server.sandbox.merchant(DEMO_KEY).records({ family: 'motor' }).data;
  await page.goto(
    `${server.url}/_sandbox?merchant=1&tab=records&family=motor&record=${motor?.policy_number}`,
  );
  await record.getByText('Hyundai Tucson LND-905XB for ₦7,200,000').waitFor();
  await record.getByText('₦360,000 monthly').waitFor();
  expect(await record.getByRole('button', { name: /^Renew/ }).count()).toBe(0);
});

test('a policy tells a call whose response was lost, as the list of calls does', async () => {
  const server = await serve();
  const client = clientOver(server);
  const { policy_no } = await buy(client, 'micro_health');
  const renewal = { policy_no, subscription_type: 'monthly', amount: 700 };
  await send(server, 'topUpMicroHealthSubscription', renewal, {
    headers: { 'sandbox-fault': 'after; drop' },
  }).catch(() => {});
  const page = await openInspector(server, `?tab=records&record=${policy_no}`);
  const own = page.getByRole('region', { name: 'Calls of this policy' });
  await own
    .getByRole('button', { name: /^lost topUpMicroHealthSubscription after · drop/ })
    .waitFor();
});

test('products stand with their prices, and each begins a purchase', async () => {
  const server = await serve();
  const page = await openInspector(server, '?tab=records');
  await page.getByRole('button', { name: 'Products' }).click();
  const health = page.getByRole('region', { name: 'Micro-health' });
  await health.getByRole('row', { name: '2 ₦450 ₦1,290 ₦4,900' }).waitFor();
  await page.getByText('5 % of the value of the vehicle').waitFor();
  await health.getByRole('button', { name: 'Buy… Malaria Care Lite' }).click();
  const form = page.getByRole('dialog', { name: 'Buy a policy: Micro-health' });
  await expect
    .poll(() => form.getByRole('textbox', { name: 'Body' }).inputValue())
    .toMatch(/"product_id": 3,.*"amount": 450,/s);
});

/** What the last column of each family says. */
const TYPES: Readonly<Record<string, string>> = {
  micro_health: 'Frequency',
  motor: 'Cover tier',
  group_life: 'Group type',
};

test('tables of policies fit their pane, name their columns, and say the status in every row', async () => {
  const server = await serve();
  for (const width of [1440, 768, 390]) {
    for (const { key } of anyFamilies) {
      const page = await openInspector(server, `?tab=records&family=${key}`, { width });
      await page.getByRole('table').getByRole('button').first().waitFor();
      if (width === 1440) {
        expect(await page.getByRole('columnheader').last().textContent()).toBe(TYPES[key]);
      }
      const { wide, rows, pills } = await page.evaluate(() => {
        const frame = document.querySelector('.table-frame') as HTMLElement;
        return {
          wide: frame.scrollWidth - frame.clientWidth,
          rows: frame.querySelectorAll('tbody tr').length,
          pills: frame.querySelectorAll('.pill').length,
        };
      });
      expect({ key, width, wide, pills }).toEqual({ key, width, wide: 0, pills: rows });
      await page.close();
    }
  }
});

test('a policy shows its fields, and the calls that made it', async () => {
  const server = await serve();
  const client = clientOver(server);
  const { policy_no } = await buy(client, 'micro_health');
  const page = await openInspector(server, `?tab=records&record=${policy_no}`);
  const record = page.getByRole('region', { name: 'Selected record' });
  await record.getByText('subscriptions.subscriptions_type', { exact: true }).waitFor();
  const own = record.getByRole('region', { name: 'Calls of this policy' });
  await expect
    .poll(() => own.getByRole('button').allTextContents())
    .toEqual([
      expect.stringContaining('initiateMicroHealthSubscription'),
      expect.stringContaining('verifyMicroHealthSubscription'),
    ]);
  await own.getByRole('button', { name: /verify/ }).click();
  await detail(page)
    .getByRole('heading', { name: /verifyMicroHealthSubscription/ })
    .waitFor();
});

test('"Buy a policy" sends a real purchase, and shows why one is refused', async () => {
  const server = await serve();
  const { clock, journal, records } = server.sandbox.merchant(DEMO_KEY);
  const page = await openInspector(server, '?tab=records', { allowed: /status of 422/ });
  await page.getByRole('button', { name: 'Comprehensive motor' }).click();
  await page.getByRole('button', { name: 'Buy a policy…' }).click();
  const form = page.getByRole('dialog', { name: 'Buy a policy: Comprehensive motor' });
  const body = form.getByLabel('Body');
  const example = await body.inputValue();
  await body.fill('{}');
  await form.getByRole('button', { name: 'Buy', exact: true }).click();
  await form.getByText('The first_name field is required.').waitFor();
  await body.fill(example);
  await form.getByRole('button', { name: 'Buy', exact: true }).click();
  await notice(page, /^Bought INS/).waitFor();
  const [bought] = records({ family: 'motor' }).data;
  // Its cover begins today, so that it runs.
  expect(bought?.start_date).toBe(clock.show().now.slice(0, 10));
  const record = page.getByRole('region', { name: 'Selected record' });
  await record.getByRole('heading', { name: bought?.policy_number as string }).waitFor();
  expect(journal.list().map(({ operation }) => operation)).toEqual([
    'verifyMotorPolicy',
    'initiateMotorPolicy',
    'initiateMotorPolicy',
  ]);
});

test('a common fault is added with one click, for the family that waits for its verify', async () => {
  const server = await serve();
  const client = clientOver(server);
  const token = await initiate(client, 'group_life');
  const page = await openInspector(server, '?tab=faults');
  await page.getByRole('button', { name: 'Add: Lose the answer of the next verify' }).click();
  await notice(page, /^Added fault-1/).waitFor();
  expect(client.merchant.faults.list()).toMatchObject([
    { match: { operation: 'verifyGroupLifePolicy' }, stage: 'after', effect: { kind: 'drop' } },
  ]);
  await send(server, 'verifyGroupLifePolicy', { token }).catch(() => {});
  await page.getByText('No active faults').waitFor();
  const form = page.getByRole('region', { name: 'Add a fault' });
  await form.getByLabel('Effect').selectOption('delay');
  await form.getByLabel('Milliseconds').fill('50');
  await form.getByText('Sandbox-Fault: before; delay; ms=50').waitFor();
});

test('the form lets time pass before a later call, at the only stage that it can', async () => {
  const server = await serve();
  const client = clientOver(server);
  const page = await openInspector(server, '?tab=faults', { allowed: /status of 422/ });
  const form = page.getByRole('region', { name: 'Add a fault' });
  await form.getByLabel('Stage').selectOption('after');
  await form.getByLabel('Effect').selectOption('advance');
  await form.getByText('Sandbox-Fault: before; advance; by=P1D').waitFor();
  expect(await form.getByLabel('Stage').getByRole('option').count()).toBe(1);
  await form.getByLabel('Duration').fill('soon');
  await form.getByLabel('Skip calls').fill('1');
  await form.getByRole('button', { name: 'Add fault' }).click();
  await form.getByText(/^effect\.by: expected an ISO 8601 duration/).waitFor();
  await form.getByLabel('Duration').fill('PT20M');
  await form.getByRole('button', { name: 'Add fault' }).click();
  const set = page.getByRole('region', { name: 'Active faults' });
  await set.getByText('before · advance PT20M').waitFor();
  await set.getByText(/after 1 call, once/).waitFor();
  const token = await initiate(client, 'motor');
  await set.getByText(/^once/).waitFor();
  expect((await send(server, 'verifyMotorPolicy', { token })).status).toBe(400);
  await page.getByText('No active faults').waitFor();
});

test('a common fault answers with the HTML page of a gateway, which is listed as the text it is', async () => {
  const server = await serve();
  const page = await openInspector(server, '?tab=faults');
  const card = page.getByRole('listitem').filter({ hasText: 'The HTML page of a gateway' });
  await card.getByText('after; respond; status=502').waitFor();
  await page.getByRole('button', { name: 'Add: The HTML page of a gateway' }).click();
  const set = page.getByRole('region', { name: 'Active faults' });
  await set.getByText('<h1>502 Bad Gateway</h1>').waitFor();
  const answer = await send(server, 'listMotorPolicies');
  expect([answer.status, answer.headers.get('content-type')]).toEqual([502, 'text/html']);
  expect(await answer.text()).toContain('<h1>502 Bad Gateway</h1>');
});

test('the whole form is in view at 1440 by 900', async () => {
  const server = await serve();
  const page = await openInspector(server, '?tab=faults');
  await page.setViewportSize({ width: 1440, height: 900 });
  await page.getByText('No active faults').waitFor();
  const button = page.getByRole('button', { name: 'Add fault' });
  const box = await button.boundingBox();
  expect((box?.y ?? 900) + (box?.height ?? 0)).toBeLessThan(900);
});

test('an added fault applies to the next call, and a removed fault no longer applies', async () => {
  const server = await serve();
  const page = await openInspector(server, '?tab=faults');
  await page.getByText('No active faults').waitFor();
  const form = page.getByRole('region', { name: 'Add a fault' });
  await form.getByLabel('Operation').selectOption('getMicroHealthQuote');
  await form.getByLabel('Effect').selectOption('respond');
  await form.getByLabel('Status').fill('503');
  await form.getByLabel('Headers').fill('Retry-After: 3');
  await form.getByRole('textbox', { name: /^Body/ }).fill('{ "busy": true }');
  await form.getByLabel('Times').fill('5');
  await form.getByRole('button', { name: 'Add fault' }).click();
  const set = page.getByRole('region', { name: 'Active faults' });
  await set.getByText('before · respond 503').waitFor();

  const struck = await send(server, 'getMicroHealthQuote');
  expect(struck.status).toBe(503);
  expect(struck.headers.get('retry-after')).toBe('3');
  await tab(page, 'Calls').click();
  await rows(page, '503').click();
  const story = detail(page).getByRole('region', { name: 'Fault' });
  await story.getByText('before · respond').waitFor();

  await tab(page, 'Faults').click();
  await set.getByRole('button', { name: /^Remove fault-/ }).click();
  await page.getByText('No active faults').waitFor();
  expect((await send(server, 'getMicroHealthQuote')).status).toBe(200);
});

test('a downloaded snapshot restores the World after a reset', async () => {
  const server = await serve();
  const client = clientOver(server);
  const { policy_number } = await buy(client, 'motor');
  const page = await openInspector(server, '?tab=world');
  const file = await download(page);

  await page.getByRole('button', { name: 'Reset the World…' }).click();
  const question = page.getByRole('dialog');
  await question.getByRole('button', { name: 'Cancel' }).click();
  expect(client.merchant.journal.list(), 'nothing is reset without confirmation').toHaveLength(2);
  await page.getByRole('button', { name: 'Reset the World…' }).click();
  const release = await holdReads(page);
  await question.getByRole('button', { name: 'Reset', exact: true }).click();
  await notice(page, 'Reset the World.').waitFor();
  expect(await question.count(), 'the question closes before the World is read again').toBe(0);
  release();
  expect(client.merchant.records({ family: 'motor', policy_number }).total).toBe(0);

  await page.getByLabel('Upload…').setInputFiles(file);
  const replaced = page.getByRole('dialog', { name: /^Replace the World of Demo Merchant with / });
  await replaced.getByRole('button', { name: 'Cancel' }).click();
  expect(client.merchant.records({ family: 'motor', policy_number }).total).toBe(0);
  await page.getByLabel('Upload…').setInputFiles(file);
  await replaced.getByRole('button', { name: 'Replace' }).click();
  await notice(page, /^Restored .*\.$/).waitFor();
  expect(client.merchant.records({ family: 'motor', policy_number }).total).toBe(1);
  await tab(page, 'Calls').click();
  await rows(page, 'verifyMotorPolicy').waitFor();
});

test('a refused snapshot lists its errors, and changes nothing', async () => {
  const server = await serve();
  const page = await openInspector(server, '?tab=world', {
    allowed: /status of 4(00|22)/,
  });
  const file = await download(page);
  const snapshot = JSON.parse(readFileSync(file, 'utf8'));
  snapshot.world.values.clock = { at: 'yesterday', mode: 'sideways' };
  writeFileSync(file, JSON.stringify(snapshot));

  const replace = page.getByRole('dialog').getByRole('button', { name: 'Replace' });
  await page.getByLabel('Upload…').setInputFiles(file);
  await replace.click();
  const refusal = page.getByRole('alert').filter({ hasText: 'The snapshot is invalid' });
  const places = refusal.getByText(/world\.values\.clock/);
  await places.first().waitFor();
  writeFileSync(file, 'no JSON');
  await page.getByLabel('Upload…').setInputFiles(file);
  await replace.click();
  await refusal.getByText(/JSON/).first().waitFor();
  expect(server.sandbox.merchant(DEMO_KEY).clock.show().mode).toBe('frozen');
});

/** Holds what the page reads from the control plane until it is released, as a busy machine does. */
async function holdReads(page: Page): Promise<() => void> {
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route('**/_sandbox/**', async (route) => {
    if (route.request().method() === 'GET') await released;
    await route.continue();
  });
  return release;
}

/** Downloads the snapshot of the selected World into a folder that is removed after the test. */
async function download(page: Page): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'snapshot-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [file] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download' }).click(),
  ]);
  const path = join(folder, file.suggestedFilename());
  await file.saveAs(path);
  return path;
}
