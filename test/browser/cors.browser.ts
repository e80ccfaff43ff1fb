import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import type { SandboxServer } from '../../src/node/index.ts';
import { exampleOf } from '../support/requests.ts';
import { openPage } from './support/page.ts';
import { DEMO_KEY, serve } from './support/sandbox.ts';

/** A shop of another origin than the sandbox, whose one page calls nobody by itself. */
async function openShop(): Promise<{ url: string }> {
  const shop = createServer((_, response) => {
    response.setHeader('content-type', 'text/html');
    response.end(
      '<!doctype html><html lang="en"><link rel="icon" href="data:,"><title>Shop</title>',
    );
  }).listen(0, '127.0.0.1');
  await once(shop, 'listening');
  onTestFinished(() => {
    shop.closeAllConnections();
    shop.close();
  });
  return { url: `http://localhost:${(shop.address() as AddressInfo).port}` };
}

interface Call {
  readonly path: string;
  readonly key?: string;
  readonly body?: unknown;
  readonly headers?: Record<string, string>;
}

/** What a page reads of a call that it makes by itself; the error's name where the browser lets it read nothing. */
const callFrom = (page: Page, { url }: Pick<SandboxServer, 'url'>, call: Call) =>
  page.evaluate(
    async ({ address, key, body, headers }) => {
      try {
        const response = await fetch(address, {
          method: body === undefined ? 'GET' : 'POST',
          headers: {
            ...(key !== undefined && { authorization: `Bearer ${key}` }),
            ...(body !== undefined && { 'content-type': 'application/json' }),
            ...headers,
          },
          ...(body !== undefined && { body: JSON.stringify(body) }),
        });
        return {
          status: response.status,
          body: await response.json(),
          headers: Object.fromEntries(response.headers) as Record<string, string>,
        };
      } catch (error) {
        return { status: (error as Error).name, body: null, headers: {} as Record<string, string> };
      }
    },
    { ...call, address: url + call.path },
  );

const INITIATE = '/api/merchant/micro_health/initiate';
const VERIFY = '/api/merchant/micro_health/verify';
const LIST = '/api/merchant/micro_health/all_subscriptions';
const REFUSED_BY_BROWSER = /blocked by CORS policy|net::ERR_FAILED|status of (40\d|503)/;

async function openShopBeside(options: Parameters<typeof serve>[0]) {
  const shop = await openShop();
  const server = await serve({ ...options, ...(options?.cors === 'shop' && { cors: shop.url }) });
  const page = await openPage(shop, '/', { beside: server.url, allowed: REFUSED_BY_BROWSER });
  return { server, page, merchant: server.sandbox.merchant(DEMO_KEY) };
}

test('a page of the origin buys a policy, and reads the request id of each call', async () => {
  const { server, page, merchant } = await openShopBeside({ cors: 'shop' });
  const key = DEMO_KEY;
  const body = exampleOf('initiateMicroHealthSubscription');
  const initiated = await callFrom(page, server, { path: INITIATE, key, body });
  expect(initiated.status).toBe(200);
  const { token } = initiated.body.data;
  const verified = await callFrom(page, server, { path: VERIFY, key, body: { token } });
  expect(verified.body.data.policy_no).toMatch(/^\d{10}$/);
  expect(verified.headers).toMatchObject({
    'sandbox-request-id': merchant.journal.list({ limit: 1 })[0]?.id,
    'sandbox-assumptions': expect.stringContaining('-'),
  });
  // The two calls, and not what the browser asked before them.
  expect(server.sandbox.journal().map(({ method }) => method)).toEqual(['POST', 'POST']);
});

test('it reads why it was refused: a wrong key, a fault that it asked for, a path that there is not', async () => {
  const { server, page } = await openShopBeside({ cors: 'shop' });
  const stranger = await callFrom(page, server, { path: LIST, key: 'nobody' });
  expect(stranger.status).toBe(401);
  expect(stranger.body.data.error).toEqual(['Unauthenticated.']);
  const headers = { 'sandbox-fault': 'before; respond; status=503' };
  const broken = await callFrom(page, server, { path: LIST, key: DEMO_KEY, headers });
  expect(broken.status).toBe(503);
  expect(broken.headers['sandbox-fault']).toBe('before; respond; status=503');
  const lost = await callFrom(page, server, { path: '/api/merchant/nowhere', key: DEMO_KEY });
  expect(lost.status).toBe(404);
});

test.each([
  ['no origin is named', {}],
  ['another origin is', { cors: 'https://shop.example' }],
])('a page can read nothing where %s, and its call is never made', async (_what, options) => {
  const { server, page } = await openShopBeside(options);
  const body = exampleOf('initiateMicroHealthSubscription');
  const answer = await callFrom(page, server, { path: INITIATE, key: DEMO_KEY, body });
  expect(answer.status).toBe('TypeError');
  expect(server.sandbox.merchant(DEMO_KEY).journal.list()).toEqual([]);
});
