import { describe, expect, onTestFinished, test } from 'vitest';
import { BASE } from '../support/client.ts';
import { readEvents } from '../support/events.ts';
import { buy, initiate } from '../support/requests.ts';
import { adminCall, mint, type RemoteClient } from './support/clients.ts';
import { ADMIN_TOKEN, sharedEngine } from './support/engine.ts';

const engine = await sharedEngine();

/** Watches one merchant from now on, until the test is over. */
async function watch({ merchant: { id } }: RemoteClient, lastEventId?: number) {
  const giveUp = new AbortController();
  const headers = {
    authorization: `Bearer ${ADMIN_TOKEN}`,
    ...(lastEventId !== undefined && { 'last-event-id': String(lastEventId) }),
  };
  const response = await engine.fetch(
    new Request(`${BASE}/_sandbox/events?merchant=${id}`, { headers, signal: giveUp.signal }),
  );
  expect([response.status, response.headers.get('content-type')]).toEqual([
    200,
    'text/event-stream',
  ]);
  const events = readEvents(response);
  events.ended.catch(() => {});
  onTestFinished(() => giveUp.abort());
  return events;
}

describe('the journal', () => {
  test('is awaited until the call has come', async () => {
    const client = await mint(engine);
    const token = await initiate(client, 'motor');
    const awaited = client.control('awaitJournal', {
      body: { operation: 'verifyMotorPolicy', status: 200 },
    });
    await client.call('verifyMotorPolicy', { token });
    const { status, body } = await awaited;
    expect(status).toBe(200);
    expect(body.data[0]).toMatchObject({ operation: 'verifyMotorPolicy', status: 200 });
  });

  test('of all merchants, and their events, are refused with a sentence', async () => {
    for (const call of ['listSandboxJournal', 'streamEvents']) {
      const { status, body } = await adminCall(engine, call);
      expect(status, call).toBe(422);
      expect(body.detail).toBe(
        'merchant: the Worlds of this sandbox are spread over many machines; name one with ?merchant=ID.',
      );
    }
  });
});

describe('events of a merchant', () => {
  test('tell its calls and what the control plane changed, and nothing of others', async () => {
    const [client, other] = [await mint(engine), await mint(engine)];
    const { id } = client.merchant;
    const events = await watch(client);
    await buy(other, 'motor');
    await client.call('getMotorQuote', {});
    await client.merchant.clock.advance('PT15M');
    const [entry, world] = await events.take(2);
    expect(entry).toMatchObject({
      event: 'entry',
      data: { operation: 'getMotorQuote', status: 422, merchant: { id } },
    });
    expect(world).toMatchObject({
      event: 'world',
      data: { merchant: id, clock: { now: '2026-01-31T10:15:00.000Z' } },
    });
  });

  test('go on from the last that was read', async () => {
    const client = await mint(engine);
    const first = await watch(client);
    await client.call('getMotorQuote', {});
    const [entry] = await first.take(1);
    await first.cancel();
    await initiate(client, 'motor');
    const [next] = await (await watch(client, entry?.id)).take(1);
    expect(next?.data.operation).toBe('initiateMotorPolicy');
  });
});
