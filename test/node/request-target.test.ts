import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SandboxServer, startSandbox } from '../../src/node/index.ts';

let server: SandboxServer;
beforeAll(async () => {
  server = await startSandbox({ port: 0 });
});
afterAll(() => server.close());

interface Answer {
  /** 0 where the connection ended without an answer. */
  readonly status: number;
  readonly type: string | undefined;
  readonly body: string;
}

/** Sends lines as they are, each character a byte, and hears the answer to its end. */
async function send(...lines: readonly string[]): Promise<Answer> {
  const socket = connect(server.port, '127.0.0.1').setEncoding('latin1');
  let text = '';
  socket.on('data', (chunk) => {
    text += chunk;
  });
  socket.write([...lines, 'Connection: close', '', ''].join('\r\n'), 'latin1');
  await once(socket, 'close');
  const [head = '', body = ''] = text.split('\r\n\r\n');
  const type = /^content-type: (.*)$/im.exec(head)?.[1];
  return { status: Number(head.split(' ')[1] ?? 0), type, body };
}

const get = (target: string, host: string): Promise<Answer> =>
  send(`GET ${target} HTTP/1.1`, `Host: ${host}`);

function expectProblem({ status, type, body }: Answer): void {
  expect([status, type]).toEqual([400, 'application/problem+json']);
  expect(JSON.parse(body)).toMatchObject({ title: 'Bad Request', status: 400 });
}

const EVERY_MERCHANT = '/_sandbox/merchants';

describe('a Host', () => {
  test.each([
    'localhost',
    'LocalHost:80',
    'sandbox',
    'sandbox:4015',
    'a_b.example',
    'xn--tda.example',
    'localhost.',
    '127.0.0.1',
    '10.0.0.1:65535',
    '[::1]',
    '[::1]:80',
    `${'a'.repeat(60)}.example`,
    '',
  ])('may be a name or an address, with a port or without: "%s"', async (host) => {
    expect((await get('/livez', host)).status).toBe(200);
    expect((await get('/x/../livez', host)).status).toBe(200);
  });

  test.each([
    'a/b',
    'a?b',
    'a#b',
    'a@b',
    'user:pw@h',
    'h:',
    'h:99999',
    'h:123456',
    'h:abc',
    'h:-1',
    ':80',
    '[::1',
    '::1',
    '[::1]x',
    '[::1]:99999',
    '[1.2.3.4]',
    '[]',
    'a b',
    'a\tb',
    'a,b',
    'localhost, localhost',
    '%6cocalhost',
    'localhost%2f',
    'a\\b',
    'a*b',
    'a;b',
    '<b>',
    'h\u00fc',
    '\u00ff\u00fe',
    '1.2.3.4.5',
    '256.0.0.1',
    'http://localhost',
    `${'a/'.repeat(30)}`,
  ])('may be nothing else: "%s" is refused with a problem', async (host) => {
    expectProblem(await get('/livez', host));
    expectProblem(await get(EVERY_MERCHANT, host));
  });

  test.each([
    ['localhost', 'rebound.example'],
    ['rebound.example', 'x.localhost'],
    ['localhost', 'localhost'],
  ])('may not be sent twice: %s and %s', async (first, second) => {
    expectProblem(await send('GET /livez HTTP/1.1', `Host: ${first}`, `host: ${second}`));
    expectProblem(await send(`GET ${EVERY_MERCHANT} HTTP/1.1`, `Host: ${first}`, `Host:${second}`));
  });

  test('is asked of HTTP/1.1, not of HTTP/1.0', async () => {
    expect((await send('GET /livez HTTP/1.0')).status).toBe(200);
    expectProblem(await send('GET /livez HTTP/1.1'));
    expectProblem(await send('GET /livez HTTP/1.0', 'Host: a/b'));
    expectProblem(await send('GET http://localhost/livez HTTP/1.1'));
  });
});

describe('a target', () => {
  test.each(['http://sandbox.example/livez', 'https://sandbox.example:8443/livez'])(
    'may be a whole URL: %s',
    async (target) => {
      expect((await get(target, new URL(target).host)).status).toBe(200);
      expect((await get(target, 'localhost')).status).toBe(200);
      expectProblem(await get(target, 'a/b'));
    },
  );

  test.each([
    'ftp://localhost/livez',
    'file:///livez',
    'ws://localhost/livez',
    'http:///livez',
    'http://user:pw@localhost/livez',
    'http://localhost:99999/livez',
    'http://localhost:/livez',
    'http://[::1/livez',
    'http://local%68ost/livez',
    'http://localhost,x/livez',
    '*',
    '/\\rebound.example/livez',
  ])('may be no other: %s is refused with a problem', async (target) => {
    for (const host of ['localhost', 'LocalHost:80']) expectProblem(await get(target, host));
  });
});
