import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { SandboxEntry } from '../../src/control/journal-all.ts';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { startSandbox } from '../../src/node/index.ts';
import { BASE, createClient, START } from '../support/client.ts';
import { control } from '../support/control.ts';
import { type EventReader, readEvents } from '../support/events.ts';
import { buy, initiate } from '../support/requests.ts';
import { ownTimers } from '../support/timers.ts';

/** Watches a sandbox from now on, until the test is over. */
async function watch(
  sandbox: Pick<Sandbox, 'fetch'>,
  query = '',
  headers: Record<string, string> = {},
): Promise<EventReader> {
  const url = `${BASE}/_sandbox/events${query}`;
  const response = await sandbox.fetch(new Request(url, { headers }));
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const events = readEvents(response);
  onTestFinished(() => events.cancel());
  return events;
}

test('every call of every merchant comes as it is answered, those without a valid key too', async () => {
  const client = createClient();
  const events = await watch(client.sandbox);
  await client.call('getMotorQuote', { product_id: 0 });
  await client.call('getMotorQuote', {}, { headers: { authorization: 'Bearer nobody' } });
  const [refused, unknown] = await events.take(2);
  expect(refused).toMatchObject({
    event: 'entry',
    data: { status: 422, operation: 'getMotorQuote', merchant: { id: 3, name: 'Merchant 3' } },
  });
  expect(unknown).toMatchObject({
    event: 'entry',
    data: { id: 'req-0-1', status: 401, merchant: null, request: { body: null } },
  });
  expect(unknown?.id).toBeGreaterThan(refused?.id ?? 0);
  expect([refused?.data, unknown?.data].reverse()).toEqual(client.sandbox.journal());
  expect(SandboxEntry.parse(refused?.data)).toEqual(refused?.data);
});

test('a call whose answer is lost comes as well', async () => {
  const client = createClient();
  const events = await watch(client.sandbox);
  const headers = { 'sandbox-fault': 'after; drop' };
  await expect(client.call('listMotorPolicies', {}, { headers })).rejects.toThrow(TypeError);
  const [lost] = await events.take(1);
  expect(lost?.data).toMatchObject({ fault: { effect: { kind: 'drop' } } });
  expect(lost?.data).toEqual(client.sandbox.journal()[0]);
});

test('a World that the control plane changed comes with its clock', async () => {
  const { sandbox, merchant } = createClient();
  const events = await watch(sandbox);
  merchant.clock.advance('PT15M');
  merchant.faults.add({ stage: 'after', effect: { kind: 'drop' } });
  merchant.restore(merchant.snapshot());
  merchant.reset();
  const at = (now: string) => ({
    event: 'world',
    data: { merchant: 3, clock: { now, mode: 'frozen' } },
  });
  const moved = at('2026-01-31T10:15:00.000Z');
  expect(await events.take(4)).toMatchObject([moved, moved, moved, at('2026-01-31T10:00:00.000Z')]);
});

test('a reset of everything is told of every World', async () => {
  const { sandbox } = createClient();
  const events = await watch(sandbox);
  sandbox.resetAll();
  const told = await events.take(3);
  expect(told.map(({ event, data }) => [event, data.merchant])).toEqual([
    ['world', 1],
    ['world', 2],
    ['world', 3],
  ]);
});

test('a merchant that is made, gets a new key or is removed is told of', async () => {
  const sandbox = createSandbox({ now: START, clock: 'frozen', autoMerchants: true });
  const events = await watch(sandbox);
  const merchant = sandbox.createMerchant();
  merchant.rotateKey();
  merchant.remove();
  sandbox.merchant('sk_of_my_own');
  expect(await events.take(4)).toMatchObject([
    { event: 'merchants', data: { merchant: 3, change: 'created' } },
    { event: 'merchants', data: { merchant: 3, change: 'key' } },
    { event: 'merchants', data: { merchant: 3, change: 'removed' } },
    { event: 'merchants', data: { merchant: 4, change: 'created' } },
  ]);
});

test('what looks, and what is refused, changes nothing and is not told of', async () => {
  const { sandbox, merchant } = createClient();
  const events = await watch(sandbox);
  merchant.show();
  merchant.records({ family: 'motor' });
  expect(() => merchant.clock.set({ now: '2000-01-01T00:00:00Z' })).toThrow('forward only');
  merchant.clock.advance('PT1S');
  const [first] = await events.take(1);
  expect(first?.data.clock.now).toBe('2026-01-31T10:00:01.000Z');
});

