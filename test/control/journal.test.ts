import { describe, expect, test } from 'vitest';
import type { JournalQuery, SandboxJournalQuery } from '../../src/index.ts';
import { createClient, fetchOver, operationOf, requestOf } from '../support/client.ts';
import { control } from '../support/control.ts';
import { initiate, purchaseOf } from '../support/requests.ts';

const STRANGER = { headers: { authorization: 'Bearer sk_wrong' } };

describe('the journal of a merchant', () => {
  test('shows calls and responses as they were, newest first', async () => {
    const client = createClient();
    const token = await initiate(client, 'motor');
    client.merchant.clock.advance('PT1M');
    const answer = await client.call('verifyMotorPolicy', { token });
    const [verify, first] = client.merchant.journal.list();
    expect(first?.operation).toBe('initiateMotorPolicy');
    expect(verify).toEqual({
      id: answer.headers.get('sandbox-request-id'),
      merchant: { id: 3, name: 'Merchant 3' },
      at: '2026-01-31T10:01:00.000Z',
      operation: 'verifyMotorPolicy',
      method: 'POST',
      path: operationOf('verifyMotorPolicy').path,
      status: 200,
      duration_ms: 0,
      received_at: expect.stringMatching(/^\d{4}-.*Z$/),
      elapsed_ms: expect.any(Number),
      fault: null,
      hint: null,
      assumptions: answer.headers.get('sandbox-assumptions')?.split(', '),
      problems: [],
      summary: `Bola Ade · yearly · policy ${answer.body.data.policy_number}`,
      changes: [
        { change: 'removed', table: 'motor.pending', key: token },
        { change: 'added', table: 'motor.used', key: token },
        { change: 'added', table: 'motor.policies', key: answer.body.data.policy_number },
      ],
      request: {
        headers: { authorization: '[redacted]', 'content-type': 'application/json' },
        body: { token },
      },
      response: { headers: Object.fromEntries(answer.headers), body: answer.body },
    });
  });

  test('shows unknown routes and wrong methods, but no calls without a valid key', async () => {
    const client = createClient();
    const headers = { authorization: `Bearer ${client.merchant.apiKey}` };
    await client.sandbox.fetch('/nowhere?a=1', { headers });
    await client.call('getMotorQuote', {}, { method: 'DELETE' });
    await client.call('getMotorQuote', {}, STRANGER);
    const { path } = operationOf('getMotorQuote');
    const entries = client.merchant.journal.list();
    expect(entries).toHaveLength(2);
    expect(entries).toMatchObject([
      { operation: 'getMotorQuote', method: 'DELETE', path, status: 405 },
      { operation: null, method: 'GET', path: '/nowhere?a=1', status: 404 },
    ]);
  });

  test('filters by operation, status, token and limit', async () => {
    const client = createClient();
    const token = await initiate(client, 'motor');
    const other = await initiate(client, 'group_life');
    for (const body of [{ token }, { token }, {}]) await client.call('verifyMotorPolicy', body);
    const idsOf = (query: JournalQuery) =>
      client.merchant.journal.list(query).map(({ id }) => id.replace('req-3-', ''));
    expect(idsOf({ token })).toEqual(['4', '3', '1']);
    expect(idsOf({ token: other })).toEqual(['2']);
    expect(idsOf({ token: 'nobody' })).toEqual([]);
    expect(idsOf({ operation: 'verifyMotorPolicy' })).toEqual(['5', '4', '3']);
    expect(idsOf({ operation: 'verifyMotorPolicy', status: 422 })).toEqual(['5']);
    expect(idsOf({ status: 200, limit: 2 })).toEqual(['3', '2']);
    expect(idsOf({ token, status: 200, limit: 1 })).toEqual(['3']);
  });

  test('finds the calls whose client got no complete response', async () => {
    const client = createClient();
    const { sandbox, merchant } = client;
    await client.call('listMotorPolicies', {});
    merchant.faults.add({ stage: 'after', effect: { kind: 'drop' } });
    await expect(merchant.call('listMotorPolicies')).rejects.toThrow('fetch failed');
    const [lost] = merchant.journal.list();
    expect(merchant.journal.list({ status: 'lost' })).toEqual([lost]);
    const query = { key: merchant.apiKey, query: { status: 'lost' } };
    expect((await control(sandbox, 'listJournal', query)).body.data).toEqual([lost]);
    const answered = { key: merchant.apiKey, query: { status: '200', limit: '1' } };
    expect((await control(sandbox, 'listJournal', answered)).body.data).toHaveLength(1);
  });

  test('is listed 100 entries at a time, and at most 1,000', async () => {
    const client = createClient();
    for (let call = 0; call < 110; call++) await client.call('listMotorPolicies');
    const { journal } = client.merchant;
    expect(journal.list().map(({ id }) => id)).toEqual(
      Array.from({ length: 100 }, (_, place) => `req-3-${110 - place}`),
    );
    expect(journal.list({ limit: 1000 })).toHaveLength(110);
    expect(() => journal.list({ limit: 1001 })).toThrow('limit: expected at most 1000, got 1001');
  });

  test('finds the initiate of a token, even if its response was lost', async () => {
    const client = createClient();
    const headers = { 'sandbox-fault': 'after; drop' };
    const lost = client.call('initiateMotorPolicy', purchaseOf('motor'), { headers });
    await expect(lost).rejects.toThrow(TypeError);
    const [entry] = client.merchant.journal.list();
    const token = String(/"token":"(\w+)"/.exec(JSON.stringify(entry))?.[1]);
    expect(client.merchant.journal.list({ token })).toEqual([entry]);
    expect((await client.call('verifyMotorPolicy', { token })).status).toBe(200);
  });

  test('joins repeated headers', async () => {
    const { sandbox, merchant } = createClient();
    const request = requestOf(operationOf('listMotorPolicies'), 'http://sandbox', merchant.apiKey);
    await fetchOver(sandbox, { rawHeaders: ['X-Trace', 'one', 'x-trace', 'two'] }, request);
    expect(merchant.journal.list()[0]?.request.headers).toEqual({ 'x-trace': 'one, two' });
  });

  test('shows a header named __proto__', async () => {
    const { sandbox, merchant } = createClient();
    const headers = [
      ['authorization', `Bearer ${merchant.apiKey}`],
      ['__proto__', 'a'],
      ['__proto__', 'b'],
    ] as [string, string][];
    await sandbox.fetch('/nowhere', { headers });
    const shown = () => JSON.stringify(merchant.journal.list()[0]?.request.headers);
    expect(shown()).toBe('{"__proto__":"a, b","authorization":"[redacted]"}');
  });

  test('shares nothing with the code that reads it', async () => {
    const client = createClient();
    await initiate(client, 'motor');
    const [entry] = client.merchant.journal.list();
    const before = JSON.stringify(entry);
    Object.assign((entry as { request: { body: object } }).request.body, { email: 'changed' });
    expect(JSON.stringify(client.merchant.journal.list()[0])).toBe(before);
  });

  test('returns an entry by its Sandbox-Request-Id, to its own merchant only', async () => {
    const client = createClient();
    const { headers } = await client.call('listMotorPolicies');
    const id = headers.get('sandbox-request-id') as string;
    expect(client.merchant.journal.get(id)).toEqual(client.merchant.journal.list()[0]);
    const other = client.sandbox.createMerchant();
    expect(() => other.journal.get(id)).toThrow(`The journal has no entry "${id}"`);
    const answer = await control(client.sandbox, 'getJournalEntry', { key: other.apiKey, id });
    expect(answer.status).toBe(404);
  });
});

