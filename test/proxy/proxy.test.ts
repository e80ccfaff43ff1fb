import { type AddressInfo, createServer as createSocketServer, type Socket } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/node.ts';
import { createJournal, type ProxyEntry } from '../../src/tools/proxy/journal.ts';
import { JOURNAL_PATH, startProxy } from '../../src/tools/proxy/server.ts';
import { fake } from '../check/support.ts';
import { BASE, createDemoClient, operationOf } from '../support/client.ts';
import { connection } from '../support/connection.ts';
import { exchange } from '../support/raw-exchange.ts';
import { exampleOf } from '../support/requests.ts';

const KEY = 'sk_sandbox_demo';
const LIST = '/api/merchant/get_comprehensive_motor_policies';
const HEADERS = { authorization: `Bearer ${KEY}`, 'content-type': 'application/json' };

/** A proxy until the end of the test. */
async function proxyTo(target: string) {
  const told: ProxyEntry[] = [];
  const journal = createJournal(target);
  const onEntry = (entry: ProxyEntry) => told.push(entry);
  const proxy = await startProxy({ target, port: 0, journal, onEntry });
  onTestFinished(() => proxy.close());
  return { ...proxy, journal, told };
}

/** A service that answers each request head with bytes, and what it heard. */
async function rawService(answer: string | ((socket: Socket) => void)) {
  const heard: string[] = [];
  const server = createSocketServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', (chunk) => {
      heard.push(chunk.toString('latin1'));
      if (typeof answer === 'string') socket.end(Buffer.from(answer, 'latin1'));
      else answer(socket);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

/** The body of the demo merchant's list. */
const listed = async (): Promise<Buffer> =>
  Buffer.from((await createDemoClient().call('listMotorPolicies')).text);

describe('what passes through is unchanged', () => {
  test('a request: path, query, headers and body, with the Host of the target', async () => {
    const { url, heard } = await rawService('HTTP/1.1 204 No Content\r\n\r\n');
    const { port } = await proxyTo(`${url}/base/`);
    await exchange(
      port,
      'POST /odd%20path?a=1&a=2 HTTP/1.1\r\nHost: proxy.example\r\nX-Zulu: 1\r\nConnection: close\r\nTE: trailers\r\nUpgrade: h2c\r\nContent-Length: 2\r\n\r\n{}',
    );
    const [head, body] = (heard[0] as string).split('\r\n\r\n');
    expect(head?.split('\r\n').toSorted()).toEqual([
      'POST /base/odd%20path?a=1&a=2 HTTP/1.1',
      'connection: close',
      'content-length: 2',
      `host: ${new URL(url).host}`,
      'x-zulu: 1',
    ]);
    expect(body).toBe('{}');
  });

  test.each(['/x', LIST])('a response of %s: status, reason, headers and bytes', async (path) => {
    const { url } = await rawService(
      'HTTP/1.1 418 Teapot\r\nDate: yesterday\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nX-Latin: \xe9\r\nConnection: close\r\nContent-Length: 3\r\n\r\n\xff\x00x',
    );
    const { port } = await proxyTo(url);
    const text = await exchange(
      port,
      `GET ${path} HTTP/1.1\r\nHost: p\r\nConnection: close\r\n\r\n`,
    );
    for (const part of [
      'HTTP/1.1 418 Teapot\r\n',
      'date: yesterday\r\n',
      'set-cookie: a=1\r\nset-cookie: b=2\r\n',
      'x-latin: \xe9\r\n',
      '\r\n\r\n\xff\x00x',
    ]) {
      expect(text).toContain(part);
    }
  });

  test.each([
    ['gzip', gzipSync],
    ['x-gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', brotliCompressSync],
  ])('bytes in %s, which are judged all the same', async (encoding, compress) => {
    const bytes = compress(await listed());
    const target = await fake((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-encoding': encoding });
      response.end(bytes);
    });
    const proxy = await proxyTo(target);
    const text = await exchange(
      proxy.port,
      `GET ${LIST} HTTP/1.0\r\nAuthorization: Bearer x\r\n\r\n`,
    );
    expect(text.endsWith(bytes.toString('latin1'))).toBe(true);
    expect(text).toContain('Sandbox-Differences: 0\r\n');
    expect(proxy.told).toMatchObject([{ status: 200, not_judged: null, differences: [] }]);
  });

  test('pipelined requests on one connection', async () => {
    const { url } = await startSandbox({ port: 0 });
    const { socket, until } = connection((await proxyTo(url)).port);
    const request = `GET ${LIST} HTTP/1.1\r\nHost: p\r\nAuthorization: Bearer ${KEY}\r\n\r\n`;
    socket.write(request + request);
    expect((await until('response_code', 2)).match(/HTTP\/1\.1 200 OK/g)).toHaveLength(2);
    socket.destroy();
  });
});

describe('what is not judged passes and is told as that:', () => {
  test.each([
    ['an unknown path', '/nowhere', 404, {}, 'no'],
    ['a rate limit (429)', LIST, 429, { 'retry-after': '1' }, '{}'],
    ['a redirect (302)', LIST, 302, { location: '/elsewhere' }, ''],
    ['an unknown encoding', LIST, 200, { 'content-encoding': 'zz' }, 'zz'],
    [
      'a response that cannot be judged: incorrect header check',
      ...[LIST, 200, { 'content-encoding': 'gzip' }, 'not gzip'],
    ] as const,
  ])('%s', async (not_judged, path, status, headers, body) => {
    const target = await fake((_request, response) => {
      response.writeHead(status, headers).end(body);
    });
    const proxy = await proxyTo(target);
    const response = await fetch(proxy.url + path, { redirect: 'manual' }).catch(() => undefined);
    if (response)
      expect([response.status, response.headers.has('sandbox-differences')]).toEqual([
        status,
        false,
      ]);
    expect(proxy.told).toMatchObject([{ status, not_judged, differences: [] }]);
  });

  test('a response larger than 10 MB', async () => {
    const large = 'x'.repeat(11_000_000);
    const packed = gzipSync(large);
    const proxy = await proxyTo(
      await fake(({ url }, response) => {
        const isPacked = url?.endsWith('?packed') === true;
        if (isPacked) response.setHeader('content-encoding', 'gzip');
        response.end(isPacked ? packed : large);
      }),
    );
    for (const path of [LIST, `${LIST}?packed`]) {
      expect((await (await fetch(proxy.url + path)).text()) === large).toBe(true);
    }
    const told = { status: 200, not_judged: 'a response larger than 10 MB' };
    expect(proxy.told).toMatchObject([told, told]);
  });

  test.each(['/x', LIST])('a response of %s that the service cuts', async (path) => {
    const { url } = await rawService('HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nhalf');
    const proxy = await proxyTo(url);
    const text = await exchange(proxy.port, `GET ${path} HTTP/1.1\r\nHost: p\r\n\r\n`);
    expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nhalf$/);
    const not_judged = path === LIST ? 'the service cut its response' : 'an unknown path';
    expect(proxy.told).toMatchObject([{ status: 200, not_judged }]);
  });

  test.each<[string, string | ((socket: Socket) => void)]>([
    ['cut the connection', (socket) => socket.destroy()],
    ['sent a response that is not HTTP', 'HELLO\r\n\r\n'],
    ['sent headers that are too large', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`],
  ])('a service that %s is 502', async (why, answer) => {
    const { url } = await rawService(answer);
    const proxy = await proxyTo(url);
    const response = await fetch(proxy.url + LIST);
    expect([response.status, response.headers.get('content-type')]).toEqual([
      502,
      'application/problem+json',
    ]);
    expect(await response.json()).toMatchObject({ status: 502, detail: `${url} ${why}.` });
    expect(proxy.told).toMatchObject([{ status: null, not_judged: `the service ${why}` }]);
  });

  test('an unreachable service is 502', async () => {
    const proxy = await proxyTo('http://127.0.0.1:1');
    const response = await fetch(proxy.url + LIST);
    expect(response.status).toBe(502);
    expect(await response.text()).toContain('nothing is listening there');
  });

  test('a client that does not wait ends its call at the service too', async () => {
    let closed: () => void = () => undefined;
    const isClosed = new Promise<void>((resolve) => {
      closed = resolve;
    });
    const { url, heard } = await rawService((socket) => socket.once('close', closed));
    const proxy = await proxyTo(url);
    const { socket } = connection(proxy.port);
    socket.write(`GET ${LIST} HTTP/1.1\r\nHost: p\r\n\r\n`);
    while (heard.length === 0) await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    await isClosed;
    expect(proxy.told).toMatchObject([{ not_judged: 'the client closed its connection' }]);
  });
});

test('CONNECT is refused with a sentence, and told', async () => {
  const { url, port, told } = await proxyTo('http://127.0.0.1:1');
  const head = 'CONNECT provider.example:443 HTTP/1.1\r\nHost: provider.example:443\r\n\r\n';
  const answer = await exchange(port, head);
  expect(answer).toMatch(/^HTTP\/1\.1 405 /);
  expect(answer).toContain(`Send requests to ${url} instead of http://127.0.0.1:1`);
  expect(told).toMatchObject([
    { method: 'CONNECT', path: '…', status: 405, not_judged: 'CONNECT is refused' },
  ]);
});

describe('the journal', () => {
  test('lists the exchanges, newest first, with forms and no value', async () => {
    const secret = 'Chukwuemeka';
    const target = await fake((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify({ success: true, data: secret, [secret]: secret, more: secret }));
    });
    const proxy = await proxyTo(target);
    const { path } = operationOf('getMotorQuote');
    const body = JSON.stringify({ ...exampleOf('getMotorQuote'), vehicle_value: secret });
    await fetch(proxy.url + path, { method: 'POST', headers: HEADERS, body });
    await fetch(`${proxy.url}/customers/${secret}?name=${secret}`);
    await fetch(`${proxy.url}/api/merchant/micro_health/validate_policy/${secret}`);
    const journal = await (await fetch(proxy.url + JOURNAL_PATH)).text();
    expect(journal).not.toContain(secret);
    expect(journal).not.toContain(KEY);
    expect(JSON.parse(journal)).toMatchObject({
      target,
      data: [
        {
          operation: 'validateMicroHealthPolicy',
          path: '/api/merchant/micro_health/validate_policy/:policy_no',
        },
        { operation: null, path: '/…/…', not_judged: 'an unknown path' },
        {
          operation: 'getMotorQuote',
          status: 200,
          differences: expect.arrayContaining([
            {
              path: 'request $.vehicle_value',
              expected: expect.stringContaining('The vehicle_value field must be'),
              seen: 'a text of 11 characters',
            },
            { path: '$.data', expected: 'an object', seen: 'a text of 11 characters' },
            { path: '$.…', expected: 'no such field', seen: 'a text of 11 characters' },
            { path: '$.more', expected: 'no such field', seen: 'a text of 11 characters' },
          ]),
        },
      ],
    });
    expect(proxy.journal.report()).toMatchObject({ requests: 3, not_judged: 1 });
  });

  test.each([
    [{ Host: 'evil.example' }, 403],
    [{ Host: '127.0.0.1', Origin: 'https://evil.example' }, 403],
    [{ Host: '127.0.0.1' }, 200],
  ])('is for this machine only: %j is %i', async (headers, status) => {
    const { port } = await proxyTo(BASE);
    const lines = Object.entries({ ...headers, Connection: 'close' }).map((line) =>
      line.join(': '),
    );
    const text = await exchange(
      port,
      `GET ${JOURNAL_PATH} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`,
    );
    expect(text).toContain(`HTTP/1.1 ${status} `);
  });

  test('is bounded, and counts what it has forgotten', () => {
    const journal = createJournal(BASE);
    const difference = { path: 'status', expected: '200', seen: '201' };
    for (let number = 0; number < 1200; number++) {
      const at = new Date(number).toISOString();
      const call = { at, operation: 'x', method: 'GET', path: '/', status: 201, duration_ms: 1 };
      journal.add({ ...call, not_judged: null, differences: [difference] });
    }
    expect(journal.entries()).toHaveLength(1000);
    expect(journal.entries()[0]?.at).toBe(new Date(1199).toISOString());
    expect(journal.report()).toEqual({
      target: BASE,
      requests: 1200,
      not_judged: 0,
      differences: [
        {
          ...difference,
          operation: 'x',
          count: 1200,
          call: { at: new Date(0).toISOString(), method: 'GET', path: '/' },
        },
      ],
    });
  });
});
