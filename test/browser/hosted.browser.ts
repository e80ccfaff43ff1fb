import type { AddressInfo } from 'node:net';
import { serve as listen } from '@hono/node-server';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import type { Merchant, SandboxOptions } from '../../src/public.ts';
import { START } from '../support/client.ts';
import { type HostedSandbox, openHosted } from '../support/cluster.ts';
import { isLive, notice, rows, tab } from './support/inspector.ts';
import { openPage } from './support/page.ts';
import { send } from './support/sandbox.ts';

/* The inspector of a sandbox whose Worlds are spread: events of one merchant at a time, merchants in pages. */

const TOKEN = 'correct-horse';

interface Hosted extends Pick<HostedSandbox, 'worlds'> {
  readonly url: string;
  /** What was asked of the sandbox as a whole: paths and queries below `/_sandbox`. */
  readonly asked: string[];
}

/** A hosted sandbox on a free port, with as many merchants; it ends with its test. */
async function host(
  merchants: number,
  options: SandboxOptions = { adminToken: TOKEN },
): Promise<Hosted> {
  const settings = { now: START, clock: 'frozen', seed: 7, ...options } as const;
  const { worlds, fetch } = openHosted(settings);
  for (let number = 1; number <= merchants; number++) {
    worlds.sandbox.createMerchant({ name: `Shop ${number}` });
  }
  const asked: string[] = [];
  const watched = (request: Request) => {
    const { pathname, search } = new URL(request.url);
    if (/^\/_sandbox\/(merchants|events|journal\/all)$/.test(pathname)) {
      asked.push(`${pathname.slice('/_sandbox/'.length)}${search}`);
    }
    return fetch(request);
  };
  const server = await new Promise<ReturnType<typeof listen>>((resolve) => {
    const started = listen({ fetch: watched, port: 0, hostname: '127.0.0.1' }, () =>
      resolve(started),
    );
  });
  onTestFinished(async () => {
    await worlds.sandbox.close();
    server.close();
  });
  return { worlds, asked, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` };
}

async function openInspector(hosted: Hosted, query = '', allowed?: RegExp): Promise<Page> {
  const told = allowed ? `|${allowed.source}` : '';
  const page = await openPage(hosted, `/_sandbox${query}`, {
    allowed: new RegExp(`status of 401${told}`),
  });
  await page.getByLabel('Admin token').fill(TOKEN);
  await page.getByRole('button', { name: 'Open' }).click();
  await isLive(page);
  return page;
}

const openMenu = async (page: Page) => {
  await page.getByRole('button', { name: /^Merchant: / }).click();
  return page.getByRole('dialog', { name: 'Merchants' });
};

test('the calls of the merchant that is looked at come as they are made, and then those of another', async () => {
  const hosted = await host(2);
  const [first, second] = hosted.worlds.sandbox.merchants() as [Merchant, Merchant];
  const page = await openInspector(hosted);
  await send(hosted, 'getMotorQuote', {}, { key: first.apiKey });
  await rows(page, 'getMotorQuote').waitFor();

  const menu = await openMenu(page);
  await menu.getByRole('option', { name: 'Shop 2' }).click();
  await isLive(page);
  await send(hosted, 'listMotorPolicies', {}, { key: second.apiKey });
  await rows(page, 'listMotorPolicies').waitFor();
  expect(await rows(page).count()).toBe(1);
  await page.goBack();
  await rows(page, 'getMotorQuote').waitFor();
  await isLive(page);
  expect(hosted.asked.filter((path) => path.startsWith('events'))).toEqual([
    `events?merchant=${first.id}`,
    `events?merchant=${second.id}`,
    `events?merchant=${first.id}`,
  ]);
  expect(hosted.asked.filter((path) => /^(events|journal\/all)(?!.*merchant=)/.test(path))).toEqual(
    [],
  );
});

test('of many merchants the first page is read, the next ones by a button, and any by its id', async () => {
  const hosted = await host(250);
  const page = await openInspector(hosted);
  const menu = await openMenu(page);
  const search = menu.getByRole('combobox');
  await search.fill('Shop 150');
  await menu.getByText('None of those that were read has that in its name, id or key.').waitFor();
  await menu.getByText('The first 100 merchants were read.').waitFor();
  await menu.getByRole('button', { name: 'Read 100 more' }).click();
  await menu.getByRole('option', { name: 'Shop 150' }).waitFor();
  await menu.getByText('The first 200 merchants were read.').waitFor();

  const last = hosted.worlds.sandbox.merchants().at(-1) as Merchant;
  await search.fill(String(last.id));
  await menu.getByRole('option', { name: `Go to merchant ${last.id}` }).waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: /^Merchant: Shop 250\./ }).waitFor();
  await isLive(page);
  const lists = hosted.asked.filter((path) => path.startsWith('merchants'));
  expect(lists.slice(-3)).toEqual(['merchants?page=1', 'merchants?page=2', 'merchants?page=3']);

  await openMenu(page);
  await menu.getByRole('button', { name: 'Read 100 more' }).click();
  await menu.getByText(/^All merchants were read\./).waitFor();
  hosted.worlds.sandbox.createMerchant({ name: 'Latecomer' });
  await menu.getByRole('button', { name: 'Read again' }).click();
  await search.fill('late');
  await menu.getByRole('option', { name: 'Latecomer' }).waitFor();
});

test('faults that break a connection are not offered, and it is said that they are not', async () => {
  const hosted = await host(1);
  const page = await openInspector(hosted);
  await tab(page, 'Faults').click();
  const effects = page.getByLabel('Effect').getByRole('option');
  expect(await effects.allTextContents()).toEqual([
    'respond: another answer',
    'delay: the answer comes later',
    'malformed: broken JSON',
    'hang: no answer at all',
  ]);
  await page.getByText('this sandbox has no connections to break').waitFor();
  await page.getByRole('button', { name: 'Add the fault' }).click();
  await notice(page, 'fault-1 is set.').waitFor();
});

test('without an admin token it is said that nobody may look, and what to set', async () => {
  const hosted = await host(1, {});
  const page = await openPage(hosted, '/_sandbox', { allowed: /status of 403/ });
  await page.getByRole('heading', { name: /shows its merchants to nobody yet/ }).waitFor();
  await page.getByText('set the secret SANDBOX_ADMIN_TOKEN').waitFor();
});
