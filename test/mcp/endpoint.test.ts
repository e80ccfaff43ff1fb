import { StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { describe, expect, test } from 'vitest';
import { openSandbox } from '../../src/sandbox/open-sandbox.ts';
import { SERVED_TOOLS } from '../../src/tools/served.ts';
import { serveHere } from '../node/command.ts';
import { createDemoClient, type Fetcher, fetchOver } from '../support/client.ts';
import { JSON_TYPES, NOT_JSON_TYPE, OTHER_TYPES } from '../support/content-types.ts';
import { collectGarbage } from '../support/memory.ts';
import { connect, connectTo } from './agent.ts';

const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list' };

interface Sent {
  readonly body?: string;
  readonly headers?: Record<string, string>;
  /** Another machine. */
  readonly from?: string;
  readonly method?: string;
}

/** Sends a message as it is. */
async function post(
  sandbox: Fetcher,
  { body, headers, from = '127.0.0.1', method = 'POST' }: Sent,
) {
  const request = new Request('http://127.0.0.1:4015/_sandbox/mcp', {
    method,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      ...headers,
    },
    ...(method === 'POST' && { body: body ?? JSON.stringify(LIST) }),
  });
  const response = await fetchOver(sandbox, { remoteAddress: from }, request);
  const text = await response.text();
  return { status: response.status, headers: response.headers, text };
}

const key = { authorization: 'Bearer sk_sandbox_other' };

describe('who may use it', () => {
  test.each<[string, Sent, number]>([
    ['this machine, without a key', {}, 200],
    ['this machine, with a key', { headers: key }, 200],
    ['another machine, with a key', { headers: key, from: '10.0.0.7' }, 200],
    ['another machine, without a key', { from: '10.0.0.7' }, 401],
    ['an unknown key', { headers: { authorization: 'Bearer sk_nobody' } }, 401],
    ['a Host that is not this machine', { headers: { host: 'evil.example' } }, 401],
    ['a page of this sandbox', { headers: { origin: 'http://127.0.0.1:4015' } }, 200],
    ['a page of another site', { headers: { origin: 'https://evil.example' } }, 403],
    ['such a page with a key', { headers: { ...key, origin: 'https://evil.example' } }, 403],
    [
      'such a page with a key from another machine',
      { headers: { ...key, origin: 'https://evil.example' }, from: '10.0.0.7' },
      403,
    ],
    ['a page of no site', { headers: { origin: 'null' } }, 403],
  ])('%s', async (_, sent, status) => {
    const answer = await post(createDemoClient().sandbox, sent);
    expect(answer.status, answer.text).toBe(status);
    if (status === 200) expect(answer.text).toContain('create_merchant');
    else expect(JSON.parse(answer.text)).toMatchObject({ type: 'about:blank', status });
  });

  test('an unknown key is told as that', async () => {
    const headers = { authorization: 'Bearer sk_nobody' };
    const { text } = await post(createDemoClient().sandbox, { headers });
    expect(JSON.parse(text).detail).toContain('--auto-merchants');
  });

  test('create_merchant needs the admin token if one is set, and World tools do not', async () => {
    const { sandbox } = createDemoClient({ adminToken: 'top-secret' });
    const stranger = await connectTo(sandbox);
    await expect(stranger.use('create_merchant')).rejects.toThrow('The admin token is required');
    expect(await stranger.use('list_records', { family: 'motor' })).toContain('policies');
    const admin = await connectTo(sandbox, { key: 'top-secret' });
    expect(await admin.use('create_merchant')).toContain('has the key');
    expect(await admin.use('list_records', { family: 'motor' })).toContain('policies');
  });

  test('a public URL with a path is told, and tools still reach the sandbox', async () => {
    const { sandbox } = createDemoClient({ publicUrl: 'https://sandbox.example/base' });
    const agent = await connect(
      new StreamableHTTPClientTransport(new URL('http://127.0.0.1:4015/_sandbox/mcp'), {
        fetch: (input, init) =>
          fetchOver(sandbox, { remoteAddress: '127.0.0.1' }, new Request(input, init)),
      }),
    );
    expect(agent.client.getInstructions()).toContain('Base URL: https://sandbox.example/base\n');
    expect(await agent.use('reset')).toContain('is as at its start');
    expect(await agent.use('create_merchant')).toContain('has the key');
    expect(await agent.read('llms.txt')).toContain('https://sandbox.example/base');
  });

  test('without a demo merchant, World tools ask for a key', async () => {
    const merchants = { merchants: [{ id: 9, name: 'Mine', api_key: 'sk_mine' }] };
    const { sandbox } = openSandbox(
      { fixtures: { 'merchants.json': merchants } },
      {},
      SERVED_TOOLS,
    );
    const agent = await connectTo(sandbox);
    await expect(agent.use('reset')).rejects.toThrow('create_merchant');
    expect(agent.client.getInstructions()).toContain('API key: create a merchant first');
  });

  test('with --auto-merchants an unknown key opens a World', async () => {
    const { sandbox } = createDemoClient({ autoMerchants: true });
    const agent = await connectTo(sandbox, { key: 'sk_fresh' });
    expect(await agent.use('list_records', { family: 'motor' })).toContain('0 policies');
  });
});

