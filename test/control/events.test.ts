import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { JournalEntry } from '../../src/control/journal-entry-schema.ts';
import { createSandbox, type Sandbox } from '../../src/index.ts';
import { startSandbox } from '../../src/node.ts';
import { createClient, START } from '../support/client.ts';
import { type EventReader, readEvents } from '../support/events.ts';
import { ownTimers } from '../support/timers.ts';

/** Listens to a sandbox until the end of the test. */
async function watch(sandbox: Sandbox, query = '', headers = {}): Promise<EventReader> {
  const response = await sandbox.fetch(`/_sandbox/events${query}`, { headers });
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const events = readEvents(response);
  onTestFinished(() => events.cancel());
  return events;
}

const STRANGER = { headers: { authorization: 'Bearer nobody' } };

test('every call of every merchant is an event, also without a valid key or a response', async () => {
  const client = createClient();
  const events = await watch(client.sandbox);
  await client.call('getMotorQuote', { product_id: 0 });
  await client.call('getMotorQuote', {}, STRANGER);
  const headers = { 'sandbox-fault': 'after; drop' };
  await expect(client.call('listMotorPolicies', {}, { headers })).rejects.toThrow(TypeError);
  const told = await events.take(3);
  const merchant = { id: 3, name: 'Merchant 3' };
  expect(told).toMatchObject([
    { event: 'entry', data: { status: 422, operation: 'getMotorQuote', merchant } },
    { event: 'entry', data: { status: 401, merchant: null, request: { body: null } } },
    { event: 'entry', data: { fault: { effect: { kind: 'drop' } } } },
  ]);
  expect(told.map(({ data }) => data).reverse()).toEqual(client.sandbox.journal());
  for (const { data } of told) expect(JournalEntry().parse(data)).toEqual(data);
});

test('a change by the control plane is an event that says what happened, and when by the clock of the World', async () => {
  const { sandbox, merchant } = createClient();
  const events = await watch(sandbox);
  merchant.clock.advance('PT15M');
  merchant.faults.add({ stage: 'after', effect: { kind: 'drop' } });
  merchant.restore(merchant.snapshot());
  merchant.reset();
  merchant.journal.clear();
  const told = (kind: string, at: string) => ({
    event: 'world',
    data: { merchant: { id: 3, name: 'Merchant 3' }, kind, at },
  });
  const [before, after] = ['2026-01-31T10:00:00.000Z', '2026-01-31T10:15:00.000Z'];
  expect(await events.take(5)).toMatchObject([
    told('clock', after),
    told('fault_added', after),
    told('restore', after),
    told('reset', before),
    { event: 'world', data: { merchant: { id: 3 }, kind: 'journal_cleared' } },
  ]);
  sandbox.resetAll();
  expect(await events.take(3)).toMatchObject(
    [1, 2, 3].map((id) => ({ event: 'world', data: { merchant: { id }, kind: 'reset' } })),
  );
});

test('creating, rotating and removing a merchant are events', async () => {
  const sandbox = createSandbox({ now: START, clock: 'frozen', autoMerchants: true });
  const events = await watch(sandbox);
  const merchant = sandbox.createMerchant();
  merchant.rotateKey();
  merchant.remove();
  sandbox.merchant('sk_of_my_own');
  const told = (await events.take(4)).map(({ event, data }) => [event, data]);
  expect(told).toEqual([
    ['merchants', { merchant: 3, change: 'created' }],
    ['merchants', { merchant: 3, change: 'key' }],
    ['merchants', { merchant: 3, change: 'removed' }],
    ['merchants', { merchant: 4, change: 'created' }],
  ]);
});

test('reads and refused calls are no events', async () => {
  const { sandbox, merchant } = createClient();
  const events = await watch(sandbox);
  merchant.show();
  merchant.records({ family: 'motor' });
  expect(() => merchant.clock.set({ now: '2000-01-01T00:00:00Z' })).toThrow('forward only');
  merchant.clock.advance('PT1S');
  const [first] = await events.take(1);
  expect(first?.data.at).toBe('2026-01-31T10:00:01.000Z');
});

test('?merchant=ID sends the events of one merchant only', async () => {
  const client = createClient();
  const other = client.sandbox.createMerchant();
  const events = await watch(client.sandbox, '?merchant=3');
  await client.as(other).call('listMotorPolicies');
  await client.call('getMotorQuote', {}, STRANGER);
  other.clock.advance('PT1M');
  await client.call('listMotorPolicies');
  client.merchant.clock.advance('PT1M');
  expect(await events.take(2)).toMatchObject([
    { event: 'entry', data: { merchant: { id: 3 } } },
    { event: 'world', data: { merchant: { id: 3 } } },
  ]);
});

