import { getEventListeners } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { BASE, type Client, createClient, fetchOver } from '../support/client.ts';
import { MIB, memoryUsed } from '../support/memory.ts';

/** How many bytes more are in use after so many rounds than after as many before. */
async function growthOver(rounds: number, work: () => Promise<unknown>): Promise<number> {
  const repeat = async () => {
    for (let round = 0; round < rounds; round++) await work();
    return memoryUsed();
  };
  const before = await repeat();
  return (await repeat()) - before;
}

/** Reads the events of a sandbox as they come, until the test is over. */
async function keepReading({ sandbox }: Client): Promise<{ count: number }> {
  const { body } = await sandbox.fetch(`${BASE}/_sandbox/events`);
  const reader = (body as ReadableStream<Uint8Array>).getReader();
  onTestFinished(() => reader.cancel());
  const read = { count: 0 };
  const decoder = new TextDecoder();
  const readOn = async (): Promise<void> => {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      read.count += decoder.decode(value).split('event: ').length - 1;
    }
  };
  void readOn();
  return read;
}

test('readers of events cost nothing for an event they have read', async () => {
  const client = createClient();
  const readers = await Promise.all([1, 2, 3, 4].map(() => keepReading(client)));
  const growth = await growthOver(2500, () => client.call('listMotorPolicies'));
  expect(readers.map(({ count }) => count)).toEqual([5000, 5000, 5000, 5000]);
  // What was kept for each event and reader made this 3 MiB.
  expect(growth).toBeLessThan(MIB);
});

test('a call that waits leaves no listener behind at a signal that lives on', async () => {
  const client = createClient();
  const { signal: closing } = new AbortController();
  const caller = new AbortController();
  const send = (path: string, init: RequestInit = {}) => {
    const headers = {
      authorization: `Bearer ${client.merchant.apiKey}`,
      'content-type': 'application/json',
      ...init.headers,
    };
    const request = new Request(`${BASE}${path}`, { ...init, headers });
    return fetchOver(client.sandbox, { closing }, request);
  };
  const delayed = send('/api/merchant/get_comprehensive_motor_policies', {
    headers: { 'sandbox-fault': 'before; delay; ms=1' },
  });
  const waiting = send('/_sandbox/journal/await', {
    method: 'POST',
    body: JSON.stringify({ status: 418, timeout: 'PT0.001S' }),
  });
  const hanging = send('/api/merchant/get_comprehensive_motor_policies', {
    headers: { 'sandbox-fault': 'before; hang' },
    signal: caller.signal,
  });
  const events = await send('/_sandbox/events');
  expect(getEventListeners(closing, 'abort')).toHaveLength(1);
  expect([(await delayed).status, (await waiting).status]).toEqual([200, 408]);
  caller.abort();
  await expect(hanging).rejects.toThrow();
  await events.body?.cancel();
  expect(getEventListeners(closing, 'abort')).toHaveLength(0);
});
