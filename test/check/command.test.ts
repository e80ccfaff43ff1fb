import { mkdtempSync, readFileSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { run } from '../../src/node/cli.ts';
import { type SandboxServer, startSandbox } from '../../src/node/serve.ts';
import { KEY } from './support.ts';

const servers: Server[] = [];
let sandbox: SandboxServer | undefined;

afterEach(async () => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
  await sandbox?.close();
  sandbox = undefined;
});

/** The address of a server that answers so. */
async function fake(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  servers.push(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

async function command(...args: string[]) {
  const said = { out: '', err: '' };
  const code = await run(['check', ...args], {
    environment: {},
    colours: false,
    out: (text) => {
      said.out += text;
    },
    err: (text) => {
      said.err += text;
    },
    stopped: async () => undefined,
  });
  return { code, ...said };
}

const json =
  (status: number, body: unknown, headers: Record<string, string> = {}): RequestListener =>
  (_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };

const folder = () => mkdtempSync(join(tmpdir(), 'check-'));

describe('against a sandbox over a socket', () => {
  test('the command prints every operation and decision and exits with 0', async () => {
    sandbox = await startSandbox({ port: 0 });
    const { code, out, err } = await command('--url', sandbox.url, '--key', KEY);
    expect(err).toBe('');
    expect(code).toBe(0);
    expect(out).toMatch(/✓ verifyMotorPolicy +\d+ agree/);
    expect(out).toMatch(/token-boundary +confirmed/);
    expect(out).toMatch(
      /No difference\. Decisions: \d+ confirmed, 0 contradicted, 0 not observable\./,
    );
    expect(out).not.toContain(KEY);
  });

  test('the command reports as JSON and as JUnit XML, and writes a profile', async () => {
    sandbox = await startSandbox({
      port: 0,
      profile: { version: 1, decisions: { 'token-used': { message: 'Again <&> "this"?' } } },
    });
    const [junit, profile] = [join(folder(), 'junit.xml'), join(folder(), 'profile.json')];
    const { code, out } = await command(
      '--url',
      sandbox.url,
      '--key',
      KEY,
      '--family',
      'motor',
      '--json',
      '--junit',
      junit,
      '--write-profile',
      profile,
    );
    expect(code).toBe(1);
    const report = JSON.parse(out);
    expect(
      report.probes.flatMap(({ differences }: { differences: unknown[] }) => differences)[0],
    ).toEqual({
      operation: 'verifyMotorPolicy',
      path: '$.response_message',
      expected: '"Token has already been used"',
      seen: JSON.stringify('Again <&> "this"?'),
      decisions: ['token-used'],
    });
    expect(JSON.parse(readFileSync(profile, 'utf8'))).toEqual({
      version: 1,
      decisions: { 'token-used': { message: 'Again <&> "this"?' } },
    });
    const xml = readFileSync(junit, 'utf8');
    expect(xml).toMatch(/<testsuite name="verifyMotorPolicy" tests="\d+" failures="[1-9]\d*"/);
    expect(xml).toContain('Again &lt;&amp;&gt; \\&quot;this\\&quot;?');
    expect(xml).toMatch(
      /<testcase classname="decisions" name="token-used">\s*<skipped message="contradicted"/,
    );
    expect(
      await command('--url', sandbox.url, '--key', KEY, '--family', 'motor', '--profile', profile),
    ).toMatchObject({ code: 0 });
  });

  test('the command tells differences with operation, path, expected and seen', async () => {
    sandbox = await startSandbox({ port: 0, amountCheck: 'ignore' });
    const { code, out } = await command(
      '--url',
      `${sandbox.url}/`,
      '--key',
      KEY,
      '--family',
      'micro-health',
    );
    expect(code).toBe(1);
    expect(out).toContain('✗ initiateMicroHealthSubscription');
    expect(out).toMatch(
      /\$\.success\n +expected {2}false: refused with 422\n +seen {6}true\n.*amount-check/,
    );
    expect(out).toMatch(/amount-check +contradicted/);
  });
});

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
        response.write('{"success":');
        setTimeout(() => response.destroy(), 20);
      },
      /cut the connection/,
    ],
    ['silence', () => undefined, /gave no whole answer within 200 ms/],
    [
      'a refused key',
      json(401, { message: `Unauthenticated: ${KEY}` }),
      /refuses the key with 401: "Unauthenticated: \[key\]"/,
    ],
    ['a forbidden key', json(403, { success: false }), /refuses the key with 403/],
  ];

  test.each(cases)('%s', async (_name, listener, message) => {
    const url = await fake(listener);
    const { code, out, err } = await command('--url', url, '--key', KEY, '--timeout', '0.2');
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
    servers.splice(0).forEach((server) => {
      server.close();
    });
    const { code, err } = await command('--url', url, '--key', KEY);
    expect(code).toBe(2);
    expect(err).toMatch(/refused the connection: nothing listens there/);
  });

  test('a server that goes away on the way', async () => {
    let answered = 0;
    sandbox = await startSandbox({ port: 0 });
    const { sandbox: inner } = sandbox;
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
    [['--url', 'http://user:secret@127.0.0.1:1', '--key', KEY], /must not hold a user/],
    [['--url', 'http://127.0.0.1:1', '--key', 'two words'], /The key must be/],
    [
      ['--url', 'http://127.0.0.1:1', '--key', KEY, '--family', 'pets'],
      /--family must be micro_health, motor, group_life/,
    ],
    [['--url', 'http://127.0.0.1:1', '--key', KEY, '--rps', '0'], /--rps must be a number above 0/],
    [['--url', 'http://127.0.0.1:1', '--key', KEY, '--redonly'], /did you mean --read-only/],
    [['--url', 'http://127.0.0.1:1', '--key', KEY, '--profile', '/nowhere.json'], /does not exist/],
  ])('a command line such as %j', async (args, message) => {
    const { code, err } = await command(...args);
    expect(code).toBe(2);
    expect(err).toMatch(message);
    expect(err).not.toContain('secret');
    expect(err).not.toContain('two words');
  });
});