describe('messages', () => {
  test.each<[string, Sent, number, string]>([
    ['JSON that ends early', { body: '{"jsonrpc":"2.0","id":1,' }, 400, '-32700'],
    ['JSON that is no message', { body: '5' }, 400, '-32600'],
    ['a batch of what is no message', { body: '[1]' }, 400, '-32600'],
    ['a method that is no text', { body: '{"jsonrpc":"2.0","id":8,"method":5}' }, 400, '"id":8'],
    ['a request without jsonrpc', { body: '{"id":8,"method":"ping"}' }, 400, '-32600'],
    ['a byte order mark', { body: `\uFEFF${JSON.stringify(LIST)}` }, 200, 'create_merchant'],
    ['JSON that is nested too deeply', { body: '['.repeat(100_000) }, 400, '-32700'],
    [
      'a tool of every object',
      {
        body: JSON.stringify({ ...LIST, method: 'tools/call', params: { name: '__proto__' } }),
      },
      200,
      'Unknown tool \\"__proto__\\"; known: create_merchant',
    ],
    ['params that are null', { body: JSON.stringify({ ...LIST, params: null }) }, 200, 'reset'],
    [
      'a parameter that is null',
      { body: JSON.stringify({ ...LIST, params: { cursor: null, _meta: null } }) },
      200,
      'reset',
    ],
    [
      'a batch with params that are null',
      { body: JSON.stringify([{ ...LIST, params: null }]), headers: { accept: '*/*' } },
      200,
      'reset',
    ],
    [
      'a wrong parameter',
      { body: JSON.stringify({ ...LIST, params: { cursor: 7 } }) },
      200,
      '-32602',
    ],
    ['an unknown method', { body: '{"jsonrpc":"2.0","id":1,"method":"none"}' }, 200, '-32601'],
    ['a text', { headers: { 'content-type': 'text/plain' } }, 415, 'application/json'],
    ['more than the limit', { body: `"${'x'.repeat(2 ** 21)}"` }, 413, 'larger than'],
    ['GET', { method: 'GET' }, 405, 'supports POST, not GET'],
    ['DELETE', { method: 'DELETE' }, 405, 'supports POST, not DELETE'],
  ])('%s', async (_, sent, status, said) => {
    const { sandbox } = createDemoClient();
    const answer = await post(sandbox, sent);
    expect(answer.status, answer.text).toBe(status);
    expect(answer.text).toContain(said);
    if (status === 405) expect(answer.headers.get('allow')).toBe('POST');
    expect((await post(sandbox, {})).status).toBe(200);
  });
});

