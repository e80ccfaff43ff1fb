import { describe, expect, test } from 'vitest';
import { BASE, type Caller, operationOf, readAnswer, requestOf } from '../support/client.ts';
import { type ControlInit, controlRequest, controlRouteOf } from '../support/control.ts';
import { everyAnswer } from '../support/every-answer.ts';
import { buy, familyKeys, initiate } from '../support/requests.ts';
import { ANSWERED_FAULTS, playScript } from '../support/script.ts';
import { startPair } from './support/beside-node.ts';
import { remoteClient } from './support/clients.ts';
import { ADMIN_TOKEN } from './support/engine.ts';

/* What Node's server answers is answered here to the byte. Each test uses Worlds of its own. */

const pair = await startPair();
const { same } = pair;

/** Mints a merchant in both. */
async function mintBoth(wanted: object = {}) {
  const { text } = await asAdmin('createMerchant', { body: wanted });
  const { id, api_key: key } = JSON.parse(text);
  return { id, key };
}

const ask = (operationId: string, init: ControlInit) =>
  same(controlRequest(controlRouteOf(operationId), init));
/** What both answered, as a response. */
async function heard(request: Request): Promise<Response> {
  const { status, headers, text } = await same(request);
  return new Response(text, { status, headers });
}
const asAdmin = (operationId: string, init: ControlInit = {}) =>
  ask(operationId, { key: ADMIN_TOKEN, ...init });

describe('the merchant API', () => {
  test('answers each call, and refuses it for each reason there is', async () => {
    const [one = [], other = []] = await Promise.all(
      [pair.node, pair.engine].map((each) => everyAnswer(remoteClient(each, 1, 'sk_sandbox_demo'))),
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

  test('answers a program of 300 mixed requests, faults and jumps of the clock among them', async () => {
    const { key } = await mintBoth({ records: 'demo' });
    await playScript(heard, key, 300, 1, ANSWERED_FAULTS);
  });
});

describe('the control plane over one World', () => {
  test('answers each call, and refuses what it must', async () => {
    const { key } = await mintBoth({ records: 'demo' });
    const over = (operationId: string, init: ControlInit = {}) =>
      ask(operationId, { key, ...init });
    const client: Caller = {
      call: async (operationId, input) =>
        readAnswer(await heard(requestOf(operationOf(operationId), BASE, key, input))),
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
    await over('getJournalEntry', { id: 'req-3-1' });
    await over('getJournalEntry', { id: 'req-0-0' });
    await over('awaitJournal', { body: { operation: 'initiateMotorPolicy' } });
    await over('awaitJournal', { body: { operation: 'verifyMotorPolicy', timeout: 'PT0.1S' } });
    for (const family of familyKeys) await over('listRecords', { query: { family, per_page: 2 } });
    await over('listAssumptions');

    const { text } = await over('getSnapshot');
    await over('clearJournal');
    await over('resetWorld');
    await over('putSnapshot', { raw: text });
    await over('getSnapshot');
    await over('putSnapshot', { body: { version: 1, world: {} } });
    await over('putSnapshot', { raw: '{' });
    await over('getClock', { key: 'nobody' });
    await over('addFault', { raw: `{"a":"${'x'.repeat(1024 * 1024)}"}` });
    await over('addFault', { raw: '{}', headers: { 'content-type': 'text/plain' } });
    for (const path of ['/clock', '/nothing', '/clock/']) {
      const headers = { authorization: `Bearer ${key}` };
      await same(new Request(`${BASE}/_sandbox${path}`, { method: 'PATCH', headers }));
    }
  });
});

describe('the control plane over the sandbox', () => {
  test('answers each call, and refuses what it must', async () => {
    const { id, key } = await mintBoth({ name: 'Worker 3', seed: 5, mode: 'frozen' });
    await asAdmin('createMerchant', { raw: '' });
    await asAdmin('createMerchant', { body: { seed: -1 } });
    await asAdmin('createMerchant', { body: { records: 'demo', now: '2001-01-01T00:00:00Z' } });
    await asAdmin('listMerchants');
    await asAdmin('listMerchants', { query: { page: 1 } });
    await asAdmin('listMerchants', { query: { page: 7 } });
    await asAdmin('listMerchants', { query: { page: 0 } });
    const rotated = JSON.parse((await asAdmin('rotateKey', { id })).text);
    await ask('getClock', { key });
    await ask('getClock', { key: rotated.api_key });
    await asAdmin('rotateKey', { id: 99 });
    await asAdmin('listSandboxJournal', { query: { merchant: id } });
    await asAdmin('listSandboxJournal', { query: { merchant: 99 } });
    await asAdmin('streamEvents', { query: { merchant: 99 } });
    await asAdmin('removeMerchant', { id });
    await asAdmin('removeMerchant', { id });
    await ask('getClock', { key: rotated.api_key });
    await asAdmin('resetAll');
    for (const path of ['/%5Fsandbox/merchants', '/_sandbox/merchants/', '//_sandbox/merchants']) {
      const headers = { authorization: `Bearer ${ADMIN_TOKEN}` };
      for (const method of ['GET', 'POST'])
        await same(new Request(BASE + path, { method, headers }));
    }
    for (const token of [undefined, 'wrong', key]) {
      await ask('listMerchants', token === undefined ? {} : { key: token });
    }
  });
});

describe('documents and pages', () => {
  const pages = ['/', '/_sandbox', '/docs', '/docs/control'];
  const paths = [
    '/openapi.json',
    '/openapi-3.0.json',
    '/_sandbox/openapi.json',
    '/livez',
    '/readyz',
  ];
  const requestTo = (path: string, init?: RequestInit) => new Request(BASE + path, init);

  test.each(paths)('%s', async (path) => {
    expect((await same(requestTo(path))).status).toBe(200);
    await same(requestTo(path, { method: 'HEAD' }));
    await same(requestTo(path, { method: 'POST' }));
    await same(requestTo(`${path}/`));
  });

  test.each(pages)('%s with all that it loads', async (path) => {
    const { status, text } = await same(requestTo(path, { headers: { accept: 'text/html' } }));
    expect(status).toBe(200);
    const loaded = [...text.matchAll(/(?:src|href)="(\/[^"#?]+)"/g)].map(([, found]) => found);
    for (const found of new Set(loaded)) await same(requestTo(found as string));
    expect(loaded.length).toBeGreaterThan(1);
    await same(requestTo(path, { headers: { accept: 'application/json' } }));
    await same(requestTo(path, { method: 'HEAD' }));
    await same(requestTo(path, { method: 'POST' }));
  });
});
