import { expect, test } from 'vitest';
import { createSandbox, type SandboxJournalQuery } from '../../src/index.ts';
import { BASE, createClient, START } from '../support/client.ts';
import { control } from '../support/control.ts';
import { initiate } from '../support/requests.ts';

test('all journals are shown as one, newest first, each entry with its merchant', async () => {
  const client = createClient();
  const other = client.as(client.sandbox.createMerchant({ name: 'Other' }));
  await client.call('listMotorPolicies');
  await other.call('listGroupLifePolicies');
  await client.call('getMotorQuote', {}, { headers: { authorization: 'Bearer sk_wrong' } });
  await client.call('listMotorPolicies');
  const answer = await control(client.sandbox, 'listSandboxJournal');
  expect(
    answer.body.data.map((entry: { id: string; merchant: unknown }) => [entry.id, entry.merchant]),
  ).toEqual([
    ['req-3-2', { id: 3, name: 'Merchant 3' }],
    ['req-0-1', null],
    ['req-4-1', { id: 4, name: 'Other' }],
    ['req-3-1', { id: 3, name: 'Merchant 3' }],
  ]);
});

test('a call without a valid key shows what came but its key and its body, which is not read', async () => {
  const sandbox = createSandbox({ now: START, clock: 'frozen' });
  await sandbox.fetch(
    new Request(`${BASE}/api/merchant/motor_quote?a=1`, {
      method: 'POST',
      headers: { authorization: 'Bearer sk_wrong', 'content-type': 'application/json' },
      body: '{"vehicle_value":1}',
    }),
  );
  const [entry] = sandbox.journal();
  expect(entry).toMatchObject({
    id: 'req-0-1',
    at: '2026-01-31T10:00:00.000Z',
    method: 'POST',
    path: '/api/merchant/motor_quote?a=1',
    status: 401,
    duration_ms: 0,
    merchant: null,
    request: {
      headers: { authorization: '[redacted]', 'content-type': 'application/json' },
      body: null,
    },
  });
  expect(JSON.stringify(sandbox.journal())).not.toContain('sk_wrong');
});

test('it keeps the newest 1,000 calls without a key', async () => {
  const sandbox = createSandbox({ now: START, clock: 'frozen' });
  for (let call = 0; call < 1003; call++) await sandbox.fetch(new Request(`${BASE}/api/nowhere`));
  const entries = sandbox.journal({ limit: 1000 });
  expect([entries.length, entries[0]?.id, entries.at(-1)?.id]).toEqual([
    1000,
    'req-0-1003',
    'req-0-4',
  ]);
});

test('it is chosen by merchant, operation, status, token and number; 100 come unless asked for', async () => {
  const client = createClient();
  const other = client.as(client.sandbox.createMerchant());
  const token = await initiate(client, 'motor');
  await other.call('verifyMotorPolicy', { token });
  await client.call('verifyMotorPolicy', { token });
  for (let call = 0; call < 110; call++) await other.call('listMotorPolicies');
  const { sandbox } = client;
  const idsOf = (query: Parameters<typeof sandbox.journal>[0]) =>
    sandbox.journal(query).map(({ id }) => id);
  expect(idsOf({})).toHaveLength(100);
  expect(idsOf({ token })).toEqual(['req-3-2', 'req-4-1', 'req-3-1']);
  expect(idsOf({ token, merchant: 3, limit: 1 })).toEqual(['req-3-2']);
  expect(idsOf({ operation: 'verifyMotorPolicy', status: 400 })).toEqual(['req-4-1']);
  const answer = await control(sandbox, 'listSandboxJournal', {
    query: { merchant: 4, status: 400, limit: 1000 },
  });
  expect(answer.body.data).toHaveLength(1);
});

test.each([
  [{ merchant: 99 }, 404, 'There is no merchant "99"'],
  [{ limit: 1001 }, 422, 'limit'],
  [{ operation: 'getMotorQote' }, 422, 'getMotorQuote'],
])('%j is refused with %i', async (query, status, message) => {
  const { sandbox } = createClient();
  const answer = await control(sandbox, 'listSandboxJournal', { query });
  expect(answer.status).toBe(status);
  expect(answer.body.detail).toContain(message);
  expect(() => sandbox.journal(query as SandboxJournalQuery)).toThrow(message);
});

test('one entry is found by the Sandbox-Request-Id of its call, by its own merchant alone', async () => {
  const client = createClient();
  const { headers } = await client.call('listMotorPolicies');
  const id = headers.get('sandbox-request-id') as string;
  expect(client.merchant.journal.get(id)).toEqual(client.merchant.journal.list()[0]);
  const other = client.sandbox.createMerchant();
  expect(() => other.journal.get(id)).toThrow(`The journal has no entry "${id}"`);
  const answer = await control(client.sandbox, 'getJournalEntry', { key: other.apiKey, id });
  expect(answer.status).toBe(404);
});
