import { describe, expect, test } from 'vitest';
import { createClient, fetchOver, operationOf, requestOf } from '../support/client.ts';
import { control } from '../support/control.ts';
import { initiate, purchaseOf } from '../support/requests.ts';

describe('the journal', () => {
  test('shows a call and its answer as they were, newest first', async () => {
    const client = createClient();
    const token = await initiate(client, 'motor');
    client.merchant.clock.advance('PT1M');
    const answer = await client.call('verifyMotorPolicy', { token });
    const [verify, first] = client.merchant.journal.list();
    expect(first?.operation).toBe('initiateMotorPolicy');
    expect(verify).toEqual({
      id: answer.headers.get('sandbox-request-id'),
      at: '2026-01-31T10:01:00.000Z',
      operation: 'verifyMotorPolicy',
      method: 'POST',
      path: operationOf('verifyMotorPolicy').path,
      status: 200,
      duration_ms: 0,
      fault: null,
      request: {
        headers: { authorization: '[redacted]', 'content-type': 'application/json' },
        body: { token },
      },
      response: { headers: Object.fromEntries(answer.headers), body: answer.body },
    });
  });

  test('shows unknown routes and wrong methods, and nothing of strangers', async () => {
    const client = createClient();
    const headers = { authorization: `Bearer ${client.merchant.apiKey}` };
    await client.sandbox.fetch(new Request('http://sandbox/nowhere?a=1', { headers }));
    await client.call('getMotorQuote', {}, { method: 'DELETE' });
    await client.call('getMotorQuote', {}, { headers: { authorization: 'Bearer nobody' } });
    expect(
      client.merchant.journal
        .list()
        .map(({ operation, method, path, status }) => [operation, method, path, status]),
    ).toEqual([
      ['getMotorQuote', 'DELETE', operationOf('getMotorQuote').path, 405],
      [null, 'GET', '/nowhere?a=1', 404],
    ]);
  });

  test('is filtered by operation, status, token and number', async () => {
    const client = createClient();
    const { sandbox, merchant } = client;
    const key = merchant.apiKey;
    const tokens = [await initiate(client, 'motor'), await initiate(client, 'group_life')];
    await client.call('verifyMotorPolicy', { token: tokens[0] });
    await client.call('verifyMotorPolicy', { token: tokens[0] });
    await client.call('verifyMotorPolicy', {});
    const found = async (query: Record<string, string | number>) => {
      const { body } = await control(sandbox, 'listJournal', { key, query });
      const listed = body.data.map(({ id }: { id: string }) => id);
      expect(merchant.journal.list(query).map(({ id }) => id)).toEqual(listed);
      return body.data.map(
        ({ operation, status }: { operation: string; status: number }) => `${operation} ${status}`,
      );
    };
    expect(await found({ token: tokens[0] as string })).toEqual([
      'verifyMotorPolicy 400',
      'verifyMotorPolicy 200',
      'initiateMotorPolicy 200',
    ]);
    expect(await found({ token: tokens[1] as string })).toEqual(['initiateGroupLifePolicy 200']);
    expect(await found({ token: 'nobody' })).toEqual([]);
    expect(await found({ operation: 'verifyMotorPolicy' })).toHaveLength(3);
    expect(await found({ operation: 'verifyMotorPolicy', status: 422 })).toHaveLength(1);
    expect(await found({ status: 200, limit: 2 })).toEqual([
      'verifyMotorPolicy 200',
      'initiateGroupLifePolicy 200',
    ]);
    expect(await found({ token: tokens[0] as string, status: 200, limit: 1 })).toEqual([
      'verifyMotorPolicy 200',
    ]);
  });

  test.each([
    [{ limit: '0' }, 'limit: expected at least 1, got 0'],
    [{ limit: '-1' }, 'limit: expected at least 1, got -1'],
    [{ limit: '1.5' }, 'limit: expected whole number, got 1.5'],
    [{ limit: 'many' }, 'limit: expected number, got "many"'],
    [{ limit: '' }, 'limit: expected number, got ""'],
    [{ status: '99' }, 'status: expected at least 100, got 99'],
    [
      { operation: 'verifyMotorPolicies' },
      'operation: there is no operation "verifyMotorPolicies"; did you mean "verifyMotorPolicy"?',
    ],
    [{ page: '2' }, 'the document: unknown "page"; known: operation, status, token, limit'],
  ])('refuses the filter %j', async (query, detail) => {
    const { sandbox, merchant } = createClient();
    const answer = await control(sandbox, 'listJournal', {
      key: merchant.apiKey,
      query: query as Record<string, string>,
    });
    expect([answer.status, answer.body.detail]).toEqual([422, detail]);
  });

  test('finds the initiate whose answer was lost by the token it issued', async () => {
    const client = createClient();
    const headers = { 'sandbox-fault': 'after; drop' };
    await client
      .call('initiateMotorPolicy', purchaseOf('motor'), { headers })
      .catch(() => undefined);
    const [lost] = client.merchant.journal.list();
    const token = String(/"token":"(\w+)"/.exec(JSON.stringify(lost))?.[1]);
    expect(client.merchant.journal.list({ token })).toEqual([lost]);
    expect((await client.call('verifyMotorPolicy', { token })).status).toBe(200);
  });

  test('joins a header that was sent twice', async () => {
    const { sandbox, merchant } = createClient();
    const request = requestOf(operationOf('listMotorPolicies'), 'http://sandbox', merchant.apiKey);
    await fetchOver(sandbox, { rawHeaders: ['X-Trace', 'one', 'x-trace', 'two'] }, request);
    expect(merchant.journal.list()[0]?.request.headers).toEqual({ 'x-trace': 'one, two' });
  });

  test('shares nothing with the code that reads it', async () => {
    const client = createClient();
    await initiate(client, 'motor');
    const [entry] = client.merchant.journal.list();
    const before = JSON.stringify(entry);
    Object.assign((entry as { request: { body: object } }).request.body, { email: 'changed' });
    expect(JSON.stringify(client.merchant.journal.list()[0])).toBe(before);
  });
});
