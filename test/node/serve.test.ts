import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type SandboxServer, startSandbox } from '../../src/node.ts';
import { exchange } from '../support/raw-exchange.ts';

const QUOTE = '/api/merchant/micro_health/get_quote';
const LIST = '/api/merchant/micro_health/all_subscriptions';
const BODY = JSON.stringify({ product_id: 1, no_of_users: 1, subscription_type: 'monthly' });

let server: SandboxServer;
beforeAll(async () => {
  server = await startSandbox({ port: 0 });
});
afterAll(() => server.close());

/** The head of a request. */
const head = (...lines: readonly string[]): string => [...lines, '', ''].join('\r\n');

const post = (...headers: readonly string[]): string =>
  head(
    `POST ${QUOTE} HTTP/1.1`,
    'Host: localhost',
    'Authorization: Bearer sk_sandbox_demo',
    'Content-Type: application/json',
    ...headers,
  );

describe('a request body', () => {
  const CLOSE = 'Connection: close';

  test('gets a response with a Content-Length', async () => {
    const text = await exchange(server.port, post(CLOSE, `Content-Length: ${BODY.length}`) + BODY);
    const [answered, body] = text.split('\r\n\r\n') as [string, string];
    expect(answered).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(answered.toLowerCase()).toContain(`\r\ncontent-length: ${body.length}`);
    expect(JSON.parse(body).data).toEqual({ quote_price: 400 });
  });

  test('can be sent in chunks', async () => {
    const chunks = [BODY.slice(0, 5), BODY.slice(5), ''].map(
      (chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`,
    );
    const text = await exchange(
      server.port,
      post(CLOSE, 'Transfer-Encoding: chunked') + chunks.join(''),
    );
    expect(text).toMatch(/^HTTP\/1.1 200 OK/);
  });

  test('that is sent in chunks and too large is refused, and the connection stays usable', async () => {
    const piece = 'a'.repeat(64 * 1024);
    const chunks = `${piece.length.toString(16)}\r\n${piece}\r\n`.repeat(20);
    const tooLarge = `${post('Transfer-Encoding: chunked')}${chunks}0\r\n\r\n`;
    const text = await exchange(
      server.port,
      tooLarge + head('GET /livez HTTP/1.1', 'Host: localhost', CLOSE),
    );
    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
  });

  test('that is too large is not read further while a fault delays the refusal', async () => {
    const paused = new Promise((resolve) => {
      const watch = (message: unknown) => {
        unsubscribe('http.server.request.start', watch);
        (message as { request: IncomingMessage }).request.once('pause', () => resolve('paused'));
      };
      subscribe('http.server.request.start', watch);
    });
    const headers = {
      authorization: 'Bearer sk_sandbox_demo',
      'content-type': 'application/json',
      'sandbox-fault': 'before; delay; ms=100',
    };
    const sending = request(server.url + QUOTE, { method: 'POST', headers });
    sending.on('error', () => undefined).write(Buffer.alloc(2 * 1024 * 1024, 'a'));
    const answered = once(sending, 'response');
    expect(await Promise.race([paused, answered])).toBe('paused');
    const [{ statusCode }] = (await answered) as [IncomingMessage];
    expect(statusCode).toBe(413);
    sending.destroy();
  });

  test('that ends in the middle makes no call and breaks nothing', async () => {
    const { journal } = server.sandbox.merchant('sk_sandbox_demo');
    journal.clear();
    const socket = connect(server.port, '127.0.0.1');
    socket.write(`${post('Content-Length: 100')}{`, () => socket.destroy());
    await once(socket, 'close');
    expect((await fetch(`${server.url}/livez`)).status).toBe(200);
    expect(journal.list()).toEqual([]);
  });
});

/** The status of the response to these header lines. */
async function statusOf(...lines: readonly string[]): Promise<number> {
  const text = await exchange(server.port, head(...lines, 'Connection: close'));
  const [answered = '', body = ''] = text.split('\r\n\r\n');
  const status = Number(answered.split(' ')[1]);
  if (status === 400) {
    expect(answered).toMatch(/^content-type: application\/problem\+json$/im);
    expect(JSON.parse(body)).toMatchObject({ title: 'Bad Request', status });
  }
  return status;
}

const get = (target: string, host: string) => statusOf(`GET ${target} HTTP/1.1`, `Host: ${host}`);

const EVERY_MERCHANT = '/_sandbox/merchants';

describe('a Host', () => {
  test('can be a name or an address, with or without a port', async () => {
    const hosts = [
      ...['localhost', 'LocalHost:80', 'sandbox:4015', 'a_b.example', 'xn--tda.example'],
      ...['localhost.', '127.0.0.1', '10.0.0.1:65535', '[::1]', '[::1]:80', ''],
    ];
    for (const host of hosts) {
      expect([host, await get('/livez', host)]).toEqual([host, 200]);
      expect([host, await get('/x/../livez', host)]).toEqual([host, 200]);
    }
  });

  test('cannot contain a path, a user or anything else', async () => {
    const hosts = [
      ...['a/b', 'a?b', 'a#b', 'a@b', 'user:pw@h', 'a b', 'a\tb', 'a,b', 'a\\b', 'a*b', '<b>'],
      ...['h:', 'h:99999', 'h:123456', 'h:abc', ':80', 'localhost, localhost', '%6cocalhost'],
      ...['[::1', '::1', '[::1]x', '[::1]:99999', '[1.2.3.4]', '[]', '1.2.3.4.5', '256.0.0.1'],
      ...['h\u00fc', '\u00ff\u00fe', 'http://localhost', 'a/'.repeat(30)],
    ];
    for (const host of hosts) {
      expect([host, await get('/livez', host)]).toEqual([host, 400]);
      expect([host, await get(EVERY_MERCHANT, host)]).toEqual([host, 400]);
    }
  });

  test.each([
    ['localhost', 'rebound.example'],
    ['rebound.example', 'x.localhost'],
    ['localhost', 'localhost'],
  ])('cannot be sent twice: %s and %s', async (first, second) => {
    const hosts = [`Host: ${first}`, `host: ${second}`];
    expect(await statusOf('GET /livez HTTP/1.1', ...hosts)).toBe(400);
    expect(await statusOf(`GET ${EVERY_MERCHANT} HTTP/1.1`, ...hosts)).toBe(400);
  });

  test('is required in HTTP/1.1, but not in HTTP/1.0', async () => {
    expect(await statusOf('GET /livez HTTP/1.0')).toBe(200);
    expect(await statusOf('GET /livez HTTP/1.1')).toBe(400);
    expect(await statusOf('GET /livez HTTP/1.0', 'Host: a/b')).toBe(400);
    expect(await statusOf('GET http://localhost/livez HTTP/1.1')).toBe(400);
  });
});

describe('a request target', () => {
  test.each(['http://sandbox.example/livez', 'https://sandbox.example:8443/livez'])(
    'may be a whole URL: %s',
    async (target) => {
      expect(await get(target, new URL(target).host)).toBe(200);
      expect(await get(target, 'localhost')).toBe(200);
      expect(await get(target, 'a/b')).toBe(400);
    },
  );

  test('cannot be another kind of URL', async () => {
    const targets = [
      ...['ftp://localhost/livez', 'file:///livez', 'ws://localhost/livez', 'http:///livez'],
      ...['http://user:pw@localhost/livez', 'http://localhost:99999/livez', 'http://localhost:/'],
      ...['http://[::1/livez', 'http://[/', 'http://local%68ost/livez', 'http://localhost,x/livez'],
      ...['*', '/\\rebound.example/livez'],
    ];
    for (const target of targets) {
      expect([target, await get(target, 'localhost')]).toEqual([target, 400]);
      expect([target, await get(target, 'LocalHost:80')]).toEqual([target, 400]);
    }
  });
});

describe('an embedding program', () => {
  test('keeps its Request, Response and Headers', async () => {
    const before = [globalThis.Request, globalThis.Response, globalThis.Headers];
    await (await startSandbox({ port: 0 })).close();
    expect([globalThis.Request, globalThis.Response, globalThis.Headers]).toEqual(before);
  });

  test('gets one warning on standard error when unknown keys no longer open Worlds', async () => {
    const told = vi.spyOn(console, 'error').mockReturnValue();
    onTestFinished(() => told.mockRestore());
    await using full = await startSandbox({ port: 0, autoMerchants: true, maxMerchants: 2 });
    for (const key of ['worker-1', 'worker-2']) {
      const headers = { authorization: `Bearer ${key}` };
      expect((await fetch(full.url + LIST, { headers })).status).toBe(401);
    }
    expect(told.mock.calls).toEqual([[expect.stringContaining('is reached: 2 (--max-merchants)')]]);
  });
});
