import { Agent, type IncomingMessage, request } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { startSandbox } from '../../src/node.ts';
import { connection } from '../support/connection.ts';

const QUOTE = '/api/merchant/micro_health/get_quote';
const BODY = JSON.stringify({ product_id: 1, no_of_users: 1, subscription_type: 'monthly' });

/** A quote whose response a fault drops. */
const dropped = (stage: string, ...headers: readonly string[]): string =>
  quoteWith(`${stage}; drop`, ...headers);

const quoteWith = (fault: string, ...headers: readonly string[]): string =>
  [
    `POST ${QUOTE} HTTP/1.1`,
    'Host: localhost',
    'Authorization: Bearer sk_sandbox_demo',
    'Content-Type: application/json',
    `Content-Length: ${BODY.length}`,
    `Sandbox-Fault: ${fault}`,
    ...headers,
    '',
    BODY,
  ].join('\r\n');

async function connectTo() {
  const server = await startSandbox({ port: 0 });
  return { ...connection(server.port), server };
}

test.each(['before', 'after'])(
  '"%s; drop" resets a new connection without a byte',
  async (stage) => {
    const { server, socket, rest } = await connectTo();
    await using _ = server;
    socket.write(dropped(stage));
    expect(await rest()).toEqual({ text: '', ended: 'reset' });
  },
);

test('"after; drop" sends only "100 Continue" on a new connection that asks for it', async () => {
  const { server, socket, rest } = await connectTo();
  await using _ = server;
  socket.write(dropped('after', 'Expect: 100-continue'));
  expect((await rest()).text).toBe('HTTP/1.1 100 Continue\r\n\r\n');
});

