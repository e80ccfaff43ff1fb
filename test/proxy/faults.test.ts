import { connect } from 'node:net';
import { afterEach, describe, expect, test } from 'vitest';
import { fake, proxiedSandbox, proxyTo } from './support.ts';
import { type Heard, portOf, rawServer, speak, stopRawServers } from './wire.ts';

const KEY = 'sk_sandbox_demo';
const BODY = JSON.stringify({ product_id: 4, vehicle_value: 1_000_000 });
const PATH = '/api/merchant/get_comprehensive_motor_policy_quote';

afterEach(stopRawServers);

const quote = (fault: string, host: string) =>
  `POST ${PATH} HTTP/1.1\r\nHost: ${host}\r\nAuthorization: Bearer ${KEY}\r\nContent-Type: application/json\r\nSandbox-Fault: ${fault}\r\nContent-Length: ${BODY.length}\r\nConnection: close\r\n\r\n${BODY}`;

/** What a client hears, without what is another in each answer or belongs to the connection. */
const heardOf = ({ text, ended }: Heard) => ({
  ended,
  head: (text.split('\r\n\r\n', 1)[0] as string)
    .split('\r\n')
    .filter((line) => !/^(date|connection|sandbox-request-id|sandbox-differences):/i.test(line)),
  body: text.split('\r\n\r\n').slice(1).join('\r\n\r\n'),
});

describe('what the service does to a call the client sees as it would without the proxy', () => {
  test.each([
    ['after; drop', null, /the service cut the connection/],
    ['before; drop', null, /the service cut the connection/],
    ['after; truncate', 200, /the service cut the answer off/],
    ['before; respond; status=503', 503, undefined],
    ['after; malformed', 200, undefined],
    ['before; delay; ms=5', 200, undefined],
  ])('%s', async (fault, status, why) => {
    const { sandbox, proxy } = await proxiedSandbox();
    const direct = await speak(portOf(sandbox.url), quote(fault, new URL(sandbox.url).host));
    const proxied = await speak(proxy.port, quote(fault, 'proxy'));
    expect(heardOf(proxied)).toEqual(heardOf(direct));
    expect(proxy.told).toMatchObject([
      { status, not_judged: why === undefined ? null : expect.stringMatching(why) },
    ]);
  });

  test('broken JSON is a difference, and counted in the head', async () => {
    const { proxy } = await proxiedSandbox();
    const { text } = await speak(proxy.port, quote('after; malformed', 'proxy'));
    expect(text).toContain('Sandbox-Differences: 1\r\n');
    expect(proxy.told[0]?.differences).toMatchObject([{ path: '$', expected: 'a JSON object' }]);
  });

  test('a hang lasts until the client leaves, and then ends at the service too', async () => {
    let isLeft = () => undefined as unknown;
    const left = new Promise((resolve) => {
      isLeft = () => resolve(undefined);
    });
    let isAsked = () => undefined as unknown;
    const asked = new Promise((resolve) => {
      isAsked = () => resolve(undefined);
    });
    const url = await fake((request) => {
      request.socket.once('close', isLeft);
      isAsked();
    });
    const proxy = await proxyTo(url);
    const client = connect(proxy.port, '127.0.0.1', () => {
      client.write(quote('', 'proxy'));
    });
    await asked;
    expect(proxy.told).toEqual([]);
    client.destroy();
    await left;
    expect(proxy.told).toMatchObject([
      { status: null, not_judged: 'the client went away before the answer was there' },
    ]);
  });

  test.each([
    ['with its length', 'Content-Length: 100', '{"success":true,'],
    ['in pieces', 'Transfer-Encoding: chunked', '10\r\n{"success":true,\r\n'],
  ])('an answer cut off, %s, is cut off', async (_how, header, part) => {
    for (const path of [PATH, '/elsewhere']) {
      const { url } = await rawServer((socket) => {
        socket.write(`HTTP/1.1 200 OK\r\n${header}\r\n\r\n${part}`, () => socket.destroy());
      });
      const proxy = await proxyTo(url);
      const { text } = await speak(proxy.port, quote('', 'p').replace(PATH, path));
      expect(text).toBe(`HTTP/1.1 200 OK\r\n${header}\r\nConnection: close\r\n\r\n${part}`);
      expect(proxy.told).toMatchObject([{ not_judged: 'the service cut the answer off' }]);
    }
  });
});

describe('a service that is not there', () => {
  const problemFrom = async (target: string) => {
    const proxy = await proxyTo(target);
    const answer = await fetch(proxy.url + PATH, { method: 'POST', body: BODY });
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
    expect(answer.status).toBe(502);
    return { problem: await answer.json(), told: proxy.told };
  };

  test('is 502, told with its reason', async () => {
    const { url } = await rawServer(() => undefined);
    stopRawServers();
    const { problem, told } = await problemFrom(url);
    const why = 'refused the connection: nothing listens there';
    expect(problem).toEqual({
      type: 'about:blank',
      title: 'Bad Gateway',
      status: 502,
      detail: `${url} ${why}.`,
    });
    expect(told).toMatchObject([{ status: 502, not_judged: `the service ${why}` }]);
  });

  test('under a name that nobody has, is 502', async () => {
    const { problem } = await problemFrom('http://no-such-host.invalid');
    expect(problem.detail).toContain('has a host name that no address is known of');
  });

  test('and speaks no HTTP, is 502', async () => {
    const { url } = await rawServer((socket) => socket.end('SSH-2.0-nothing\r\n'));
    expect((await problemFrom(url)).problem.detail).toContain(
      'answered something that is not HTTP',
    );
  });
});
