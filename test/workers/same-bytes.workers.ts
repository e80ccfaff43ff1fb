import { afterAll, describe, expect, test } from 'vitest';
import { startSandbox } from '../../src/node.ts';
import { BASE, type Caller, operationOf, readAnswer, requestOf, START } from '../support/client.ts';
import { type ControlInit, controlRequest, controlRouteOf } from '../support/control.ts';
import { amountOf } from '../support/depth.ts';
import { everyAnswer } from '../support/every-answer.ts';
import { buy, familyKeys, initiate } from '../support/requests.ts';
import { ANSWERED_FAULTS, playScript } from '../support/script.ts';
import { remoteClient } from './support/clients.ts';
import { ADMIN_TOKEN, send, startEngine } from './support/engine.ts';

/* The Worker returns the same bytes as Node's server. Each test uses its own Worlds. */

const engine = await startEngine({ SANDBOX_DEMO: '1' });
const server = await startSandbox({
  port: 0,
  now: START,
  clock: 'frozen',
  seed: 7,
  publicUrl: BASE,
  adminToken: ADMIN_TOKEN,
});
afterAll(() => server.close());
const node = { fetch: (request: Request) => send(request, server.url) };

/** Sends a request to both, expects equal responses, and returns the response. */
async function same(request: Request): Promise<Response> {
  const [one, other] = await Promise.all([
    node.fetch(request.clone()).then(hear),
    engine.fetch(request).then(hear),
  ]);
  expect(other, `${request.method} ${request.url}`).toEqual(one);
  const { status, headers, text } = one;
  return new Response(text || null, { status, headers });
}

/** Headers that only concern the connection. */
const TRANSPORT = ['connection', 'content-length', 'date', 'keep-alive', 'transfer-encoding'];

/** An option is a variable of a deployment, and a flag of the command. */
const [VARIABLE, FLAG] = ['SANDBOX_AUTO_MERCHANTS=1', '--auto-merchants'];