test.each(['before', 'after'])(
  '"%s; drop" sends the headers before it resets a connection that has served a call, so that no browser repeats it',
  async (stage) => {
    const { server, socket, until, rest } = await connectTo();
    await using _ = server;
    socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const first = await until('"status"');
    socket.write(dropped(stage));
    const { text } = await rest();
    const [head = '', body] = text.slice(text.indexOf('HTTP/1.1', first.length)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(head.toLowerCase()).toContain(`sandbox-fault: ${stage}; drop`);
    expect(head.toLowerCase()).toMatch(/content-length: [1-9]/);
    expect(body).toBe('');
  },
);

describe('while a World has a rule that ends connections', () => {
  const drop = { stage: 'after', effect: { kind: 'drop' } } as const;
  const onVerify = { operation: 'verifyMotorPolicy' } as const;

  /** Sends requests over an agent that keeps connections, and tells which connection each had. */
  async function keptAlive() {
    const server = await startSandbox({ port: 0 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const connections: unknown[] = [];
    const send = (path: string, method: string, key: string, body = '{}') =>
      new Promise<IncomingMessage>((resolve, reject) => {
        const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
        request(server.url + path, { agent, method, headers }, (response) => {
          response
            .on('error', reject)
            .on('end', () => resolve(response))
            .resume();
        })
          .on('socket', (socket) => connections.push(socket))
          .on('error', reject)
          .end(body);
      });
    const merchant = server.sandbox.createMerchant();
    const quote = async (key = merchant.apiKey) =>
      (await send(QUOTE, 'POST', key, BODY)).headers.connection;
    return {
      merchant,
      quote,
      send: (path: string, method: string, body?: object) =>
        send(path, method, merchant.apiKey, JSON.stringify(body)),
      connections,
      other: server.sandbox.createMerchant(),
      async [Symbol.asyncDispose]() {
        agent.destroy();
        await server.close();
      },
    };
  }

  test('its answers carry "Connection: close", and those of other Worlds do not', async () => {
    await using client = await keptAlive();
    const { merchant, other, quote, connections } = client;
    expect(await quote()).toBe('keep-alive');
    merchant.faults.add({ stage: 'after', effect: { kind: 'hang' }, match: onVerify });
    expect(await quote(), 'a client that waits keeps its connection').toBe('keep-alive');
    merchant.faults.add({ ...drop, match: onVerify });
    expect(await quote()).toBe('close');
    expect(await quote()).toBe('close');
    expect(await quote(other.apiKey)).toBe('keep-alive');
    merchant.faults.clear();
    expect(await quote()).toBe('keep-alive');
    expect(new Set(connections).size).toBe(3);
  });

  test('so do those of its control plane, the first that adds the rule', async () => {
    await using client = await keptAlive();
    const { send } = client;
    const connectionOf = async (...call: Parameters<typeof send>) =>
      (await send(...call)).headers.connection;
    expect(await connectionOf('/_sandbox/clock', 'GET')).toBe('keep-alive');
    expect(await connectionOf('/_sandbox/faults', 'POST', drop)).toBe('close');
    expect(await connectionOf('/_sandbox/clock', 'GET')).toBe('close');
    expect(await connectionOf('/_sandbox/faults', 'DELETE')).toBe('keep-alive');
  });

  test.each(['drop', 'truncate'] as const)(
    'a lost call has a connection of its own, and no other is sent again: %s',
    async (kind) => {
      await using client = await keptAlive();
      const { merchant, quote, connections } = client;
      merchant.faults.add({ stage: 'after', effect: { kind }, skip: 1 });
      expect(await quote()).toBe('close');
      await expect(quote()).rejects.toMatchObject({ code: 'ECONNRESET' });
      expect(await quote()).toBe('keep-alive');
      expect(new Set(connections).size).toBe(3);
      expect(merchant.journal.list()).toHaveLength(3);
    },
  );

  test('fetch sees no status of a lost call', async () => {
    const server = await startSandbox({ port: 0 });
    await using _ = server;
    const merchant = server.sandbox.createMerchant();
    merchant.faults.add({ ...drop, skip: 2 });
    const headers = {
      authorization: `Bearer ${merchant.apiKey}`,
      'content-type': 'application/json',
    };
    const quote = async () => {
      const response = await fetch(server.url + QUOTE, { method: 'POST', headers, body: BODY });
      await response.text();
      return response.status;
    };
    expect([await quote(), await quote()]).toEqual([200, 200]);
    await expect(quote()).rejects.toMatchObject({ cause: { code: 'ECONNRESET' } });
    expect(merchant.journal.list().map(({ status }) => status)).toEqual([200, 200, 200]);
  });

  test('a connection that was used before the rule was added has the headers first', async () => {
    await using client = await keptAlive();
    const { merchant, quote, connections } = client;
    await quote();
    merchant.faults.add(drop);
    await expect(quote()).rejects.toMatchObject({ code: 'ECONNRESET' });
    expect(new Set(connections).size).toBe(1);
  });
});

describe('on a connection with calls waiting before it, a fault acts in its turn:', () => {
  /** Waits for the journal entry of the quote behind it. */
  const waiting = [
    'POST /_sandbox/journal/await HTTP/1.1',
    'Host: localhost',
    'Authorization: Bearer sk_sandbox_demo',
    'Content-Type: application/json',
    'Content-Length: 2',
    '',
    '{}',
  ].join('\r\n');

  test.each([
    ['before; drop', 0],
    ['after; drop', 0],
    ['after; truncate', 1],
  ])('%s', async (fault, share) => {
    const { server, socket, rest } = await connectTo();
    await using _ = server;
    socket.write(waiting + quoteWith(fault) + quoteWith('before; respond; status=418'));
    const { text } = await rest();
    const [first = '', second = '', third] = text.split(/(?=HTTP\/1\.1 )/);
    expect(first).toContain('"fault":');
    expect(first.endsWith('}')).toBe(true);
    const [head = '', body = ''] = second.split('\r\n\r\n');
    expect(head.toLowerCase()).toContain(`sandbox-fault: ${fault}`);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    expect(body.length).toBe((length >> 1) * share);
    expect(third).toBeUndefined();
  });
});

test('a lost response is a rejected fetch in process', async () => {
  const sandbox = createSandbox();
  const headers = {
    authorization: 'Bearer sk_sandbox_demo',
    'content-type': 'application/json',
    'sandbox-fault': 'after; drop',
  };
  const lost = sandbox.fetch(QUOTE, { method: 'POST', headers, body: BODY });
  await expect(lost).rejects.toMatchObject({
    message: 'fetch failed',
    cause: { code: 'ECONNRESET', message: 'read ECONNRESET (fault: after; drop)' },
  });
});
