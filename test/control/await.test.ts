import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Expectation } from '../../src/index.ts';
import { storeOf } from '../../src/sandbox/open-sandbox.ts';
import { type Client, createClient } from '../support/client.ts';
import { control } from '../support/control.ts';
import { ownTimers } from '../support/timers.ts';

const look = (client: Client) => client.call('listMotorPolicies');
const quote = (client: Client) => client.call('getMotorQuote', {});

/** Whether a promise has settled after all pending work. */
async function isSettled(waiting: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void waiting.finally(() => {
    settled = true;
  });
  await new Promise((resolve) => setImmediate(resolve));
  return settled;
}

describe('awaiting calls', () => {
  test('returns as soon as the last one arrives, newest first', async () => {
    const client = createClient();
    const wanted = { operation: 'listMotorPolicies', status: 200, count: 2 } as const;
    await look(client);
    await quote(client);
    const waiting = client.merchant.journal.await(wanted);
    expect(await isSettled(waiting)).toBe(false);
    await look(client);
    const entries = await waiting;
    expect(entries.map(({ id }) => id)).toEqual(['req-3-3', 'req-3-1']);
    expect(await client.merchant.journal.await(wanted)).toEqual(entries);
  });

  test('waits for any call by default', async () => {
    const client = createClient();
    const waiting = control(client.sandbox, 'awaitJournal', { key: client.merchant.apiKey });
    await quote(client);
    expect((await waiting).body.data).toMatchObject([{ operation: 'getMotorQuote', status: 422 }]);
  });

  test('ends with 408 and the nearest call: of the same operation, if there is one', async () => {
    const client = createClient();
    await look(client);
    await quote(client);
    await client.call('getMotorQuote', { product_id: 4, vehicle_value: 1 });
    await look(client);
    const key = client.merchant.apiKey;
    const body = { operation: 'getMotorQuote', status: 200, count: 2, timeout: 'PT0.01S' } as const;
    const answer = await control(client.sandbox, 'awaitJournal', { key, body });
    expect(answer.status).toBe(408);
    expect(answer.body.detail).toBe(
      'Waited PT0.01S for 2 of getMotorQuote with status 200; found 1. The nearest call, req-3-2: getMotorQuote returned 422: The product_id field is required. The vehicle_value field is required.',
    );
    const other = { operation: 'verifyMotorPolicy', timeout: 'PT0S' } as const;
    await expect(client.merchant.journal.await(other)).rejects.toThrow(
      'The nearest call, req-3-4: listMotorPolicies returned 200.',
    );
    await expect(client.merchant.journal.await(body)).rejects.toMatchObject({
      name: 'ControlError',
      status: 408,
      message: answer.body.detail,
      problem: answer.body,
    });
  });

  test('ends in real time under fake timers, as a method and over HTTP', async () => {
    vi.useFakeTimers();
    onTestFinished(() => void vi.useRealTimers());
    const { merchant, sandbox } = createClient();
    const body = { timeout: 'PT0.01S' };
    const message = 'Waited PT0.01S for 1 of any operation; found 0.';
    await expect(merchant.journal.await(body)).rejects.toThrow(message);
    const answer = await control(sandbox, 'awaitJournal', { key: merchant.apiKey, body });
    expect(answer.status).toBe(408);
    expect(answer.body.detail).toContain(message);
  });

  test('takes two seconds unless told, less than a test runner gives a test', async () => {
    const document = await createClient().sandbox.fetch('/_sandbox/openapi.json');
    expect(await document.text()).toContain('How long to wait, in real time. Default: PT2S.');
  });

  test('says what the nearest call was refused for, with its fault and its hint', async () => {
    const client = createClient();
    const { call, merchant, sandbox } = client;
    const messageOf = (expectation: Expectation) =>
      merchant.journal.await({ ...expectation, timeout: 'PT0S' }).catch(({ message }) => message);
    const verified = { operation: 'verifyMotorPolicy', status: 200 } as const;
    expect(await messageOf(verified)).toContain('found 0. This merchant made no calls.');

    await call('initiateMotorPolicy', {});
    expect(await messageOf({ operation: 'initiateMotorPolicy', status: 200 })).toMatch(
      /: initiateMotorPolicy returned 422: The first_name field is required\. The .* \+\d+ more\.$/,
    );
    const headers = { 'sandbox-fault': 'before; respond; status=503' };
    await call('verifyMotorPolicy', { token: 'x' }, { headers });
    expect(await messageOf(verified)).toMatch(
      /: verifyMotorPolicy returned 503 under the fault "before; respond; status=503"\.$/,
    );
    await call('verifyMotorPolicy', { token: 'CMP0', tokn: 1 });
    expect(await messageOf(verified)).toMatch(
      /: verifyMotorPolicy returned 400: .* Hint: tokn was ignored; did you mean token\?$/,
    );
    merchant.journal.clear();
    await sandbox.fetch('/api/merchant/motor', {
      headers: { authorization: `Bearer ${merchant.apiKey}` },
    });
    expect(await messageOf(verified)).toMatch(
      /: GET \/api\/merchant\/motor returned 404: The route was not found\.$/,
    );
  });

  test.each<[string, (client: Client, fresh: unknown) => unknown, string[]]>([
    ['a reset', ({ merchant }) => merchant.reset(), ['req-3-2', 'req-3-1']],
    ['a restore', ({ merchant }, fresh) => merchant.restore(fresh), ['req-3-2', 'req-3-1']],
    ['its journal is cleared', ({ merchant }) => merchant.journal.clear(), ['req-3-3', 'req-3-2']],
  ])('starts counting again after %s', async (_, change, ids) => {
    const client = createClient();
    const fresh = client.merchant.snapshot();
    await look(client);
    const waiting = client.merchant.journal.await({ count: 2 });
    change(client, fresh);
    await look(client);
    expect(await isSettled(waiting)).toBe(false);
    await look(client);
    expect((await waiting).map(({ id }) => id)).toEqual(ids);
  });

  test('does not count a call that began before a reset', async () => {
    const timers = ownTimers();
    const client = createClient();
    const headers = { 'sandbox-fault': 'before; delay; ms=1000' };
    const slow = client.call('listMotorPolicies', {}, { headers });
    await timers.started();
    const waiting = client.merchant.journal.await({});
    client.merchant.reset();
    await timers.pass(1000);
    expect((await slow).status).toBe(200);
    expect(await isSettled(waiting)).toBe(false);
    await quote(client);
    expect(await waiting).toMatchObject([{ operation: 'getMotorQuote' }]);
  });

  test('does not count calls that the journal has dropped', async () => {
    const client = createClient();
    const fill = { headers: { authorization: `Bearer ${client.merchant.apiKey}` } };
    await look(client);
    for (let calls = 0; calls < 999; calls++) await client.sandbox.fetch('/api/merchant', fill);
    const waiting = client.merchant.journal.await({ operation: 'listMotorPolicies', count: 2 });
    await quote(client);
    await look(client);
    expect(await isSettled(waiting)).toBe(false);
    await look(client);
    expect((await waiting).map(({ id }) => id)).toEqual(['req-3-1003', 'req-3-1002']);
  });

  test('ends at once when a restored World has the calls', async () => {
    const client = createClient();
    await look(client);
    const saved = client.merchant.snapshot();
    client.merchant.journal.clear();
    const waiting = client.merchant.journal.await({});
    client.merchant.restore(saved);
    expect(await waiting).toHaveLength(1);
  });

  test('ends when the merchant is removed', async () => {
    const { merchant, sandbox } = createClient();
    const waiting = merchant.journal.await({});
    const calling = control(sandbox, 'awaitJournal', { key: merchant.apiKey });
    await expect.poll(() => storeOf(sandbox)?.activity.listeners.size, { interval: 1 }).toBe(2);
    merchant.remove();
    await expect(waiting).rejects.toMatchObject({ status: 404 });
    expect((await calling).status).toBe(404);
  });
});
