import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import type { FaultEffect } from '../../src/public.ts';
import { buy, initiate } from '../support/requests.ts';
import { detail, notice, openInspector, rows } from './support/inspector.ts';
import { openPage } from './support/page.ts';
import { clientOver, DEMO_KEY, send, serve } from './support/sandbox.ts';

/* What the pages say of a response that a fault lost. The browser logs the lost connection as an error. */

const allowed = /net::ERR|status of 503/;

const drop: FaultEffect = { kind: 'drop' };

async function serveWith(
  stage: 'before' | 'after',
  effect: FaultEffect,
  operation?: 'verifyMicroHealthSubscription' | 'topUpMicroHealthSubscription',
) {
  const server = await serve();
  const merchant = server.sandbox.merchant(DEMO_KEY);
  merchant.faults.add({ stage, effect, ...(operation && { match: { operation } }) });
  return { server, merchant };
}

async function openBuy(page: Page) {
  await page.getByRole('button', { name: 'Buy a policy…' }).click();
  const form = page.getByRole('dialog', { name: /^Buy a policy/ });
  await form.getByRole('button', { name: 'Buy', exact: true }).click();
  return form;
}

for (const kind of ['drop', 'truncate', 'hang', 'malformed'] as const) {
  test(`"Buy" says that the policy was bought although its response was lost: ${kind}`, async () => {
    const { server, merchant } = await serveWith(
      'after',
      { kind },
      'verifyMicroHealthSubscription',
    );
    const before = merchant.records({ family: 'micro_health' }).total;
    const page = await openInspector(server, '?tab=records', { allowed });
    const form = await openBuy(page);
    const what = kind === 'malformed' ? 'A fault returned broken JSON' : 'No response arrived';
    await notice(page, new RegExp(`^${what}\\. The policy \\d+ was bought\\.$`)).waitFor();
    await detail(page)
      .getByRole('heading', { name: /verifyMicroHealthSubscription/ })
      .waitFor();
    expect(await form.count()).toBe(0);
    expect(merchant.records({ family: 'micro_health' }).total).toBe(before + 1);
  });
}

test('"Buy" says that no policy was bought if the first response was lost, and links to the call', async () => {
  const { server, merchant } = await serveWith('after', drop);
  const page = await openInspector(server, '?tab=records', { allowed });
  const form = await openBuy(page);
  await form.getByText('No response arrived. The policy was not bought.').waitFor();
  await form.getByRole('button', { name: 'Open the call' }).click();
  await detail(page)
    .getByRole('heading', { name: /initiateMicroHealthSubscription/ })
    .waitFor();
  expect(merchant.journal.list()).toHaveLength(1);
});

test('"Buy" says that a fault made the response', async () => {
  const { server } = await serveWith('before', { kind: 'respond', status: 503 });
  const page = await openInspector(server, '?tab=records', { allowed });
  const form = await openBuy(page);
  await form.getByText('A fault returned 503. The policy was not bought.').waitFor();
});

test('a purchase succeeds after a fault that only lets time pass', async () => {
  const { server } = await serveWith('before', { kind: 'advance', by: 'PT1M' });
  const page = await openInspector(server, '?tab=records', { allowed });
  await openBuy(page);
  await notice(page, /^Bought \d+/).waitFor();
});

test('"Renew" says whether the policy was renewed although no response arrived', async () => {
  const { server, merchant } = await serveWith('before', drop, 'topUpMicroHealthSubscription');
  const { policy_no } = await buy(clientOver(server), 'micro_health');
  const page = await openInspector(server, `?tab=records&record=${policy_no}`, { allowed });
  await page.getByRole('button', { name: /^Renew for/ }).click();
  await notice(page, /No response arrived\. The policy was not renewed\./).waitFor();
  await detail(page)
    .getByRole('heading', { name: /topUpMicroHealthSubscription/ })
    .waitFor();

  merchant.faults.add({ stage: 'after', effect: drop });
  await page.goBack();
  await page.getByRole('button', { name: /^Renew for/ }).click();
  const renewed = new RegExp(`No response arrived\\. The policy ${policy_no} was renewed\\.`);
  await notice(page, renewed).waitFor();
});

test('"Verify" says that the policy was bought although no response arrived', async () => {
  const { server } = await serveWith('after', drop, 'verifyMicroHealthSubscription');
  await initiate(clientOver(server), 'micro_health');
  const page = await openInspector(server, '?tab=pending', { allowed });
  await page.getByRole('button', { name: /^Verify/ }).click();
  await notice(page, /No response arrived\. The policy \d+ was bought\./).waitFor();
  await detail(page).getByText('req-1-2').first().waitFor();
});

test('a call that is sent again says that no response arrived, on a connection that was used or not', async () => {
  const { server, merchant } = await serveWith('before', drop);
  await send(server, 'getMotorQuote').catch(() => {});
  const page = await openInspector(server, '', { allowed });
  await rows(page, 'getMotorQuote').click();
  for (const stage of ['before', 'after'] as const) {
    merchant.faults.add({ stage, effect: drop });
    await detail(page).getByRole('button', { name: 'Send again', exact: true }).click();
    const did = stage === 'before' ? 'The operation did not run.' : 'The operation ran.';
    await notice(page, `Sent. No response arrived. ${did}`).waitFor();
  }
  await detail(page).getByText('req-1-3').first().waitFor();
});

test('the front page says what a call did although no response arrived, and links to the call', async () => {
  const { server } = await serveWith('after', drop, 'verifyMicroHealthSubscription');
  const page = await openPage(server, '/', { allowed });
  await page.getByRole('button', { name: 'Run: Buy a policy' }).click();
  await page.getByText(/^No response arrived\. The policy \d+ was bought\./).waitFor();
  await page.getByRole('link', { name: 'Open in the inspector' }).click();
  await page.waitForURL(/\/_sandbox\?call=req-1-2\b/);
});
