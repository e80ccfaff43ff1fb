import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import {
  connection,
  fake,
  KEY,
  PATHS,
  proxyTo,
  rawServer,
  requestOf,
  serveSandbox,
  speak,
  through,
} from './support.ts';

const [, PATH] = PATHS;

describe('a request is forwarded as it was sent', () => {
  test('with order, case and repetitions of its headers, and the Host of the target', async () => {
    const { url, heard } = await rawServer((socket) =>
      socket.end('HTTP/1.1 204 No Content\r\n\r\n'),
    );
    const { port } = await proxyTo(`${url}/base/`);
    await speak(
      port,
      'POST /odd%20path?a=1&a=2#x HTTP/1.1\r\nX-Zulu: 1\r\nhost: proxy.example\r\nX-ALPHA: 2\r\nx-zulu: 3\r\nConnection: close, X-Hop\r\nX-Hop: 4\r\nKeep-Alive: 5\r\nTE: trailers\r\nUpgrade: h2c\r\nContent-Length: 2\r\n\r\n{}',
    );
    expect(heard[0]).toBe(
      `POST /base/odd%20path?a=1&a=2#x HTTP/1.1\r\nX-Zulu: 1\r\nhost: ${new URL(url).host}\r\nX-ALPHA: 2\r\nx-zulu: 3\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n{}`,
    );
  });

  test('without a body if it has none, and in chunks if it came in chunks', async () => {
    const { url, heard } = await rawServer((socket, all) => {
      if (!all.includes('chunked') || all.endsWith('0\r\n\r\n'))
        socket.end('HTTP/1.1 204 No Content\r\n\r\n');
    });
    const { port } = await proxyTo(url);
    await speak(port, requestOf('/a', { method: 'POST' }));
    expect(heard.at(-1)).toContain('Content-Length: 0\r\n');
    await speak(port, requestOf('/c'));
    expect(heard.at(-1)).not.toMatch(/content-length|transfer-encoding/i);
    await speak(
      port,
      'POST /b HTTP/1.1\r\nHost: p\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
    );
    expect(heard.at(-1)).toMatch(
      /Transfer-Encoding: chunked\r\n[\s\S]*\r\n\r\n3\r\nabc\r\n0\r\n\r\n$/,
    );
  });

  const EXPECTING =
    'POST /x HTTP/1.1\r\nHost: p\r\nExpect: 100-continue\r\nContent-Length: 3\r\nConnection: close\r\n\r\n';

  test('a client with Expect: 100-continue sends its body when the service asks for it', async () => {
    const url = await fake((request, response) => {
      request.resume().on('end', () => response.end('done'));
    });
    const { socket, until } = connection((await proxyTo(url)).port);
    socket.write(EXPECTING);
    expect(await until('100 Continue')).toMatch(/^HTTP\/1\.1 100 Continue\r\n/);
    socket.write('abc');
    expect(await until('done')).toContain('HTTP/1.1 200 OK');
  });

  test('a refusal before the body is returned without waiting for the body', async () => {
    const refusal = 'HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n';
    const { url } = await rawServer((socket) => socket.write(refusal));
    const { socket, until } = connection((await proxyTo(url)).port);
    socket.write(EXPECTING);
    expect(await until('\r\n\r\n')).toMatch(/^HTTP\/1\.1 417 Expectation Failed\r\n/);
    socket.destroy();
  });
});

