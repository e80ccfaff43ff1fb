import type { RequestListener } from 'node:http';
import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { command, fake, stopFakes } from './command.ts';
import { KEY } from './support.ts';

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

describe('what can not be checked is one line and exit code 2', () => {
  const cases: readonly [string, RequestListener, RegExp][] = [
    [
      'HTML',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/html' });
        response.end('<!doctype html><h1>Hello</h1>');
      },
      /answers 200 with HTML that is not JSON: <!doctype html>/,
    ],
    [
      'a redirect',
      (_request, response) => {
        response.writeHead(302, { location: 'https://elsewhere.example/' });
        response.end();
      },
      /redirects to https:\/\/elsewhere\.example\//,
    ],
    [
      'nothing',
      (_request, response) => {
        response.end();
      },
      /answers 200 with nothing in it/,
    ],
    [
      'a cut connection',
      (request) => {
        request.socket.destroy();
      },
      /cut the connection/,
    ],
    [
      'half an answer',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' });
        response.write('{"success":', () => response.destroy());
      },
      /cut the connection/,
    ],
    [
      '200 MB',
      (_request, response) => {
        response.writeHead(200, { 'content-type': 'application/json' });
        const piece = 'x'.repeat(1_000_000);
        let sent = 0;
        const send = () => {
          while (sent++ < 200) if (!response.write(piece)) return response.once('drain', send);
          return response.end();
        };
        send();
      },
      /sends more than 10 MB in one answer\.$/m,
    ],
    [
      'what is no HTTP',
      (request) => {
        request.socket.end('SSH-2.0-OpenSSH_9.6\r\n');
      },
      /answered something that is not HTTP/,
    ],
    [
      'a status that nobody knows',
      (request) => {
        request.socket.end('HTTP/1.1 999 Nope\r\nContent-Length: 2\r\n\r\n{}');
      },
      /answers a list with 999\.$/m,
    ],
    [
      'a redirect with the key in it',
      (_request, response) => {
        response.writeHead(302, { location: `/login?key=${encodeURIComponent(KEY)}` });
        response.end();
      },
      /redirects to \/login\?key=\[key\]; give --url/,
    ],
    ['silence', () => undefined, /gave no whole answer within 200 ms/],
    [
      'a refused key',
      json(401, { message: `Unauthenticated: ${KEY}` }),
      /refuses the key with 401: "Unauthenticated: \[key\]"/,
    ],
    ['a forbidden key', json(403, { success: false }), /refuses the key with 403/],
    [
      'a service that is down behind a proxy',
      json(502, { title: 'Bad Gateway', detail: 'It can not be reached.' }),
      /answers a list with 502: "It can not be reached\."/,
    ],
  ];

  test.each(cases)('%s', async (name, listener, message) => {
    const timeout = name === 'silence' ? '0.2' : '10';
    const url = await fake(listener);
    const { code, out, err } = await command('--url', url, '--key', KEY, '--timeout', timeout);
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toMatch(message);
    expect(err).toContain(url);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(err).not.toContain(KEY);
    expect(err).not.toMatch(/\n\s+at /);
  });

  test('a server that is down', async () => {
    const url = await fake(() => undefined);
    stopFakes();
    const { code, err } = await command('--url', url, '--key', KEY);
    expect(code).toBe(2);
    expect(err).toMatch(/refused the connection: nothing listens there/);
  });

  test('a server that goes away on the way', async () => {
    let answered = 0;
    const inner = createSandbox();
    const url = await fake(async (request, response) => {
      if (++answered > 10) return request.socket.destroy();
      const { headers, method = 'GET' } = request;
      const answer = await inner.fetch(
        new Request(`http://sandbox${request.url}`, {
          method,
          headers: { authorization: headers.authorization ?? '' },
        }),
      );
      response.writeHead(answer.status, { 'content-type': 'application/json' });
      response.end(await answer.text());
    });
    const { code, err } = await command('--url', url, '--key', KEY);
    expect(code).toBe(2);
    expect(err).toMatch(/cut the connection; the check was given up on the way/);
  });

  test.each([
    [['--key', KEY], /needs --url/],
    [['--url', 'http://127.0.0.1:1'], /needs --key/],
    [['--url', 'ftp://x', '--key', KEY], /--url must be a URL/],
    [['--url', 'provider.example', '--key', KEY], /--url must be a URL/],
    [['--url', 'http://127.0.0.1:1', '--key', KEY, KEY], /check takes flags only/],
    [
      ['--url', 'http://127.0.0.1:1', '--key', KEY, '--buy', '--read-only'],
      /--buy and --read-only exclude each other/,
    ],
    [
      ['--url', 'http://127.0.0.1:1', '--key', KEY, '--wait-expiry', '--read-only'],
      /--wait-expiry waits for purchases to expire/,
    ],
    [
      ['--url', 'https://provider.example', '--key', KEY, '--wait-expiry'],
      /--wait-expiry waits for purchases to expire; off this machine that takes --buy/,
    ],
    [['--url', 'http://127.0.0.1:1', '--key', KEY, '--other-key', KEY], /is the same key/],
    [
      ['--url', 'http://127.0.0.1:1', '--key', KEY, '--other-key', 'two words'],
      /The other key must/,
    ],
    [['--url', 'http://user:secret@127.0.0.1:1', '--key', KEY], /must not hold a user/],
    [['--url', 'http://127.0.0.1:1', '--key', 'two words'], /The key must be/],
    [
      ['--url', 'http://127.0.0.1:1', '--key', KEY, '--family', 'pets'],
      /--family must be micro_health, motor, group_life/,
    ],
    [['--url', 'http://127.0.0.1:1', '--key', KEY, '--rps', '0'], /--rps must be a number above 0/],
    [['--url', 'http://127.0.0.1:1', '--key', KEY, '--redonly'], /Did you mean --read-only/],
    [['--url', 'http://127.0.0.1:1', '--key', KEY, '--profile', '/nowhere.json'], /does not exist/],
  ])('a command line such as %j', async (args, message) => {
    const { code, err } = await command(...args);
    expect(code).toBe(2);
    expect(err).toMatch(message);
    expect(err).not.toContain('secret');
    expect(err).not.toContain(KEY);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(err).not.toContain('two words');
  });
});
