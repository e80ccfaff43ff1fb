import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import { fake, proxyTo, serveSandbox } from './support.ts';
import { connection, portOf, rawServer, speak, stopRawServers } from './wire.ts';

const KEY = 'sk_sandbox_demo';
const PATH = '/api/merchant/get_comprehensive_motor_policies';

afterEach(stopRawServers);

describe('a request goes on as it was sent', () => {
  test('with the order, the case and the repetitions of its headers; Host is the target', async () => {
    const { url, heard } = await rawServer((socket) =>
      socket.end('HTTP/1.1 204 No Content\r\n\r\n'),
    );
    const proxy = await proxyTo(`${url}/base/`);
    await speak(
      proxy.port,
      'POST /odd%20path?a=1&a=2#x HTTP/1.1\r\nX-Zulu: 1\r\nhost: proxy.example\r\nX-ALPHA: 2\r\nx-zulu: 3\r\nConnection: close, X-Hop\r\nX-Hop: 4\r\nKeep-Alive: 5\r\nTE: trailers\r\nUpgrade: h2c\r\nContent-Length: 2\r\n\r\n{}',
    );
    expect(heard[0]).toBe(
      `POST /base/odd%20path?a=1&a=2#x HTTP/1.1\r\nX-Zulu: 1\r\nhost: ${new URL(url).host}\r\nX-ALPHA: 2\r\nx-zulu: 3\r\nContent-Length: 2\r\nConnection: keep-alive\r\n\r\n{}`,
    );
  });

  test('without a body where it has none, and in pieces where it came in pieces', async () => {
    const { url, heard } = await rawServer((socket, all) => {
      if (!all.includes('chunked') || all.endsWith('0\r\n\r\n'))
        socket.end('HTTP/1.1 204 No Content\r\n\r\n');
    });
    const proxy = await proxyTo(url);
    await speak(proxy.port, 'POST /a HTTP/1.1\r\nHost: p\r\nConnection: close\r\n\r\n');
    await speak(
      proxy.port,
      'POST /b HTTP/1.1\r\nHost: p\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n3\r\nabc\r\n0\r\n\r\n',
    );
    await speak(proxy.port, 'GET /c HTTP/1.1\r\nHost: p\r\nConnection: close\r\n\r\n');
    expect(heard[0]).toContain('Content-Length: 0\r\n');
    expect(
      heard.find((each) => each.startsWith('POST /b') && each.endsWith('3\r\nabc\r\n0\r\n\r\n')),
    ).toContain('Transfer-Encoding: chunked\r\n');
    expect(heard.at(-1)).not.toMatch(/content-length|transfer-encoding/i);
  });

  test('a client that expects 100 sends its body when the service asks for it', async () => {
    const url = await fake((request, response) => {
      request.resume().on('end', () => response.end('done'));
    });
    const proxy = await proxyTo(url);
    const { socket, until } = connection(proxy.port);
    socket.write(
      'POST /x HTTP/1.1\r\nHost: p\r\nExpect: 100-continue\r\nContent-Length: 3\r\nConnection: close\r\n\r\n',
    );
    expect(await until('100 Continue')).toMatch(/^HTTP\/1\.1 100 Continue\r\n/);
    socket.write('abc');
    expect(await until('done')).toContain('HTTP/1.1 200 OK');
  });

  test('a refusal before the body is passed on, and the body is not waited for', async () => {
    const { url } = await rawServer((socket) =>
      socket.write('HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n'),
    );
    const proxy = await proxyTo(url);
    const { socket, until } = connection(proxy.port);
    socket.write(
      'POST /x HTTP/1.1\r\nHost: p\r\nExpect: 100-continue\r\nContent-Length: 3\r\n\r\n',
    );
    expect(await until('\r\n\r\n')).toMatch(/^HTTP\/1\.1 417 Expectation Failed\r\n/);
    socket.destroy();
  });
});

