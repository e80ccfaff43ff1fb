import { describe, expect, test } from 'vitest';
import { BASE, operationOf, requestOf } from '../support/client.ts';
import { buy, initiate } from '../support/requests.ts';
import { mint, type RemoteClient } from './support/clients.ts';
import { sharedEngine } from './support/engine.ts';

const engine = await sharedEngine();

const LIST = 'listMotorPolicies';

/** A call that a fault may keep from being answered. */
const send = ({ apiKey }: RemoteClient, fault: string | undefined, signal?: AbortSignal) => {
  const request = requestOf(
    operationOf(LIST),
    BASE,
    apiKey,
    {},
    {
      headers: { 'sandbox-fault': fault },
    },
  );
  return engine.fetch(signal ? new Request(request, { signal }) : request);
};

/** Resolves after a moment, in which the World did nothing but wait. */
async function momentIn({ control }: RemoteClient): Promise<void> {
  const { status } = await control('awaitJournal', { body: { count: 9, timeout: 'PT0.5S' } });
  expect(status).toBe(408);
}

describe('a fault that needs a connection to break', () => {
  test.each(['drop', 'truncate'])('%s is refused as a rule and as a header', async (kind) => {
    const client = await mint(engine);
    const rule = await client.control('addFault', { body: { stage: 'after', effect: { kind } } });
    expect(rule.status).toBe(422);
    expect(rule.body.detail).toMatch(/^effect.*connection/);
    const token = await initiate(client, 'motor');
    const headers = { 'sandbox-fault': `after; ${kind}` };
    const verify = await client.call('verifyMotorPolicy', { token }, { headers });
    expect(verify.status).toBe(400);
    expect(verify.body.data.error[0]).toContain('connection');
    // Nothing was done: the token still serves.
    expect((await client.call('verifyMotorPolicy', { token })).status).toBe(200);
    expect((await client.control('listFaults')).body.data).toEqual([]);
  });
});

describe('a call that hangs', () => {
  test.each(['before; hang', 'after; hang'])(
    '%s is answered by nobody until its client gives up, and the World works meanwhile and afterwards',
    async (fault) => {
      const client = await mint(engine);
      const giveUp = new AbortController();
      let isSettled = false;
      const hanging = send(client, fault, giveUp.signal).finally(() => {
        isSettled = true;
      });
      await momentIn(client);
      await buy(client, 'motor');
      expect(isSettled).toBe(false);
      giveUp.abort();
      await expect(hanging).rejects.toThrow(/abort/);
      expect((await client.call(LIST)).body.data).toHaveLength(1);
    },
  );

  test('by a rule does its work before, and uses the rule up', async () => {
    const client = await mint(engine);
    const token = await initiate(client, 'motor');
    const match = { operation: 'verifyMotorPolicy' };
    await client.control('addFault', { body: { match, stage: 'after', effect: { kind: 'hang' } } });
    const giveUp = new AbortController();
    const { apiKey } = client;
    const request = requestOf(operationOf('verifyMotorPolicy'), BASE, apiKey, { token });
    const hanging = engine.fetch(new Request(request, { signal: giveUp.signal }));
    await momentIn(client);
    giveUp.abort();
    await expect(hanging).rejects.toThrow(/abort/);
    expect((await client.call(LIST)).body.data).toHaveLength(1);
    expect((await client.control('listFaults')).body.data).toEqual([]);
  });
});

test.each(['before; delay; ms=300', 'after; delay; ms=300'])(
  'a call with %s is answered later',
  async (fault) => {
    const client = await mint(engine);
    const since = performance.now();
    const response = await send(client, fault);
    expect(performance.now() - since).toBeGreaterThanOrEqual(295);
    expect([response.status, response.headers.get('sandbox-fault')]).toEqual([200, fault]);
    await response.body?.cancel();
  },
);
