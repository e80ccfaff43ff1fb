import { describe, expect, test } from 'vitest';
import { openSandbox } from '../../src/open-sandbox.ts';
import { type Client, clientOf, createDemoClient, START } from '../support/client.ts';
import { buy, familyKeys, initiate, purchaseOf, verifyOf } from '../support/requests.ts';

const requestOf = (key: string, init: RequestInit & { readonly duplex?: 'half' } = {}): Request =>
  new Request('http://sandbox/_sandbox/snapshot', {
    ...init,
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      ...init.headers,
    },
  });

/** A sandbox in a program that has so many bytes of memory left. */
function createClientWithMemory(bytes: number) {
  const asked: number[] = [];
  const freeMemory = (wanted: number) => {
    asked.push(wanted);
    return bytes;
  };
  const { sandbox } = openSandbox({ now: START, clock: 'frozen' }, { freeMemory });
  return { asked, client: clientOf(sandbox, sandbox.merchant('sk_sandbox_demo')) };
}

/** A body in pieces, which tells how many were taken. */
function createBody(text: string, size: number) {
  const bytes = new TextEncoder().encode(text);
  const taken = { pieces: 0 };
  const body = new ReadableStream<Uint8Array>({
    pull(controller) {
      const from = taken.pieces * size;
      if (from >= bytes.length) return controller.close();
      taken.pieces += 1;
      controller.enqueue(bytes.subarray(from, from + size));
    },
  });
  return { taken, body };
}

const buyOne = async (client: Client) =>
  client.call(verifyOf.micro_health, { token: await initiate(client, 'micro_health') });

describe('a snapshot', () => {
  test('is that of the moment it was asked for, however the World goes on while it is read', async () => {
    const client = createDemoClient();
    for (const family of familyKeys) await buy(client, family);
    const { data: subscriber } = (await buyOne(client)).body;
    const token = await initiate(client, 'motor');
    client.merchant.faults.add({ stage: 'after', effect: { kind: 'drop' }, probability: 0 });
    const before = client.merchant.snapshot();
    const answer = await client.sandbox.fetch(requestOf(client.merchant.apiKey));
    await client.call('verifyMotorPolicy', { token });
    for (const family of familyKeys) await initiate(client, family);
    const { amount, subscription_type } = purchaseOf('micro_health');
    const renewed = await client.call('topUpMicroHealthSubscription', {
      policy_no: subscriber.policy_no,
      subscription_type,
      amount,
    });
    expect(renewed.status).toBe(200);
    client.merchant.faults.clear();
    client.merchant.clock.advance('P1D');
    client.merchant.journal.clear();
    expect(await answer.json()).toEqual(before);
    expect(client.merchant.snapshot()).not.toEqual(before);
  });

  test('is the one a World gives after a reset meanwhile, too', async () => {
    const client = createDemoClient();
    await buy(client, 'motor');
    const before = client.merchant.snapshot();
    const answer = await client.sandbox.fetch(requestOf(client.merchant.apiKey));
    client.merchant.reset();
    expect(await answer.json()).toEqual(before);
  });

  test('comes back in pieces of any size', async () => {
    const { merchant, sandbox } = createDemoClient();
    const saved = merchant.snapshot();
    merchant.reset();
    for (const size of [1000, 65_536]) {
      const { body } = createBody(JSON.stringify(saved, null, 2), size);
      const request = requestOf(merchant.apiKey, { method: 'PUT', body, duplex: 'half' });
      expect((await sandbox.fetch(request)).status).toBe(200);
      expect(merchant.snapshot()).toEqual(saved);
    }
  });

  test('that is larger than there is memory for is 413 before any of it is read', async () => {
    const { asked, client } = createClientWithMemory(30_000);
    const { merchant, sandbox } = client;
    const saved = merchant.snapshot();
    const text = JSON.stringify(saved);
    const { taken, body } = createBody(text, 1000);
    const request = requestOf(merchant.apiKey, {
      method: 'PUT',
      headers: { 'content-length': String(text.length) },
      body,
      duplex: 'half',
    });
    const answer = await sandbox.fetch(request);
    expect(answer.status).toBe(413);
    expect(((await answer.json()) as { detail: string }).detail).toMatch(
      /^The request body must not be larger than \d+ bytes, for which there is memory/,
    );
    expect(taken.pieces).toBeLessThan(2);
    expect(asked[0]).toBeGreaterThan(text.length);
    expect(merchant.snapshot()).toEqual(saved);
  });

  test('that does not say how large it is, is read as far as there is memory for', async () => {
    const { client } = createClientWithMemory(30_000);
    const { merchant, sandbox } = client;
    const text = JSON.stringify(merchant.snapshot());
    const { taken, body } = createBody(text, 1000);
    const request = requestOf(merchant.apiKey, { method: 'PUT', body, duplex: 'half' });
    expect((await sandbox.fetch(request)).status).toBe(413);
    expect(taken.pieces).toBeLessThan(text.length / 1000);
  });
});