test('Last-Event-ID sends the missed calls of all merchants in order', async () => {
  const client = createClient();
  const other = client.as(client.sandbox.createMerchant());
  const events = await watch(client.sandbox);
  await client.call('listMotorPolicies');
  const [last] = await events.take(1);
  await events.cancel();
  await other.call('listGroupLifePolicies');
  await client.call('getMotorQuote', {}, STRANGER);
  await client.call('listMotorPolicies');

  const again = await watch(client.sandbox, '', { 'last-event-id': last?.id ?? '' });
  const missed = await again.take(3);
  expect(missed.map(({ data }) => data.id)).toEqual(['req-4-1', 'req-0-1', 'req-3-2']);
  const numbers = missed.map(({ id }) => Number(id.split('-')[1]));
  expect(numbers).toEqual(numbers.toSorted((a, b) => a - b));
  await client.call('listMotorPolicies');
  expect((await again.take(1))[0]?.data.id).toBe('req-3-3');
});

test('an id of an event of another start begins with all that the journal has', async () => {
  const client = createClient();
  const events = await watch(client.sandbox);
  for (let call = 0; call < 5; call++) await client.call('listMotorPolicies');
  const seen = await events.take(5);

  const next = createClient();
  for (let call = 0; call < 7; call++) await next.call('listMotorPolicies');
  for (const id of [seen[4]?.id ?? '', '5', 'x', '-', '99999999999999999999-1']) {
    const again = await watch(next.sandbox, '', { 'last-event-id': id });
    const ids = (await again.take(7)).map(({ data }) => data.id);
    expect(ids).toEqual([1, 2, 3, 4, 5, 6, 7].map((number) => `req-3-${number}`));
  }
});

test('a restored journal is among what a listener of another start gets, before later calls', async () => {
  const client = createClient();
  await client.call('listMotorPolicies');
  const snapshot = client.merchant.snapshot();
  const next = createClient();
  next.merchant.restore(snapshot);
  await next.call('listGroupLifePolicies');
  const again = await watch(next.sandbox, '?merchant=3', { 'last-event-id': '0a0b0c0d-4' });
  const told = (await again.take(3)).map(({ data }) => data.operation ?? data.kind);
  expect(told).toEqual(['listMotorPolicies', 'restore', 'listGroupLifePolicies']);
});

test('a comment is sent at once and every 15 seconds', async () => {
  const timers = ownTimers();
  const events = await watch(createClient().sandbox);
  await timers.started();
  expect(events.comments()).toBe(1);
  await timers.pass(15_000);
  expect(events.comments()).toBe(2);
});

test('a listener that does not read is closed, one that reads is not', async () => {
  const client = createClient();
  const slow = await client.sandbox.fetch('/_sandbox/events');
  const quick = await watch(client.sandbox);
  for (let call = 0; call < 10; call++) {
    await client.call('initiateGroupLifePolicy', { group_name: 'x'.repeat(500_000) });
    await quick.take(1);
  }
  await readEvents(slow).ended;
  await client.call('listMotorPolicies');
  expect((await quick.take(1))[0]?.data.operation).toBe('listMotorPolicies');
});

test('over a socket, a slow listener is cut off, and others end when the sandbox closes', async () => {
  const server = await startSandbox({ port: 0 });
  onTestFinished(() => server.close());
  const socket = connect(server.port, '127.0.0.1');
  socket.write(`GET /_sandbox/events HTTP/1.1\r\nHost: 127.0.0.1:${server.port}\r\n\r\n`);
  await once(socket, 'readable');
  // Nothing is read, so everything beyond the system's buffers waits in the sandbox.
  const headers = { authorization: 'Bearer sk_sandbox_demo', 'content-type': 'application/json' };
  const body = JSON.stringify({ text: 'x'.repeat(1_000_000) });
  for (let call = 0; call < 30; call++) {
    await server.sandbox.fetch('/api/merchant/motor_quote', { method: 'POST', headers, body });
  }
  socket.resume();
  await once(socket, 'close');
  const events = readEvents(await fetch(`${server.url}/_sandbox/events`));
  await server.close();
  await events.ended;
});
