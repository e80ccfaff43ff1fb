import { expect, onTestFinished, test } from 'vitest';
import { BASE } from '../support/client.ts';
import { readEvents } from '../support/events.ts';
import { buy, initiate } from '../support/requests.ts';
import { adminCall, mint, type RemoteClient } from './support/clients.ts';
import { ADMIN_TOKEN, startEngine } from './support/engine.ts';

const engine = await startEngine();

/** Subscribes to the events of one merchant until the test ends. */
async function watch({ merchant: { id } }: RemoteClient, headers: Record<string, string> = {}) {
  const giveUp = new AbortController();
  const response = await engine.fetch(
    new Request(`${BASE}/_sandbox/events?merchant=${id}`, {
      headers: { authorization: `Bearer ${ADMIN_TOKEN}`, ...headers },
      signal: giveUp.signal,
    }),
  );
  expect(response.headers.get('content-type')).toBe('text/event-stream');
  const events = readEvents(response);
  events.ended.catch(() => {});
  onTestFinished(() => giveUp.abort());
  return events;
}

test('a wait for the journal ends when the request arrives', async () => {
  const client = await mint(engine);
  const token = await initiate(client, 'motor');
  const body = { operation: 'verifyMotorPolicy', status: 200 };
  const awaited = client.control('awaitJournal', { body });
  await client.call('verifyMotorPolicy', { token });
  expect((await awaited).body.data[0]).toMatchObject(body);
});

test('the journal and the events of all merchants are refused with the reason', async () => {
  for (const call of ['listSandboxJournal', 'streamEvents']) {
    const { status, body } = await adminCall(engine, call);
    expect(status, call).toBe(422);
    expect(body.detail).toBe(
      'The merchant parameter is required, because the Worlds of this sandbox are spread over many machines: ?merchant=ID.',
    );
  }
});

test('events are of one merchant only, and resume after the last one read', async () => {
  const [client, other] = [await mint(engine), await mint(engine)];
  const events = await watch(client);
  await buy(other, 'motor');
  await client.call('getMotorQuote', {});
  await client.merchant.clock.advance('PT15M');
  const { id } = client.merchant;
  const [entry, world] = await events.take(2);
  expect([entry, world]).toMatchObject([
    { event: 'entry', data: { operation: 'getMotorQuote', status: 422, merchant: { id } } },
    { event: 'world', data: { merchant: { id }, kind: 'clock', at: '2026-01-31T10:15:00.000Z' } },
  ]);

  await events.cancel();
  await initiate(client, 'motor');
  const [next] = await (await watch(client, { 'last-event-id': `${world?.id}` })).take(1);
  expect(next?.data.operation).toBe('initiateMotorPolicy');
});
