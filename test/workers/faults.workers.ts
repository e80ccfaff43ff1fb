import { describe, expect, test } from 'vitest';
import { BASE, operationOf, requestOf } from '../support/client.ts';
import { initiate } from '../support/requests.ts';
import { mint, type RemoteClient } from './support/clients.ts';
import { startEngine } from './support/engine.ts';

const engine = await startEngine();

/** A verify request, with an optional fault. */
async function verifyWith({ call, apiKey }: RemoteClient, fault?: string, signal?: AbortSignal) {
  const token = await initiate({ call }, 'motor');
  const headers = { 'sandbox-fault': fault };
  const verify = requestOf(operationOf('verifyMotorPolicy'), BASE, apiKey, { token }, { headers });
  return new Request(verify, signal ? { signal } : {});
}

const policiesOf = async ({ call }: RemoteClient): Promise<unknown[]> =>
  (await call('listMotorPolicies')).body.data;

test('a fault that breaks the connection is refused, as a rule and as a header', async () => {
  const client = await mint(engine);
  const body = { stage: 'after', effect: { kind: 'drop' } };
  const rule = await client.control('addFault', { body });
  expect([rule.status, rule.body.detail]).toEqual([422, expect.stringMatching(/connection/)]);
  const verified = await engine.fetch(await verifyWith(client, 'after; truncate'));
  expect(verified.status).toBe(400);
  expect(await verified.text()).toContain('connection');
  expect(await policiesOf(client), 'nothing was bought').toEqual([]);
});

describe('a hang fault lasts until the client aborts, and the World keeps working', () => {
  test.each([
    ['before', 'header', 0],
    ['after', 'header', 1],
    ['after', 'rule', 1],
  ])('%s the operation, set by a %s', async (stage, form, bought) => {
    const client = await mint(engine);
    const giveUp = new AbortController();
    if (form === 'rule') {
      const match = { operation: 'verifyMotorPolicy' };
      const body = { match, stage, effect: { kind: 'hang' } };
      await client.control('addFault', { body });
    }
    const fault = form === 'header' ? `${stage}; hang` : undefined;
    const hanging = engine.fetch(await verifyWith(client, fault, giveUp.signal));
    const first = await Promise.race([
      hanging,
      client.control('awaitJournal', { body: { count: 9, timeout: 'PT0.3S' } }),
    ]);
    expect(first.status, 'the request still hangs when the wait times out').toBe(408);
    expect(await policiesOf(client)).toHaveLength(bought);
    giveUp.abort();
    await expect(hanging).rejects.toThrow(/abort/);
    expect((await client.control('listFaults')).body.data, 'the rule is used up').toEqual([]);
  });
});

test('a delay fault delays the response', async () => {
  const client = await mint(engine);
  const request = await verifyWith(client, 'after; delay; ms=300');
  const since = performance.now();
  const response = await engine.fetch(request);
  expect(performance.now() - since).toBeGreaterThanOrEqual(295);
  expect(response.status).toBe(200);
  await response.body?.cancel();
});

test('a delayed call whose client has gone is carried out', async () => {
  const client = await mint(engine);
  const giveUp = new AbortController();
  const request = await verifyWith(client, 'before; delay; ms=1000', giveUp.signal);
  const waiting = engine.fetch(request);
  // The call has reached its World, and waits there.
  await Promise.race([
    waiting,
    client.control('awaitJournal', { body: { count: 9, timeout: 'PT0.3S' } }),
  ]);
  giveUp.abort();
  await expect(waiting).rejects.toThrow(/abort/);
  expect(await policiesOf(client)).toEqual([]);
  await expect.poll(() => policiesOf(client)).toHaveLength(1);
});

test('a fault lets time pass before a call, and the time is stored', async () => {
  const client = await mint(engine);
  const body = { stage: 'before', effect: { kind: 'advance', by: 'PT20M' }, skip: 1 };
  await client.control('addFault', { body });
  const request = await verifyWith(client);
  const verified = await engine.fetch(request);
  expect([verified.status, verified.headers.get('sandbox-fault')]).toEqual([
    400,
    'before; advance; by=PT20M',
  ]);
  expect(await verified.text()).toContain('Token has expired');
  const { now } = (await client.control('getClock')).body;
  await engine.restart();
  expect((await client.control('getClock')).body.now).toBe(now);
  expect((await client.control('listFaults')).body.data).toEqual([]);
});
