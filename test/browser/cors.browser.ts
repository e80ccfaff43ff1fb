import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Page } from 'playwright-core';
import { expect, onTestFinished, test } from 'vitest';
import { exampleOf } from '../support/requests.ts';
import { openPage } from './support/page.ts';
import { DEMO_KEY, serve } from './support/sandbox.ts';

/** A shop on another origin than the sandbox, with a page that sends no requests by itself. */
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
  readonly method?: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}

/** Sends a request from a page. Returns the response, or the error if the browser blocks it. */
const callFrom = (page: Page, address: string, call: Call) =>
  page.evaluate(
    async ([address, call]) => {
      try {
        const response = await fetch(address, call);
        const headers = Object.fromEntries(response.headers) as Record<string, string>;
        return { status: response.status, body: await response.json(), headers };
      } catch (error) {
        return { status: (error as Error).name, body: null };
      }
    },
    [address, call] as const,
  );

const headers = { authorization: `Bearer ${DEMO_KEY}`, 'content-type': 'application/json' };
const postOf = (body: object) => ({ method: 'POST', headers, body: JSON.stringify(body) });

const INITIATE = '/api/merchant/micro_health/initiate';
const VERIFY = '/api/merchant/micro_health/verify';
const LIST = '/api/merchant/micro_health/all_subscriptions';
const allowed = /blocked by CORS policy|net::ERR_FAILED|status of (40\d|503)/;

test('a page of the allowed origin buys a policy, and reads request ids and refusals', async () => {
  const shop = await openShop();
  const { url, sandbox } = await serve({ cors: shop.url });
  const page = await openPage(shop, '/', { beside: url, allowed });
  const initiate = postOf(exampleOf('initiateMicroHealthSubscription'));
  const { body } = await callFrom(page, url + INITIATE, initiate);
  const verified = await callFrom(page, url + VERIFY, postOf({ token: body.data.token }));
  expect(verified.body.data.policy_no).toMatch(/^\d{10}$/);
  // The two requests, without the browser's preflight requests.
  const [last, ...others] = sandbox.journal();
  expect([last, ...others].map((call) => call?.method)).toEqual(['POST', 'POST']);
  expect(verified.headers).toMatchObject({
    'sandbox-request-id': last?.id,
    'sandbox-assumptions': expect.stringContaining('-'),
  });

  const nobody = { headers: { authorization: 'Bearer nobody' } };
  expect((await callFrom(page, url + LIST, nobody)).body.data.error).toEqual(['Unauthenticated.']);
  const fault = 'before; respond; status=503';
  const broken = await callFrom(page, url + LIST, {
    headers: { ...headers, 'sandbox-fault': fault },
  });
  expect([broken.status, broken.headers?.['sandbox-fault']]).toEqual([503, fault]);
  expect((await callFrom(page, `${url}/api/merchant/none`, { headers })).status).toBe(404);
});

test('a lost response stays lost: the browser does not send the request again', async () => {
  const shop = await openShop();
  const { url, sandbox } = await serve({ cors: shop.url });
  const page = await openPage(shop, '/', { beside: url, allowed: /net::ERR_/ });
  const { body } = await callFrom(
    page,
    url + INITIATE,
    postOf(exampleOf('initiateMicroHealthSubscription')),
  );
  sandbox.merchant(DEMO_KEY).faults.add({ stage: 'after', effect: { kind: 'drop' }, times: 9 });
  const lost = await callFrom(page, url + VERIFY, postOf({ token: body.data.token }));
  expect(lost.status).toBe('TypeError');
  const verifies = sandbox.journal({ operation: 'verifyMicroHealthSubscription' });
  expect(verifies.map(({ status }) => status)).toEqual([200]);
});

test.each([
  ['no origin is allowed', {}],
  ['another origin is allowed', { cors: 'https://shop.example' }],
])('if %s, the browser blocks the request of a page before it is sent', async (_what, options) => {
  const { url, sandbox } = await serve(options);
  const page = await openPage(await openShop(), '/', { beside: url, allowed });
  const initiate = postOf(exampleOf('initiateMicroHealthSubscription'));
  expect((await callFrom(page, url + INITIATE, initiate)).status).toBe('TypeError');
  expect((await callFrom(page, url + LIST, { headers: {} })).status).toBe('TypeError');
  expect((await callFrom(page, `${url}/openapi.json`, { headers: {} })).status).toBe('TypeError');
  expect(sandbox.journal()).toEqual([]);
});

test('pages of two allowed origins buy a policy and read the document', async () => {
  const shops = [await openShop(), await openShop()];
  const { url, sandbox } = await serve({ cors: shops.map((shop) => shop.url) });
  for (const shop of shops) {
    const page = await openPage(shop, '/', { beside: url, allowed });
    const initiate = postOf(exampleOf('initiateMicroHealthSubscription'));
    expect((await callFrom(page, url + INITIATE, initiate)).status).toBe(200);
    const document = await callFrom(page, `${url}/openapi.json`, { headers: {} });
    expect([document.status, document.body.openapi]).toEqual([200, '3.1.0']);
  }
  expect(sandbox.journal().map(({ status }) => status)).toEqual([200, 200]);
});