/** The parts of a response that must be equal on both servers. */
async function hear(response: Response) {
  const headers = Object.fromEntries(response.headers);
  for (const name of TRANSPORT) delete headers[name];
  const { 'sandbox-hint': hint } = headers;
  if (hint) headers['sandbox-hint'] = hint.replace(VARIABLE, FLAG);
  const text = (await response.text())
    // Addresses in pages may break at these places.
    .replaceAll('<wbr/>', '')
    .replaceAll(new URL(response.url).origin, BASE)
    // Real milliseconds differ.
    .replaceAll(/"elapsed_ms":(?:[\d.]+|null)/g, '"elapsed_ms":0')
    .replaceAll(/"received_at":(?:"[^"]*"|null)/g, '"received_at":null')
    // Each transport adds its own headers to the requests in the journal.
    .replaceAll(/("request":\{"headers":)\{[^{}]*\}/g, '$1{}')
    .replaceAll(VARIABLE, FLAG)
    // The inspector's page contains the kind of its sandbox, and offers the faults that it can have.
    .replaceAll(/(&quot;(?:isSpread|breaksConnections)&quot;:)(?:true|false)/g, '$1')
    .replaceAll(/(&quot;faultPresets&quot;:)\[.*?\]/g, '$1');
  return { status: response.status, headers, text };
}

const ask = (operationId: string, init: ControlInit = {}) =>
  same(controlRequest(controlRouteOf(operationId), init));
const asAdmin = (operationId: string, init: ControlInit = {}) =>
  ask(operationId, { key: ADMIN_TOKEN, ...init });

/** Creates the same merchant in both. */
async function mintBoth(wanted: object = {}) {
  const { body } = await readAnswer(await asAdmin('createMerchant', { body: wanted }));
  return { id: body.id as number, key: body.api_key as string };
}

describe('the merchant API', () => {
  test('returns the same for every operation and every refusal', async () => {
    const [one = [], other = []] = await Promise.all(
      [node, engine].map((each) => everyAnswer(remoteClient(each, 1, 'sk_sandbox_demo'))),
    );
    expect(one.length).toBeGreaterThan(100);
    for (const [place, { operationId, refused, answer }] of one.entries()) {
      const twin = other[place]?.answer;
      const what = `${operationId} ${refused}`;
      expect(twin?.text, what).toBe(answer.text);
      for (const name of ['content-type', 'sandbox-assumptions', 'allow', 'www-authenticate']) {
        expect(twin?.headers.get(name), what).toBe(answer.headers.get(name));
      }
    }
  });

  test('returns the same for a script of mixed requests, faults and clock jumps', async () => {
    const { key } = await mintBoth({ records: 'demo' });
    await playScript(same, key, amountOf({ sample: 120, ci: 300, all: 1000 }), 1, ANSWERED_FAULTS);
  });
});

describe('the control plane', () => {
  test('returns the same for operations on one World, refusals included', async () => {
    const { id, key } = await mintBoth({ records: 'demo' });
    const over = (operationId: string, init: ControlInit = {}) =>
      ask(operationId, { key, ...init });
    const client: Caller = {
      call: async (operationId, input) =>
        readAnswer(await same(requestOf(operationOf(operationId), BASE, key, input))),
    };

    await over('getClock');
    await over('setClock', { body: { now: '2026-02-01T00:00:00Z' } });
    await over('setClock', { body: { now: '2026-01-01T00:00:00Z' } });
    await over('setClock', { body: { mode: 'walking' } });
    const token = await initiate(client, 'motor');
    await initiate(client, 'group_life');
    await buy(client, 'micro_health');
    await over('listPurchases');
    await over('advanceClock', { body: { by: 'PT15M' } });
    await over('advanceClock', { body: { to: '2026-03-01T00:00:00Z' } });
    await over('advanceClock', { body: { by: '-PT1S' } });

    await over('addFault', { body: { stage: 'after', effect: { kind: 'respond', status: 503 } } });
    await over('addFault', { body: { stage: 'after', effect: { kind: 'nap' } } });
    await over('addFault', { body: { stage: 'before', effect: { kind: 'malformed' }, times: 2 } });
    await over('listFaults');
    await over('removeFault', { id: 'fault-1' });
    await over('removeFault', { id: 'fault-1' });
    await client.call('listMotorPolicies').catch(() => {});
    await over('clearFaults');

    await over('listJournal', { query: { limit: 3 } });
    await over('listJournal', { query: { token } });
    await over('listJournal', { query: { operation: 'initiateMotor' } });
    await over('getJournalEntry', { id: `req-${id}-1` });
    await over('getJournalEntry', { id: 'req-0-0' });
    await over('sendJournalEntry', { id: `req-${id}-1` });
    await over('awaitJournal', { body: { operation: 'initiateMotorPolicy' } });
    await over('awaitJournal', { body: { operation: 'verifyMotorPolicy', timeout: 'PT0.1S' } });
    for (const family of familyKeys) await over('listRecords', { query: { family, per_page: 2 } });
    await over('listAssumptions');

    const raw = await (await over('getSnapshot')).text();
    await over('clearJournal');
    await over('resetWorld');
    await over('putSnapshot', { raw });
    await over('getSnapshot');
    await over('putSnapshot', { body: { version: 1, world: {} } });
    await over('putSnapshot', { body: { version: 2, world: {} } });
    await over('putSnapshot', { raw: '{' });
    await over('getClock', { key: 'nobody' });
    await over('addFault', { raw: `{"a":"${'x'.repeat(1024 * 1024)}"}` });
    await over('addFault', { raw: '{}', headers: { 'content-type': 'text/plain' } });
    for (const path of ['/clock', '/nothing', '/clock/']) {
      const headers = { authorization: `Bearer ${key}` };
      await same(new Request(`${BASE}/_sandbox${path}`, { method: 'PATCH', headers }));
    }
  });

  test('returns the same for operations on the whole sandbox, refusals included', async () => {
    const { id, key } = await mintBoth({ name: 'Worker 3', seed: 5, mode: 'frozen' });
    await asAdmin('createMerchant', { raw: '' });
    await asAdmin('createMerchant', { body: { seed: -1 } });
    await asAdmin('createMerchant', { body: { records: 'demo', now: '2001-01-01T00:00:00Z' } });
    await asAdmin('listMerchants');
    for (const page of [1, 7, 0]) await asAdmin('listMerchants', { query: { page } });
    const { body: rotated } = await readAnswer(await asAdmin('rotateKey', { id }));
    await ask('getClock', { key });
    await ask('getClock', { key: rotated.api_key });
    await asAdmin('rotateKey', { id: 99 });
    for (const merchant of [id, 99]) await asAdmin('listSandboxJournal', { query: { merchant } });
    await asAdmin('streamEvents', { query: { merchant: 99 } });
    await asAdmin('removeMerchant', { id });
    await asAdmin('removeMerchant', { id });
    await ask('getClock', { key: rotated.api_key });
    await asAdmin('resetAll');
    for (const path of ['/%5Fsandbox/merchants', '/_sandbox/merchants/', '//_sandbox/merchants']) {
      const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
      for (const method of ['GET', 'POST']) {
        await same(new Request(BASE + path, { method, headers }));
      }
    }
    await ask('listMerchants');
    for (const token of ['wrong', key]) await ask('listMerchants', { key: token });
  });
});

test.each([
  ...[
    '/openapi.json',
    '/openapi-3.0.json',
    '/_sandbox/openapi.json',
    '/_sandbox/openapi-3.0.json',
    '/livez',
    '/readyz',
  ],
  ...['/', '/_sandbox', '/docs', '/docs/control', '/docs/assumptions'],
])('%s is the same, with everything it loads', async (path) => {
  const requestTo = (accept: string, method = 'GET') =>
    new Request(BASE + path, { method, headers: { accept } });
  const page = await same(requestTo('text/html'));
  expect(page.status).toBe(200);
  const loaded = (await page.text()).matchAll(/(?:src|href)="(\/[^"#?]+)"/g);
  const paths = new Set(Array.from(loaded, ([, found]) => found));
  // It lists fault effects, and a Worker lacks those that break connections (test/llms.test.ts).
  paths.delete('/llms.txt');
  for (const found of paths) {
    await same(new Request(`${BASE}${found}`));
  }
  await same(requestTo('application/json'));
  for (const method of ['HEAD', 'POST']) await same(requestTo('text/html', method));
});