describe('the journal of a sandbox', () => {
  test('merges all journals, newest first, each entry with its merchant', async () => {
    const client = createClient();
    const other = client.as(client.sandbox.createMerchant({ name: 'Other' }));
    await client.call('listMotorPolicies');
    await other.call('listGroupLifePolicies');
    await client.call('getMotorQuote', {}, STRANGER);
    await client.call('listMotorPolicies');
    expect((await control(client.sandbox, 'listSandboxJournal')).body.data).toMatchObject([
      { id: 'req-3-2', merchant: { id: 3, name: 'Merchant 3' } },
      { id: 'req-0-1', merchant: null },
      { id: 'req-4-1', merchant: { id: 4, name: 'Other' } },
      { id: 'req-3-1', merchant: { id: 3, name: 'Merchant 3' } },
    ]);
  });

  test('has the real milliseconds of a call even if the clock is frozen, until a snapshot replaces it', async () => {
    const { call, merchant, sandbox } = createClient();
    await call('listMotorPolicies', {}, { headers: { 'sandbox-fault': 'before; delay; ms=20' } });
    const [delayed] = sandbox.journal();
    expect(delayed?.duration_ms).toBe(0);
    expect(delayed?.elapsed_ms).toBeGreaterThan(15);
    merchant.restore(merchant.snapshot());
    expect(sandbox.journal()[0]).toEqual({ ...delayed, received_at: null, elapsed_ms: null });
  });

  test('shows calls without a valid key, but neither key nor body', async () => {
    const { sandbox } = createClient();
    const headers = { ...STRANGER.headers, 'content-type': 'application/json' };
    const body = '{"vehicle_value":1}';
    await sandbox.fetch('/api/merchant/motor_quote?a=1', { method: 'POST', headers, body });
    expect(sandbox.journal()).toMatchObject([
      {
        id: 'req-0-1',
        at: '2026-01-31T10:00:00.000Z',
        method: 'POST',
        path: '/api/merchant/motor_quote?a=1',
        status: 401,
        duration_ms: 0,
        merchant: null,
        request: { headers: { ...headers, authorization: '[redacted]' }, body: null },
      },
    ]);
    expect(JSON.stringify(sandbox.journal())).not.toContain('sk_wrong');
  });

  test('keeps the newest 1,000 calls without a key', async () => {
    const { sandbox } = createClient();
    for (let call = 0; call < 1003; call++) await sandbox.fetch('/api/nowhere');
    const ids = sandbox.journal({ limit: 1000 }).map(({ id }) => id);
    expect([ids.length, ids[0], ids.at(-1)]).toEqual([1000, 'req-0-1003', 'req-0-4']);
  });

  test('is listed up to the bytes that the journal of one World may have', async () => {
    const client = createClient();
    const { sandbox } = client;
    const body = { group_name: 'x'.repeat(1024 * 1024 - 100) };
    for (const merchant of [client.merchant, sandbox.createMerchant()]) {
      const { call } = client.as(merchant);
      for (let count = 0; count < 6; count++) await call('initiateGroupLifePolicy', body);
    }
    const ids = sandbox.journal({ limit: 1000 }).map(({ id }) => id);
    expect([ids[0], ids.length]).toEqual(['req-4-6', 7]);
  });

  test('filters by merchant, operation, status, token and limit, which is 100 by default', async () => {
    const client = createClient();
    const { sandbox } = client;
    const other = client.as(sandbox.createMerchant());
    const token = await initiate(client, 'motor');
    await other.call('verifyMotorPolicy', { token });
    await client.call('verifyMotorPolicy', { token });
    for (let call = 0; call < 110; call++) await other.call('listMotorPolicies');
    const idsOf = (query: SandboxJournalQuery) => sandbox.journal(query).map(({ id }) => id);
    expect(idsOf({})).toHaveLength(100);
    expect(idsOf({ token })).toEqual(['req-3-2', 'req-4-1', 'req-3-1']);
    expect(idsOf({ token, merchant: 3, limit: 1 })).toEqual(['req-3-2']);
    expect(idsOf({ operation: 'verifyMotorPolicy', status: 400 })).toEqual(['req-4-1']);
    expect(idsOf({ merchant: 4, status: 400, limit: 1000 })).toEqual(['req-4-1']);
  });
});
