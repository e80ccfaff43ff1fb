import { describe, expect, onTestFinished, test } from 'vitest';
import type { JournalEntry } from '../src/index.ts';
import { startSandbox } from '../src/node.ts';
import { createClient } from './support/client.ts';
import { control } from './support/control.ts';
import { initiate, purchaseOf } from './support/requests.ts';

/** A client, and the entries that its sandbox passed to onCall. */
function createWatched(options = {}) {
  const calls: JournalEntry[] = [];
  const client = createClient({ onCall: (entry) => void calls.push(entry), ...options });
  return { ...client, client, calls };
}

/** The unhandled rejections until the end of the test. */
function unheard(): unknown[] {
  const heard: unknown[] = [];
  const before = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  process.on('unhandledRejection', (reason) => heard.push(reason));
  onTestFinished(() => {
    process.removeAllListeners('unhandledRejection');
    for (const listener of before) process.on('unhandledRejection', listener);
  });
  return heard;
}

describe('onCall', () => {
  test('is called for every call before its response, also without a valid key', async () => {
    const { client, call, sandbox, calls } = createWatched();
    await initiate(client, 'micro_health');
    expect(calls).toHaveLength(1);
    await call('getMotorQuote', {}, { headers: { authorization: 'Bearer nobody' } });
    expect(calls).toEqual(sandbox.journal().reverse());
    expect(calls[1]).toMatchObject({ status: 401, merchant: null });
  });

  test('sees no key and no identity number, unless redaction is off', async () => {
    const body = purchaseOf('micro_health');
    const [redacting, keeping] = [createWatched(), createWatched({ redact: false })];
    for (const { call } of [redacting, keeping]) {
      await call('initiateMicroHealthSubscription', body);
    }
    expect(redacting.calls[0]?.request.body).toMatchObject({ nin_number: '[redacted]' });
    expect(keeping.calls[0]?.request.body).toEqual(body);
  });

  test('is not called for control calls', async () => {
    const { sandbox, merchant, calls } = createWatched();
    await control(sandbox, 'getClock', { key: merchant.apiKey });
    merchant.reset();
    await sandbox.fetch('/livez');
    expect(calls).toEqual([]);
  });

  test('can change its entry without changing the journal', async () => {
    const onCall = (entry: JournalEntry) => {
      entry.status = 999;
    };
    const { call, merchant } = createClient({ onCall });
    await call('getMotorQuote');
    expect(merchant.journal.list()[0]?.status).toBe(422);
  });

  test.each([
    [
      'throws',
      () => {
        throw new Error('A test said no');
      },
    ],
    [
      'rejects',
      async () => {
        throw new Error('A test said no');
      },
    ],
  ])('that %s breaks no response and causes an unhandled rejection', async (_, onCall) => {
    const heard = unheard();
    const { call, merchant } = createClient({ onCall });
    expect((await call('listMotorPolicies')).status).toBe(200);
    await new Promise((resolve) => setImmediate(resolve));
    expect(heard).toEqual([new Error('A test said no')]);
    expect(merchant.journal.list()).toHaveLength(1);
  });

  test('is called for calls over a socket', async () => {
    const calls: JournalEntry[] = [];
    const server = await startSandbox({ port: 0, onCall: (entry) => void calls.push(entry) });
    onTestFinished(() => server.close());
    await fetch(`${server.url}/api/merchant/comprehensive_motor_policies`);
    expect(calls).toMatchObject([{ status: 401, merchant: null }]);
  });
});
