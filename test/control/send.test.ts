import { expect, onTestFinished, test } from 'vitest';
import { sampleRequests } from '../../src/index.ts';
import { startSandbox } from '../../src/node.ts';
import { type Client, createClient } from '../support/client.ts';
import { control } from '../support/control.ts';
import { exchange } from '../support/raw-exchange.ts';

const MEMBER = sampleRequests.initiateMicroHealthSubscription;

const initiate = '/api/merchant/micro_health/initiate';

test('a verify whose response was lost tells, sent again, that its token is used', async () => {
  const { merchant } = createClient();
  merchant.faults.add({
    match: { operation: 'verifyMicroHealthSubscription' },
    stage: 'after',
    effect: { kind: 'drop' },
  });
  const { token } = await merchant.data('initiateMicroHealthSubscription', MEMBER);
  await expect(merchant.call('verifyMicroHealthSubscription', { token })).rejects.toThrow();
  const [lost] = merchant.journal.list({ status: 'lost' });

  const again = await merchant.journal.send(lost?.id as string);
  expect(again).toMatchObject({
    operation: 'verifyMicroHealthSubscription',
    status: 400,
    problems: [{ rule: 'token_used' }],
  });
  expect(merchant.journal.list()[0]).toEqual(again);
});

test('a call is sent with the values that the journal hides', async () => {
  const { merchant } = createClient();
  await merchant.data('initiateMicroHealthSubscription', MEMBER);
  const [shown] = merchant.journal.list();
  expect(shown?.request.body).toMatchObject({ nin_number: '[redacted]' });

  const again = await merchant.journal.send(shown?.id as string);
  expect(again.status).toBe(200);
  // The service refuses any other text in place of an identity number.
  const edited = { ...(shown?.request.body as object), first_name: 'Bisi' };
  const other = await merchant.journal.send(shown?.id as string, { body: edited });
  expect(other).toMatchObject({ status: 200, request: { body: { first_name: 'Bisi' } } });
});

test('a call of a merchant with a new key is sent with that key', async () => {
  const { merchant } = createClient();
  await merchant.call('listMicroHealthSubscriptions');
  merchant.rotateKey();
  expect(await merchant.journal.send('req-3-1')).toMatchObject({ id: 'req-3-2', status: 200 });
});

test('a call is sent with its method, path and headers', async () => {
  const { merchant } = createClient();
  const path = '/api/merchant/micro_health/all_subscriptions?per_page=2';
  await merchant
    .fetch(path, { headers: { 'x-trace': 'a1', 'sandbox-fault': 'after; drop' } })
    .catch(() => {});
  const again = await merchant.journal.send('req-3-1');
  expect(again).toMatchObject({ method: 'GET', path, status: 200, fault: null });
  expect(again.request.headers).toMatchObject({ 'x-trace': 'a1' });
});

test.each(['drop', 'truncate', 'hang', 'malformed'] as const)(
  'a fault can act on it, in place of the rules: %s',
  async (kind) => {
    const { merchant } = createClient();
    await merchant.call('listMicroHealthSubscriptions');
    merchant.faults.add({ stage: 'before', effect: { kind: 'respond', status: 503 } });
    const fault = { stage: 'after', effect: { kind } } as const;
    expect(await merchant.journal.send('req-3-1', { fault })).toMatchObject({
      fault: { id: null, ...fault },
    });
    expect(merchant.faults.list()).toHaveLength(1);
    expect(await merchant.journal.send('req-3-1')).toMatchObject({ status: 503 });
  },
);

test('over HTTP and through connect it does the same', async () => {
  const { sandbox, merchant } = createClient();
  await merchant.call('listMicroHealthSubscriptions');
  const key = merchant.apiKey;
  const { status, body } = await control(sandbox, 'sendJournalEntry', { key, id: 'req-3-1' });
  expect([status, body.id, body.status]).toEqual([200, 'req-3-2', 200]);
  const fault = { stage: 'after', effect: { kind: 'drop' } };
  const lost = await control(sandbox, 'sendJournalEntry', { key, id: 'req-3-1', body: { fault } });
  expect(lost.body.fault).toEqual({ id: null, ...fault });
  expect(merchant.journal.get('req-3-2')).toEqual(body);
});