test.each(['--junit', '--write-profile'])(
  'a file for %s that can not be written is refused before anything is bought',
  async (flag) => {
    sandbox = await startSandbox({ port: 0 });
    const args = ['--url', sandbox.url, '--key', KEY, flag];
    const file = join(folder(), 'missing', 'report');
    const missing = await command(...args, file);
    expect(missing).toMatchObject({ code: 2, out: '' });
    expect(missing.err).toContain(`${file}: its folder does not exist`);
    expect((await command(...args, folder())).err).toContain('is a folder, not a file');
    expect(sandbox.sandbox.merchant(KEY).journal.list()).toEqual([]);
  },
);

test('the key is hidden where a server echoes it, in every form of the report', async () => {
  const key = 'sk/live+<key>"&1';
  const url = await fake((request, response) => {
    response.writeHead(200, { 'content-type': 'application/json', 'x-echo': 'no' });
    response.end(
      JSON.stringify({
        success: true,
        message: `for ${key}`,
        [key]: 1,
        data: {
          [key]: encodeURIComponent(key),
          first_page_url: `http://${request.headers.host}/?key=${encodeURIComponent(key)}&k=${key}`,
          deep: [{ quoted: JSON.stringify({ key }) }],
        },
      }),
    );
  });
  const junit = join(folder(), 'junit.xml');
  const profile = join(folder(), 'profile.json');
  const args = ['--url', url, '--key', key, '--junit', junit, '--write-profile', profile];
  const texts = [(await command(...args)).out, (await command(...args, '--json')).out];
  texts.push(readFileSync(junit, 'utf8'), readFileSync(profile, 'utf8'));
  const forms = [
    key,
    encodeURIComponent(key),
    JSON.stringify(key).slice(1, -1),
    'sk/live',
    'sk%2Flive',
  ];
  for (const text of texts) for (const form of forms) expect(text).not.toContain(form);
  expect(texts[0]).toContain('[key]');
});
