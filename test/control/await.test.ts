import { describe, expect, test } from 'vitest';
import { type Client, createClient } from '../support/client.ts';
import { control } from '../support/control.ts';
import { ownTimers } from '../support/timers.ts';

const look = (client: Client) => client.call('listMotorPolicies');
const quote = (client: Client) => client.call('getMotorQuote', {});

/** Lets everything happen that is under way. */
const soon = () => new Promise((resolve) => setImmediate(resolve));

/** Whether something that is waited for has come. */
async function isSettled(waiting: Promise<unknown>): Promise<boolean> {
  let settled = false;
  void waiting.finally(() => {
    settled = true;
  });
  await soon();
  return settled;
}

describe('awaiting exchanges', () => {
  test('answers at once if they are there already, newest first', async () => {
    const client = createClient();
    await look(client);
    await quote(client);
    await look(client);
    const entries = await client.merchant.journal.await({
      operation: 'listMotorPolicies',
      count: 2,
    });
    expect(entries.map(({ id }) => id)).toEqual(['req-3-3', 'req-3-1']);
    const { body } = await control(client.sandbox, 'awaitJournal', {
      key: client.merchant.apiKey,
      body: { operation: 'listMotorPolicies' },
    });
    expect(body.data).toEqual(entries);
  });

  test('answers as soon as the last of them is there', async () => {
    const client = createClient();
    let answered = false;
    const waiting = client.merchant.journal.await({
      operation: 'listMotorPolicies',
      status: 200,
      count: 2,
    });
    void waiting.then(() => {
      answered = true;
    });
    await look(client);
    await quote(client);
    await soon();
    expect(answered).toBe(false);
    await look(client);
    expect(await waiting).toHaveLength(2);
  });

  test('waits for anything if nothing is said', async () => {
    const client = createClient();
    const waiting = control(client.sandbox, 'awaitJournal', { key: client.merchant.apiKey });
    await quote(client);
    expect((await waiting).body.data).toMatchObject([{ operation: 'getMotorQuote', status: 422 }]);
  });

  test('ends with 408, the nearest misses and how they differ', async () => {
    const client = createClient();
    await look(client);
    await quote(client);
    await client.call('getMotorQuote', { product_id: 4, vehicle_value: 1 });
    const body = {
      operation: 'getMotorQuote',
      status: 200,
      count: 2,
      timeout: 'PT0.01S',
    } as const;
    const answer = await control(client.sandbox, 'awaitJournal', {
      key: client.merchant.apiKey,
      body,
    });
    expect(answer.status).toBe(408);
    expect(answer.body.detail).toBe(
      'Waited PT0.01S for 2 of getMotorQuote with status 200; 1 came.',
    );
    expect(answer.body.found).toBe(1);
    expect(answer.body.misses).toMatchObject([
      { entry: { id: 'req-3-2' }, differences: [{ path: '$.status', expected: 200, seen: 422 }] },
      {
        entry: { id: 'req-3-1' },
        differences: [
          { path: '$.operation', expected: 'getMotorQuote', seen: 'listMotorPolicies' },
        ],
      },
    ]);
    await expect(client.merchant.journal.await(body)).rejects.toMatchObject({
      name: 'ControlError',
      status: 408,
      problem: answer.body,
    });
  });

  test('goes on in the new World after a reset or a restore, and counts anew', async () => {
    const client = createClient();
    const fresh = client.merchant.snapshot();
    for (const begin of [() => client.merchant.reset(), () => client.merchant.restore(fresh)]) {
      await look(client);
      const waiting = client.merchant.journal.await({ count: 2 });
      begin();
      await look(client);
      await look(client);
      expect((await waiting).map(({ id }) => id)).toEqual(['req-3-2', 'req-3-1']);
      client.merchant.reset();
    }
  });

  test('counts anew when the journal was cleared', async () => {
    const client = createClient();
    await look(client);
    const waiting = client.merchant.journal.await({ count: 2 });
    await control(client.sandbox, 'clearJournal', { key: client.merchant.apiKey });
    await look(client);
    expect(await isSettled(waiting)).toBe(false);
    await look(client);
    expect((await waiting).map(({ id }) => id)).toEqual(['req-3-3', 'req-3-2']);
  });

  test('counts no call that began in a World which was reset meanwhile', async () => {
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

  test('counts no call that the journal had to let go', async () => {
    const client = createClient();
    const fill = { headers: { authorization: `Bearer ${client.merchant.apiKey}` } };
    await look(client);
    for (let calls = 0; calls < 999; calls++) {
      await client.sandbox.fetch(new Request('http://sandbox/api/merchant', fill));
    }
    const waiting = client.merchant.journal.await({ operation: 'listMotorPolicies', count: 2 });
    await quote(client);
    await look(client);
    expect(await isSettled(waiting)).toBe(false);
    await look(client);
    expect((await waiting).map(({ id }) => id)).toEqual(['req-3-1003', 'req-3-1002']);
  });

  test('ends at once when a restored World has them', async () => {
    const client = createClient();
    await look(client);
    const saved = client.merchant.snapshot();
    client.merchant.journal.clear();
    const waiting = client.merchant.journal.await({});
    client.merchant.restore(saved);
    expect(await waiting).toHaveLength(1);
  });

  test('ends when the merchant is removed', async () => {
    const client = createClient();
    const waiting = client.merchant.journal.await({});
    client.merchant.remove();
    await expect(waiting).rejects.toMatchObject({ status: 404 });
  });

  test('ends when the client goes away', async () => {
    const { sandbox, merchant } = createClient();
    const gone = new AbortController();
    const waiting = sandbox.fetch(
      new Request('http://sandbox/_sandbox/journal/await', {
        method: 'POST',
        headers: { authorization: `Bearer ${merchant.apiKey}`, 'content-type': 'application/json' },
        body: '{"timeout":"PT1H"}',
        signal: gone.signal,
      }),
    );
    await soon();
    gone.abort();
    await expect(waiting).rejects.toMatchObject({ name: 'AbortError' });
  });

  test.each([
    [{ count: 0 }, 'count: expected at least 1, got 0'],
    [{ count: -1 }, 'count: expected at least 1, got -1'],
    [{ count: 1001 }, 'count: expected at most 1000, got 1001'],
    [{ count: 1.5 }, 'count: expected whole number, got 1.5'],
    [{ status: 42 }, 'status: expected at least 100, got 42'],
    [
      { timeout: '5s' },
      'timeout must be an ISO 8601 duration like PT15M, P1D or P1M, not negative; got "5s".',
    ],
    [{ timeout: 'P1Y' }, 'timeout must be at most 86400 seconds; got "P1Y".'],
    [
      { operation: 'getMotorQuotes' },
      'operation: there is no operation "getMotorQuotes"; did you mean "getMotorQuote"?',
    ],
    [{ token: 'x' }, 'the document: unknown "token"; known: operation, status, count, timeout'],
  ])('refuses %j', async (body, detail) => {
    const { sandbox, merchant } = createClient();
    const answer = await control(sandbox, 'awaitJournal', { key: merchant.apiKey, body });
    expect([answer.status, answer.body.detail]).toEqual([422, detail]);
    await expect(merchant.journal.await(body as object)).rejects.toThrow(detail);
  });
});
