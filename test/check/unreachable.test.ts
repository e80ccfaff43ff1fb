import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { command, fake, KEY } from './support.ts';

/** Runs a check that is not possible. Expects one line with the reason and without keys. */
async function refusalOf(...args: string[]): Promise<string> {
  const { code, out, err } = await command(args);
  expect([code, out]).toEqual([2, '']);
  expect(err.trim().split('\n')).toHaveLength(1);
  for (const secret of [KEY, 'secret', 'two words']) expect(err).not.toContain(secret);
  return err;
}

const answers =
  (status: number, headers: Record<string, string>, body: unknown): RequestListener =>
  (_request, response) => {
    response.writeHead(status, headers);
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

const JSON_TYPE = { 'content-type': 'application/json' };

describe('a check stops with one line and exit code 2 if the server responds', () => {
  test.each<[string, RequestListener, RegExp]>([
    [
      'with HTML',
      answers(200, { 'content-type': 'text/html' }, '<!doctype html><h1>Hello</h1>'),
      /returned 200 with HTML instead of JSON: <!doctype html>/,
    ],
    [
      'with a redirect',
      answers(302, { location: `/login?key=${KEY}` }, ''),
      /redirects to \/login\?key=\[key\]; use the final address as --url/,
    ],
    ['with an empty body', answers(200, {}, ''), /returned 200 with an empty body instead of JSON/],
    ['with a cut connection', ({ socket }) => void socket.destroy(), /cut the connection/],
    [
      'with half a response',
      (_request, response) => {
        response.writeHead(200, { ...JSON_TYPE, 'content-length': '100' });
        response.write('{"success":', () => response.destroy());
      },
      /cut the connection/,
    ],
    [
      'with more than 10 MB',
      answers(200, JSON_TYPE, 'x'.repeat(11_000_000)),
      /sent more than 10 MB in one response\.$/m,
    ],
    [
      'with something that is not HTTP',
      ({ socket }) => void socket.end('SSH-2.0-OpenSSH_9.6\r\n'),
      /sent a response that is not HTTP/,
    ],
    [
      'with an unknown status',
      ({ socket }) => void socket.end('HTTP/1.1 999 Nope\r\nContent-Length: 2\r\n\r\n{}'),
      /returned 999 for a list\.$/m,
    ],
    ['too late', () => undefined, /sent no complete response within 200 ms/],
    [
      'by refusing the key',
      answers(401, JSON_TYPE, { message: `Unauthenticated: ${KEY}` }),
      /refuses the key with 401: "Unauthenticated: \[key\]"/,
    ],
    [
      'with a server error',
      answers(502, JSON_TYPE, { title: 'Bad Gateway', detail: 'It can not be reached.' }),
      /returned 502 for a list: "It can not be reached\."/,
    ],
  ])('%s', async (what, listener, message) => {
    const url = await fake(listener);
    const timeout = what === 'too late' ? '0.2' : '10';
    const err = await refusalOf('--url', url, '--key', KEY, '--timeout', timeout);
    expect(err).toMatch(message);
    expect(err).toContain(url);
  });
});

test('a server that is down is one line', async () => {
  const err = await refusalOf('--url', 'http://127.0.0.1:2', '--key', KEY);
  expect(err).toMatch(/refused the connection: nothing is listening there/);
});

/** A sandbox over a socket that responds normally at first, then like `otherwise`. */
const sandboxWhile = (isServed: (path: string) => boolean, otherwise: RequestListener) => {
  const sandbox = createSandbox();
  return fake(async (request, response) => {
    const { url = '', headers } = request;
    if (!isServed(url)) return otherwise(request, response);
    const authorization = String(headers.authorization);
    const answer = await sandbox.fetch(
      new Request(`http://sandbox${url}`, { headers: { authorization } }),
    );
    response.writeHead(answer.status, JSON_TYPE);
    response.end(await answer.text());
  });
};

test('a server that disappears during the check is one line', async () => {
  let left = 10;
  const url = await sandboxWhile(
    () => left-- > 0,
    ({ socket }) => socket.destroy(),
  );
  const err = await refusalOf('--url', url, '--key', KEY);
  expect(err).toMatch(/cut the connection; the check could not finish/);
});

test('a wrong base path is one line, with the right one', async () => {
  const url = await sandboxWhile(
    (path) => path.startsWith('/api/merchant'),
    answers(404, JSON_TYPE, { message: 'Not Found' }),
  );
  expect(await refusalOf('--url', `${url}/api/v2`, '--key', KEY)).toBe(
    `micro-insurance-sandbox: ${url}/api/v2 has no path of the contract (/api/merchant/micro_health/all_subscriptions returns 404); try --url ${url}.\n`,
  );
});

test('check requires a URL and a key', async () => {
  expect(await refusalOf('--key', KEY)).toMatch(/requires --url/);
  expect(await refusalOf('--url', 'http://127.0.0.1:1')).toMatch(/requires --key/);
});

test.each([
  [['--url', 'ftp://x'], /--url must be a URL/],
  [['--url', 'http://user:secret@127.0.0.1:1'], /must not contain a user/],
  [['--key', 'two words'], /The key must be/],
  [
    ['--url', 'https://provider.example', '--wait-expiry'],
    /requires purchases, which on another machine require --buy/,
  ],
  [[KEY], /check takes no arguments, only flags/],
  [['--buy', '--read-only'], /--buy and --read-only cannot be combined/],
  [['--wait-expiry', '--read-only'], /--wait-expiry requires purchases, which --read-only forbids/],
  [['--other-key', KEY], /is the same key/],
  [['--other-key', 'two words'], /The other key must/],
  [['--family', 'pets'], /--family must be micro_health, motor or group_life/],
  [
    ['--product', 'travel=7'],
    /--product must name micro_health, motor or group_life; got "travel"/,
  ],
  [['--product', 'motor'], /--product must look like motor=7; got "motor"/],
  [['--product', 'motor=x'], /--product must look like motor=7; got "motor=x"/],
  [
    ['--product', 'motor=7', '--product', 'micro-health=1,motor=8'],
    /--product must name one product of motor, not two/,
  ],
  [
    ['--product', 'motor=7', '--product', 'micro-health=7'],
    /--product must name another product of micro_health than of motor/,
  ],
  [['--rps', '0'], /--rps must be a number above 0/],
  [['--profile', '/nowhere.json'], /does not exist/],
])('check refuses %j', async (flags, message) => {
  const err = await refusalOf('--url', 'http://127.0.0.1:1', '--key', KEY, ...flags);
  expect(err).toMatch(message);
});
