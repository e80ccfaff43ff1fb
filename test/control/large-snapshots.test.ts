import { describe, expect, test } from 'vitest';
import { type Client, createDemoClient } from '../support/client.ts';
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

const MAX_BYTES = 64 * 1024 * 1024;
const TOO_LARGE = `The request body must not be larger than ${MAX_BYTES} bytes.`;

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

  test('of more than 64 MiB is 413 before any of it is read', async () => {
    const { merchant, sandbox } = createDemoClient();
    const saved = merchant.snapshot();
    const { taken, body } = createBody(JSON.stringify(saved), 1000);
    const request = requestOf(merchant.apiKey, {
      method: 'PUT',
      headers: { 'content-length': String(MAX_BYTES + 1) },
      body,
      duplex: 'half',
    });
    const answer = await sandbox.fetch(request);
    expect(answer.status).toBe(413);
    expect(((await answer.json()) as { detail: string }).detail).toBe(TOO_LARGE);
    expect(taken.pieces).toBeLessThan(2);
    expect(merchant.snapshot()).toEqual(saved);
  });

  test('that does not say how large it is, is read up to 64 MiB', async () => {
    const { merchant, sandbox } = createDemoClient();
    const saved = merchant.snapshot();
    const piece = new Uint8Array(1024 * 1024).fill(0x20);
    let pieces = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pieces += 1;
        controller.enqueue(piece);
      },
    });
    const answer = await sandbox.fetch(
      requestOf(merchant.apiKey, { method: 'PUT', body, duplex: 'half' }),
    );
    expect(answer.status).toBe(413);
    expect(((await answer.json()) as { detail: string }).detail).toBe(TOO_LARGE);
    expect(pieces).toBeLessThan(70);
    expect(merchant.snapshot()).toEqual(saved);
  });
});