describe('a response is returned as it was sent', () => {
  test.each(PATHS)(
    'with status, reason, headers and bytes, no header added but that of the connection: %s',
    async (path) => {
      const head =
        'HTTP/1.1 202 Fine By Me\r\nX-B: 1\r\nset-cookie: a=1\r\nSet-Cookie: b=2\r\nx-b: \xe9\r\nContent-Length: 2';
      const { text } = await through(`${head}\r\nKeep-Alive: timeout=7\r\n\r\n{}`, requestOf(path));
      expect(text.replace(/Sandbox-Differences: \d+\r\n/, '')).toBe(
        `${head}\r\nConnection: close\r\n\r\n{}`,
      );
      expect(text.includes('Sandbox-Differences: ')).toBe(path === PATH);
    },
  );

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
  ])('encoded as %s, while a decoded copy is compared', async (encoding, encode) => {
    const plain = { success: true, data: [], response_message: 'Other', response_code: '' };
    const encoded = encode(JSON.stringify(plain)).toString('latin1');
    const head = `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${encoded.length}`;
    const request = `GET ${PATH} HTTP/1.1\r\nHost: p\r\nAuthorization: Bearer k\r\nConnection: close\r\n\r\n`;
    const { text, told } = await through(`${head}\r\n\r\n${encoded}`, request);
    expect(text.endsWith(`\r\n\r\n${encoded}`)).toBe(true);
    expect(text).toContain('Sandbox-Differences: 1\r\n');
    expect(told[0]?.differences).toMatchObject([
      { path: '$.response_message', seen: '"Other"', assumption: ['success-messages'] },
    ]);
  });

  test.each([
    ['zstd-of-mine', 'abc', /the content encoding zstd-of-mine is not supported/],
    ['gzip', 'no gzip at all', /the response is not valid gzip/],
  ])('encoded as %s, which is reported as unreadable', async (encoding, body, why) => {
    const head = `HTTP/1.1 200 OK\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${body.length}`;
    const answer = await through(`${head}\r\n\r\n${body}`, requestOf(PATH));
    expect(answer.body).toBe(body);
    expect(answer.told).toMatchObject([{ status: 200, not_judged: expect.stringMatching(why) }]);
  });

  test('in chunks, with trailers', async () => {
    const head = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum\r\n';
    const pieces = '3\r\nabc\r\n0\r\nX-Sum: 9\r\n\r\n';
    const { text } = await through(`${head}\r\n${pieces}`);
    expect(text).toBe(`${head}Connection: close\r\n\r\n${pieces}`);
  });

  test.each([
    ['HEAD', '200 OK\r\nContent-Length: 77'],
    ['GET', '304 Not Modified\r\nETag: "x"'],
    ['DELETE', '204 No Content'],
  ])('to %s without a body: %s', async (method, head) => {
    for (const path of PATHS) {
      const { text } = await through(`HTTP/1.1 ${head}\r\n\r\n`, requestOf(path, { method }));
      expect(text.replace(/Sandbox-Differences: \d+\r\n/, '')).toBe(
        `HTTP/1.1 ${head}\r\nConnection: close\r\n\r\n`,
      );
    }
  });

  test('after early hints', async () => {
    const hints = 'HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n';
    const answer = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n';
    const { text } = await through(`${hints}${answer}\r\nok`);
    expect(text).toBe(`${hints}${answer}Connection: close\r\n\r\nok`);
  });
});

describe('a response is not held back', () => {
  /** A service that sends the second half of its response on demand. */
  async function slowService() {
    let finish: () => void = () => undefined;
    const url = await fake((_request, response) => {
      response.write('first');
      finish = () => void response.end('last');
    });
    return { url, finish: () => finish() };
  }

  test.each([
    ['of an unknown path', '/events', {}, 'the contract has no such path'],
    [
      'that comes too slowly',
      PATH,
      { hold: { maxBytes: 1000, maxMs: 20 } },
      'the response took longer than 0.02 s',
    ],
  ])('%s', async (_what, path, options, not_judged) => {
    const { url, finish } = await slowService();
    const proxy = await proxyTo(url, options);
    const { socket, until } = connection(proxy.port);
    socket.write(requestOf(path));
    expect(await until('first')).not.toContain('last');
    expect(proxy.told).toEqual([]);
    finish();
    await until('last');
    expect(proxy.told).toMatchObject([{ status: 200, not_judged }]);
  });

  test('that is larger than 10 MB', async () => {
    const large = `{"success":true,"data":"${'x'.repeat(11_000_000)}"}`;
    // A busy machine must not reach the limit of time before the limit of bytes.
    const hold = { maxBytes: 10_000_000, maxMs: 60_000 };
    const target = await fake((_request, response) => response.end(large));
    const proxy = await proxyTo(target, { hold });
    const answer = await fetch(proxy.url + PATH);
    expect((await answer.text()) === large).toBe(true);
    expect(answer.headers.get('sandbox-differences')).toBeNull();
    expect(proxy.told).toMatchObject([
      { status: 200, not_judged: 'the response is larger than 10 MB' },
    ]);
  });
});

test('a connection is reused, also for pipelined requests', async () => {
  const { url } = await serveSandbox();
  const { socket, until } = connection((await proxyTo(url)).port);
  const request = `GET ${PATH} HTTP/1.1\r\nHost: p\r\nAuthorization: Bearer ${KEY}\r\n\r\n`;
  socket.write(request);
  await until('response_code');
  socket.write(request + request);
  const heard = await until('response_code', 3);
  expect(heard.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
  socket.destroy();
});