describe('an answer comes back as it was sent', () => {
  const raw = (head: string, body = '') => `HTTP/1.1 ${head}\r\n\r\n${body}`;
  const through = async (answer: string | Buffer, path = '/x', method = 'GET') => {
    const { url } = await rawServer((socket) => socket.end(answer));
    const proxy = await proxyTo(url);
    const request = `${method} ${path} HTTP/1.1\r\nHost: p\r\nAuthorization: Bearer k\r\nConnection: close\r\n\r\n`;
    return { proxy, heard: await speak(proxy.port, request) };
  };

  test.each([['/x'], [PATH]])(
    'with status, reason, headers and bytes, no header added but that of the connection: %s',
    async (path) => {
      const answer = raw(
        '202 Fine By Me\r\nX-B: 1\r\nset-cookie: a=1\r\nSet-Cookie: b=2\r\nx-b: \xe9\r\nContent-Length: 2\r\nKeep-Alive: timeout=7',
        '{}',
      );
      const { heard } = await through(Buffer.from(answer, 'latin1'), path);
      const expected = answer
        .replace('\r\nKeep-Alive: timeout=7', path === PATH ? '\r\nSandbox-Differences: 1' : '')
        .replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
      // What the contract says of {} is not what this test is about.
      expect(heard.text.replace(/Differences: \d+/, 'Differences: 1')).toBe(expected);
    },
  );

  test.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
    ['deflate', deflateRawSync],
  ])('encoded as %s, while its decoded copy is judged', async (encoding, encode) => {
    const body = encode(
      Buffer.from(
        JSON.stringify({ success: true, data: [], response_message: 'Other', response_code: '' }),
      ),
    );
    const head = Buffer.from(
      `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    const { proxy, heard } = await through(Buffer.concat([head, body]), PATH);
    expect(heard.bytes.subarray(-body.length)).toEqual(body);
    expect(heard.text).toContain('Sandbox-Differences: 1\r\n');
    expect(proxy.told[0]?.differences).toMatchObject([
      { path: '$.response_message', seen: '"Other"', assumption: ['success-messages'] },
    ]);
  });

  test.each([
    ['zstd-of-mine', 'abc', /its encoding zstd-of-mine is not known here/],
    ['gzip', 'no gzip at all', /not encoded as gzip, as it says/],
  ])(
    'encoded as %s, which can not be read, it is passed on and told',
    async (encoding, body, why) => {
      const { proxy, heard } = await through(
        raw(`200 OK\r\nContent-Encoding: ${encoding}\r\nContent-Length: ${body.length}`, body),
        PATH,
      );
      expect(heard.text.endsWith(`\r\n\r\n${body}`)).toBe(true);
      expect(proxy.told[0]).toMatchObject({ status: 200, not_judged: expect.stringMatching(why) });
    },
  );

  test('in pieces, trailers included', async () => {
    const { heard } = await through(
      raw(
        '200 OK\r\nTransfer-Encoding: chunked\r\nTrailer: X-Sum',
        '3\r\nabc\r\n0\r\nX-Sum: 9\r\n\r\n',
      ),
    );
    expect(heard.text).toContain('Transfer-Encoding: chunked\r\nTrailer: X-Sum\r\n');
    expect(heard.text.endsWith('3\r\nabc\r\n0\r\nX-Sum: 9\r\n\r\n')).toBe(true);
  });

  test.each([
    ['HEAD', '200 OK\r\nContent-Length: 77'],
    ['GET', '304 Not Modified\r\nETag: "x"'],
    ['DELETE', '204 No Content'],
  ])('to %s without a body: %s', async (method, head) => {
    for (const path of ['/x', PATH]) {
      const { heard } = await through(raw(head), path, method);
      expect(heard.text.replace(/Sandbox-Differences: \d+\r\n/, '')).toBe(
        raw(`${head}\r\nConnection: close`),
      );
    }
  });

  test('early hints come before it', async () => {
    const { heard } = await through(
      `HTTP/1.1 103 Early Hints\r\nLink: </a.css>; rel=preload\r\n\r\n${raw('200 OK\r\nContent-Length: 2', 'ok')}`,
    );
    expect(heard.text).toMatch(
      /^HTTP\/1\.1 103 Early Hints\r\nLink: <\/a.css>; rel=preload\r\n\r\nHTTP\/1\.1 200 OK/,
    );
  });
});

describe('what is not held', () => {
  test('an answer of an unknown path comes as it comes', async () => {
    let finish: () => void = () => undefined;
    const url = await fake((_request, response) => {
      response.write('first');
      finish = () => void response.end('last');
    });
    const proxy = await proxyTo(url);
    const { socket, until } = connection(proxy.port);
    socket.write('GET /events HTTP/1.1\r\nHost: p\r\nConnection: close\r\n\r\n');
    expect(await until('first')).toContain('first');
    expect(proxy.told).toEqual([]);
    finish();
    expect(await until('last')).toContain('last');
    expect(proxy.told).toMatchObject([
      { operation: null, not_judged: 'the contract has no such path' },
    ]);
  });

  test('an answer larger than what is held goes through, whole and unjudged', async () => {
    const large = `{"success":true,"data":"${'x'.repeat(11_000_000)}"}`;
    const url = await fake((_request, response) => response.end(large));
    const proxy = await proxyTo(url);
    const answer = await fetch(proxy.url + PATH);
    expect((await answer.text()) === large).toBe(true);
    expect(answer.headers.get('sandbox-differences')).toBeNull();
    expect(proxy.told).toMatchObject([{ status: 200, not_judged: 'it has more than 10 MB' }]);
  });

  test('so does one that comes too slowly', async () => {
    let finish: () => void = () => undefined;
    const url = await fake((_request, response) => {
      response.write('{"success":');
      finish = () => void response.end('true}');
    });
    const proxy = await proxyTo(url, { hold: { maxBytes: 1000, maxMs: 20 } });
    const { socket, until } = connection(proxy.port);
    socket.write(`GET ${PATH} HTTP/1.1\r\nHost: p\r\nConnection: close\r\n\r\n`);
    expect(await until('{"success":')).not.toContain('true}');
    finish();
    await until('true}');
    expect(proxy.told).toMatchObject([{ status: 200, not_judged: 'it came in more than 0.02 s' }]);
  });
});

test('connections are kept, each beside one of the service', async () => {
  const sandbox = await serveSandbox();
  const proxy = await proxyTo(sandbox.url);
  const { socket, until } = connection(proxy.port);
  const request = `GET ${PATH} HTTP/1.1\r\nHost: p\r\nAuthorization: Bearer ${KEY}\r\n\r\n`;
  socket.write(request);
  await until('response_code');
  socket.write(request + request);
  const heard = await until('response_code', 3);
  expect(heard.match(/HTTP\/1\.1 200 OK/g)).toHaveLength(3);
  expect(portOf(sandbox.url)).not.toBe(proxy.port);
  socket.destroy();
});