test('?merchant=ID leaves out what concerns others, and nobody', async () => {
  const client = createClient();
  const other = client.sandbox.createMerchant();
  const events = await watch(client.sandbox, '?merchant=3');
  await client.as(other).call('listMotorPolicies');
  await client.call('getMotorQuote', {}, { headers: { authorization: 'Bearer nobody' } });
  other.clock.advance('PT1M');
  await client.call('listMotorPolicies');
  client.merchant.clock.advance('PT1M');
  const told = await events.take(2);
  expect(told.map(({ event }) => event)).toEqual(['entry', 'world']);
  expect(told[0]?.data.merchant.id).toBe(3);
});

test('Last-Event-ID brings the calls that came after it, of all merchants, in their order', async () => {
  const client = createClient();
  const other = client.as(client.sandbox.createMerchant());
  const events = await watch(client.sandbox);
  await client.call('listMotorPolicies');
  const [last] = await events.take(1);
  await events.cancel();
  await other.call('listGroupLifePolicies');
  await client.call('getMotorQuote', {}, { headers: { authorization: 'Bearer nobody' } });
  await client.call('listMotorPolicies');

  const again = await watch(client.sandbox, '', { 'last-event-id': String(last?.id) });
  const missed = await again.take(3);
  expect(missed.map(({ data }) => data.id)).toEqual(['req-4-1', 'req-0-1', 'req-3-2']);
  const ids = missed.map(({ id }) => id);
  expect(ids).toEqual(ids.toSorted((a, b) => a - b));
  await client.call('listMotorPolicies');
  expect((await again.take(1))[0]?.data.id).toBe('req-3-3');
});

test.each([
  [{ query: { merchant: 99 } }, 404, 'There is no merchant "99"'],
  [{ query: { merchant: 'x' } }, 422, 'merchant'],
  [{ query: { merchnat: 3 } }, 422, 'known: merchant'],
  [{ headers: { 'last-event-id': 'x' } }, 422, 'the id of an event, a whole number, got "x"'],
])('%j is refused with %i', async (init, status, message) => {
  const { sandbox } = createClient();
  const answer = await control(sandbox, 'streamEvents', init);
  expect(answer.status).toBe(status);
  expect(answer.body.detail).toContain(message);
});

test('a comment comes at once, and again every 15 seconds', async () => {
  const timers = ownTimers();
  const client = createClient();
  const events = await watch(client.sandbox);
  await timers.started();
  expect(events.comments()).toBe(1);
  await timers.pass(15_000);
  expect(events.comments()).toBe(2);
});

test('a listener that does not read is dropped; one that reads is not', async () => {
  const client = createClient();
  await buy(client, 'micro_health');
  const slow = await client.sandbox.fetch(new Request(`${BASE}/_sandbox/events`));
  const quick = await watch(client.sandbox);
  for (let call = 0; call < 400; call++) {
    await client.call('initiateGroupLifePolicy', { group_name: 'x'.repeat(8000) });
    await quick.take(1);
  }
  const late = readEvents(slow);
  await late.ended;
  await client.call('listMotorPolicies');
  expect((await quick.take(1))[0]?.data.operation).toBe('listMotorPolicies');
});

test('over a socket, a listener that does not read has its connection cut', async () => {
  const server = await startSandbox({ port: 0, now: START, clock: 'frozen' });
  onTestFinished(() => server.close());
  const socket = connect(server.port, '127.0.0.1');
  socket.write(`GET /_sandbox/events HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`);
  await once(socket, 'readable');
  // Nothing of it is read: what the machine's own buffers do not hold waits in the sandbox.
  const request = () =>
    new Request(`${BASE}/api/merchant/motor_quote`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_sandbox_demo', 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'x'.repeat(500_000) }),
    });
  for (let call = 0; call < 60; call++) await server.sandbox.fetch(request());
  socket.resume();
  await once(socket, 'close');
});

test('a stream ends when the sandbox closes, and lets it close at once', async () => {
  const server = await startSandbox({ port: 0 });
  const events = readEvents(await fetch(`${server.url}/_sandbox/events`));
  await server.close();
  await events.ended;
});

test('nobody who may not make calls over the sandbox may listen', async () => {
  const { sandbox } = createClient();
  await initiate(createClient(), 'motor');
  const answer = await control(sandbox, 'streamEvents', { remoteAddress: '203.0.113.9' });
  expect(answer.status).toBe(403);
});
