import type { AddressInfo } from 'node:net';
import { serve as listen } from '@hono/node-server';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import type { Merchant, SandboxOptions } from '../../src/types/public.ts';
import { START } from '../support/client.ts';
import { openHosted } from '../support/cluster.ts';
import { isLive, openMerchants, rows, shownMerchant, tab } from './support/inspector.ts';
import { openPage } from './support/page.ts';
import { send } from './support/sandbox.ts';

/* The inspector of a hosted sandbox: events of one merchant at a time, and pages of merchants. */

const TOKEN = 'correct-horse';

/** A hosted sandbox on a free port, with a number of merchants. It closes after the test. */
async function host(merchants: number, options: SandboxOptions = { adminToken: TOKEN }) {
  const { worlds, fetch } = openHosted({ now: START, clock: 'frozen', seed: 7, ...options });
  for (let number = 1; number <= merchants; number++) {
    worlds.sandbox.createMerchant({ name: `Shop ${number}` });
  }
  /** Requests for the whole sandbox: paths and queries below `/_sandbox`. */
  const asked: string[] = [];
  const watched = (request: Request) => {
    const [, path] =
      /\/_sandbox\/((?:merchants|events|journal\/all)(?:\?.*)?)$/.exec(request.url) ?? [];
    if (path !== undefined) asked.push(path);
    return fetch(request);
  };
  const server = listen({ fetch: watched, port: 0, hostname: '127.0.0.1' });
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(async () => {
    await worlds.sandbox.close();
    server.close();
  });
  const { port } = server.address() as AddressInfo;
  return { sandbox: worlds.sandbox, asked, url: `http://127.0.0.1:${port}` };
}

async function openInspector(hosted: { url: string }): Promise<Page> {
  const page = await openPage(hosted, '/_sandbox', { allowed: /status of 401/ });
  await page.getByLabel("Admin token or merchant's key").fill(TOKEN);
  await page.getByRole('button', { name: 'Open' }).click();
  await isLive(page);
  return page;
}

test('calls of the selected merchant appear live, also after a switch to another', async () => {
  const hosted = await host(2);
  const [first, second] = hosted.sandbox.merchants() as [Merchant, Merchant];
  const page = await openInspector(hosted);
  await send(hosted, 'getMotorQuote', {}, { key: first.apiKey });
  await rows(page, 'getMotorQuote').waitFor();

  await (await openMerchants(page)).getByRole('link', { name: 'Shop 2' }).click();
  await isLive(page);
  await send(hosted, 'listMotorPolicies', {}, { key: second.apiKey });
  await rows(page, 'listMotorPolicies').waitFor();
  expect(await rows(page).count()).toBe(1);
  await page.goBack();
  await page.goBack();
  await rows(page, 'getMotorQuote').waitFor();
  await isLive(page);
  const ofAll = hosted.asked.filter((path) => /^(events|journal)/.test(path));
  expect(ofAll.filter((path) => !path.includes('merchant='))).toEqual([]);
  expect(ofAll.filter((path) => path.startsWith('events'))).toEqual([
    `events?merchant=${first.id}`,
    `events?merchant=${second.id}`,
    `events?merchant=${first.id}`,
  ]);
});

test('the table loads merchants page by page, and a link opens any of them', async () => {
  const hosted = await host(250);
  const page = await openInspector(hosted);
  const table = await openMerchants(page);
  await table.getByRole('searchbox').fill('Shop 150');
  await table.getByText('No merchant has this name or key.').waitFor();
  await table.getByRole('button', { name: 'Load more merchants' }).click();
  await table.getByRole('link', { name: 'Shop 150' }).waitFor();

  const last = hosted.sandbox.merchants().at(-1) as Merchant;
  await page.goto(`${hosted.url}/_sandbox?merchant=${last.id}`);
  await shownMerchant(page, /^Merchant: Shop 250\./).waitFor();
  await isLive(page);
});

test('faults that break a connection are not offered', async () => {
  const page = await openInspector(await host(1));
  await tab(page, 'Faults').click();
  await page.getByRole('button', { name: 'Add: Broken JSON' }).click();
  await page.getByRole('button', { name: 'Remove fault-1' }).waitFor();
  expect(await page.getByRole('button', { name: /Lose|Half/ }).count()).toBe(0);
});

test('without an admin token, the page says which secret to set', async () => {
  const page = await openPage(await host(1, {}), '/_sandbox', { allowed: /status of 403/ });
  await page.getByText('No admin token is set').getByText('SANDBOX_ADMIN_TOKEN').waitFor();
});