describe('the Accept header', () => {
  test.each(['*/*', 'application/*', 'application/json', 'text/html, application/json;q=0.1'])(
    '%s gets JSON',
    async (accept) => {
      const { status, headers, text } = await post(createDemoClient().sandbox, {
        headers: { accept },
      });
      expect(status, text).toBe(200);
      expect(headers.get('content-type')).toContain('application/json');
      expect(JSON.parse(text).result.tools).toHaveLength(10);
    },
  );

  test('that names a stream too gets one', async () => {
    const { status, headers } = await post(createDemoClient().sandbox, {});
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/event-stream');
  });

  test.each(['text/html', '*/*;q=0', 'application/json; q=0.0'])(
    '%s does not allow JSON',
    async (accept) => {
      const { status } = await post(createDemoClient().sandbox, { headers: { accept } });
      expect(status).toBe(406);
    },
  );

  test('a notification and a batch are answered in JSON too', async () => {
    const { sandbox } = createDemoClient();
    const headers = { accept: '*/*' };
    const notification = '{"jsonrpc":"2.0","method":"notifications/initialized"}';
    expect((await post(sandbox, { headers, body: notification })).status).toBe(202);
    const batch = JSON.stringify([LIST, { ...LIST, id: 2, method: 'ping' }]);
    const ids = JSON.parse((await post(sandbox, { headers, body: batch })).text).map(
      ({ id }: { readonly id: number }) => id,
    );
    expect(ids.toSorted()).toEqual([1, 2]);
    const later = { ...headers, 'mcp-protocol-version': '2025-06-18' };
    expect((await post(sandbox, { headers: later, body: batch })).status).toBe(400);
  });
});

describe('a batch', () => {
  const PING = { jsonrpc: '2.0', id: 7, method: 'ping' };
  const NOTIFICATION = { jsonrpc: '2.0', method: 'notifications/initialized' };
  const ANSWER = { jsonrpc: '2.0', id: 7, result: {} };
  const REFUSAL = { id: null, error: { code: -32600, message: 'Invalid request: not an object' } };

  test.each<[string, readonly unknown[], readonly object[]]>([
    ['with one request gets a batch', [PING], [ANSWER]],
    ['with a request and a notification gets a batch', [PING, NOTIFICATION], [ANSWER]],
    ['with what is no message gets the answers of the others too', [PING, 5], [REFUSAL, ANSWER]],
    ['with a notification and what is no message gets the error', [NOTIFICATION, 5], [REFUSAL]],
  ])('%s', async (_, batch, answers) => {
    const { sandbox } = createDemoClient();
    const { status, text } = await post(sandbox, {
      headers: { accept: 'application/json' },
      body: JSON.stringify(batch),
    });
    expect(status, text).toBe(200);
    expect(JSON.parse(text)).toMatchObject(answers);
  });

  test('with what is no message is answered in JSON, not in a stream', async () => {
    const { text } = await post(createDemoClient().sandbox, { body: JSON.stringify([PING, 5]) });
    expect(JSON.parse(text)).toMatchObject([REFUSAL, ANSWER]);
  });
});

test.each(JSON_TYPES)('a message of the type %s is read', async (type) => {
  const { sandbox } = createDemoClient();
  const answer = await post(sandbox, { headers: { 'content-type': type } });
  expect(answer.status, answer.text).toBe(200);
});

test.each(OTHER_TYPES)('a message of the type %s is refused', async (type) => {
  const { sandbox } = createDemoClient();
  const answer = await post(sandbox, { headers: { 'content-type': type } });
  expect(JSON.parse(answer.text)).toMatchObject({ status: 415, detail: NOT_JSON_TYPE });
});

test('a client that goes away ends its wait, also after a garbage collection', async () => {
  const { sandbox, store, handle } = openSandbox({}, {}, SERVED_TOOLS);
  const { listeners } = store.activity;
  const gone = new AbortController();
  const params = { name: 'await_calls', arguments: { timeout: 'PT1H' } };
  // Nothing in the test holds the request.
  const createRequest = () =>
    new Request('http://127.0.0.1:4015/_sandbox/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({ ...LIST, method: 'tools/call', params }),
      signal: gone.signal,
    });
  const answered = Promise.resolve(handle(createRequest(), {})).then((response) => response.text());
  await expect.poll(() => listeners.size).toBe(1);
  collectGarbage();
  gone.abort();
  await expect.poll(() => listeners.size).toBe(0);
  await answered.catch(() => undefined);
  await sandbox.close();
});

test('the request log shows what the tools did', async () => {
  const { url, said, stop } = await serveHere(['--log', 'calls']);
  const agent = await connectTo({ fetch: (_, init) => fetch(`${url}/_sandbox/mcp`, init) });
  await agent.use('reset');
  await agent.client.close();
  await stop();
  expect(said.out).toMatch(/200 {2}POST \/_sandbox\/reset [\d.]+ ms {2}World reset/);
});