test('a body can be JSON or its text, broken JSON is refused', async () => {
  const { merchant } = createClient();
  await merchant.call('initiateMicroHealthSubscription', MEMBER);
  const send = (body: unknown) => merchant.journal.send('req-3-1', { body });
  expect(await send(JSON.stringify(MEMBER))).toMatchObject({ status: 200 });
  expect(await send([])).toMatchObject({ status: 422 });
  await expect(send('{"first_name":')).rejects.toMatchObject({
    status: 422,
    message: 'body: expected JSON, or a text that is JSON',
  });
  expect(merchant.journal.list()).toHaveLength(3);
});

const UNSENDABLE: readonly [string, number, (client: Client) => Promise<string>][] = [
  ['if the journal does not have it', 404, async () => 'req-3-9'],
  [
    'if it had no valid key',
    409,
    async ({ sandbox }) => {
      const response = await sandbox.fetch(initiate, { method: 'POST' });
      return response.headers.get('sandbox-request-id') as string;
    },
  ],
  [
    'if its path does not support the method',
    409,
    async ({ merchant }) => {
      expect((await merchant.fetch(initiate)).status).toBe(405);
      return 'req-3-1';
    },
  ],
  [
    'if it comes from a snapshot',
    409,
    async ({ merchant }) => {
      await merchant.call('listMicroHealthSubscriptions');
      merchant.restore(merchant.snapshot());
      return 'req-3-1';
    },
  ],
];

test.each(UNSENDABLE)('a call is not sent again %s: %i', async (_why, status, callOf) => {
  const client = createClient();
  const { merchant, sandbox } = client;
  const id = await callOf(client);
  const before = merchant.journal.list();
  await expect(merchant.journal.send(id)).rejects.toMatchObject({ status });
  const answer = await control(sandbox, 'sendJournalEntry', { key: merchant.apiKey, id });
  expect(answer.status).toBe(status);
  expect(merchant.journal.list()).toEqual(before);
});

test('a call whose method no fetch sends is not sent again: 409', async () => {
  const { sandbox, url, close } = await startSandbox({ port: 0 });
  onTestFinished(close);
  const merchant = sandbox.merchant('sk_sandbox_demo');
  const head = `TRACE /api/traces HTTP/1.1\r\nHost: 127.0.0.1\r\nAuthorization: Bearer ${merchant.apiKey}`;
  await exchange(Number(new URL(url).port), `${head}\r\nConnection: close\r\n\r\n`);
  const [entry] = merchant.journal.list();
  expect(entry).toMatchObject({ method: 'TRACE', status: 404 });
  await expect(merchant.journal.send(entry?.id as string)).rejects.toMatchObject({
    status: 409,
    message: 'req-1-1 cannot be sent again: programs cannot send TRACE.',
  });
});

test('a call whose body was not read is sent only with another body', async () => {
  const { merchant } = createClient();
  const headers = { 'content-type': 'application/json' };
  const body = `"${'x'.repeat(1024 * 1024)}"`;
  expect((await merchant.fetch(initiate, { method: 'POST', headers, body })).status).toBe(413);
  await expect(merchant.journal.send('req-3-1')).rejects.toMatchObject({ status: 409 });
  expect(await merchant.journal.send('req-3-1', { body: MEMBER })).toMatchObject({ status: 200 });
});

test('a fault without an effect at its stage is refused, and nothing is sent', async () => {
  const { merchant } = createClient();
  await merchant.call('listMicroHealthSubscriptions');
  const fault = { stage: 'after', effect: { kind: 'advance', by: 'PT1M' } } as const;
  await expect(merchant.journal.send('req-3-1', { fault })).rejects.toMatchObject({ status: 422 });
  expect(merchant.journal.list()).toHaveLength(1);
});
