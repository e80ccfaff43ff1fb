import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { startSandbox } from '../../src/node.ts';
import { runHere } from '../support/terminal.ts';
import { Command, newFolder, PROGRAM, serveHere } from './command.ts';

const DEMO = { headers: { authorization: 'Bearer sk_sandbox_demo' } };
const LIST = '/api/merchant/micro_health/all_subscriptions';

describe('the command', () => {
  test('prints its address as one line of JSON, and stops on Ctrl+C while a request hangs', async () => {
    const command = new Command(['start', '--port=0', '--json']);
    const { url, port, pid, version, key } = JSON.parse(await command.started());
    expect(url).toBe(`http://127.0.0.1:${port}`);
    expect(pid).toBe(command.process.pid);
    expect(version).toBe(manifest.version);
    expect(key).toBe('sk_sandbox_demo');
    expect((await fetch(url + LIST, DEMO)).status).toBe(200);
    const headers = { ...DEMO.headers, 'sandbox-fault': 'before; hang' };
    const hanging = fetch(url + LIST, { headers }).catch((error) => error);
    await fetch(`${url}/livez`);
    const { code, out, err } = await command.stop('SIGINT');
    expect({ code, err }).toEqual({ code: 0, err: '' });
    expect(out.trim().split('\n')).toHaveLength(1);
    expect(await hanging).toBeInstanceOf(Error);
  });

  test('prints a curl command that works', async () => {
    const { said } = await serveHere();
    const [, key, url] = /curl -H 'Authorization: Bearer (\S+)' (\S+)/.exec(said.out) ?? [];
    const answer = await fetch(url as string, { headers: { authorization: `Bearer ${key}` } });
    expect(answer.status).toBe(200);
    expect(said.out).not.toContain('\u001b');
  });

  test('says how to allow admin calls of other machines, if it listens for them', async () => {
    const note = 'if you set SANDBOX_ADMIN_TOKEN.\n';
    const open = ['--host', '0.0.0.0'];
    expect((await serveHere(open)).said.out).toContain(note);
    expect((await serveHere([...open, '--admin-token', 'secret'])).said.out).not.toContain(note);
    expect((await serveHere()).said.out).not.toContain(note);
  });

  test('says in a line each what is special about a start', async () => {
    const folder = newFolder();
    const [profile, state] = [join(folder, 'profile.json'), join(folder, 'state')];
    writeFileSync(profile, '{ "version": 1, "decisions": {} }');
    const { said } = await serveHere([
      ...['--profile', profile, '--fixtures', 'fixtures', '--now', '2026-01-31', '--freeze'],
      ...['--auto-merchants', '--cors', 'http://a', '--state', state],
    ]);
    for (const line of [
      `  profile    ${profile}\n`,
      '  fixtures   fixtures\n',
      '  clock      starts at 2026-01-31T00:00:00.000Z, frozen\n',
      '  merchants  a new key opens an empty World\n',
      '  cors       pages of http://a may call it\n',
      `  state      ${state}\n`,
    ]) {
      expect(said.out).toContain(line);
    }
    expect(said.out).not.toContain('in memory');
    const usual = (await serveHere()).said.out;
    expect(usual).not.toMatch(/^ {2}(profile|fixtures|clock|merchants|cors|state) /m);
    expect(usual).toContain('Data is kept in memory.');
    expect(usual).toContain('All flags: npx micro-insurance-sandbox --help\n');
  });

  test('prints nothing with --quiet', async () => {
    const command = await serveHere(['--quiet', '--json']);
    expect(await command.stop()).toEqual({ code: 0, out: '', err: '' });
  });

  test('reports a taken port in one line, and exits with 1', async () => {
    await using other = await startSandbox({ port: 0 });
    const { code, out, err } = await runHere(['--port', `${other.port}`]);
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(new RegExp(`^[^\n]*Port ${other.port} of 127.0.0.1 is taken[^\n]*\n$`));
  });

  test.each([
    [['--port', '65536'], /--port must be a whole number from 0 to 65535; got "65536"/],
    [['--seed', 'x'], /--seed must be a whole number from 0 to 4294967295; got "x"/],
    [['--max-merchants', '0'], /--max-merchants must be a whole number of 1 or more; got 0/],
    [['--max-merchants=-1'], /--max-merchants must be a whole number of 1 or more; got "-1"/],
    [['--now', 'yesterday'], /: --now must be a time like .*; got "yesterday"/],
    [
      ['--cors', 'localhost:5173'],
      /: --cors must be an origin .*; did you mean "http:\/\/localhost:5173"\?/,
    ],
    [
      ['--cors', 'http://a,http://b/'],
      /: --cors must be an origin .*; got "http:\/\/b\/"; did you mean "http:\/\/b"\?/,
    ],
    [['--cors', '*,http://a'], /: --cors must be an origin .*, or \* alone; got "\*"\./],
    [['--log', 'loud'], /--log must be off, calls, bodies or json; got "loud"/],
    [['--amount-check', 'exakt'], /--amount-check must be "exact" or "ignore"; got "exakt"/],
    [['--public-url', 'here'], /--public-url must be a URL/],
    [['--public-url', 'http://here/?page=1'], /--public-url must be a URL .*without \? or #/],
    [['--freeze', 'check'], /start takes no argument "check". Write the command before its flags/],
    [['start', 'now'], /start takes no argument "now"/],
    [['--port'], /option '-p, --port <N>' argument missing/],
    [['--state', '--json'], /--state needs a value/],
    [['--json=yes'], /--json takes no value/],
    [['--fixtures', '/nowhere'], /: --fixtures: \/nowhere: does not exist/],
    [['--fixtures', 'package.json'], /package.json: is a file, not a folder/],
    [['--profile', '/nowhere.json'], /: --profile: \/nowhere.json: does not exist/],
    [['--profile', 'package.json'], /: --profile: Invalid profile: /],
    [['check', '--key', '--url'], /: --key needs a value/],
    [['ready', '4015'], /: ready takes no argument "4015"; use --port 4015/],
    [['--state', '/nowhere/state'], /: --state: \/nowhere\/state: its folder does not exist/],
    [['--now', '2026-02-30'], /: --now must be a time like .*; got "2026-02-30"/],
    [['--attached'], /: --attached requires a pipe as standard input/],
    [['--watch'], /: --watch requires --fixtures DIR: the built-in fixtures do not change/],
    [
      ['--watch', '--fixtures', 'fixtures', '--state', 'x'],
      /: --watch cannot be combined with --state: /,
    ],
  ])('refuses %j in one line, and exits with 2', async (args, message) => {
    const { code, out, err } = await runHere(args);
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
    expect(err.trim().split('\n')).toHaveLength(1);
  });
});

test('--attached stops the sandbox when its standard input closes', async () => {
  const state = join(newFolder(), 'state.json');
  const args = ['--port', '0', '--attached', '--state', state, '--json'];
  const command = new Command(args, {}, PROGRAM, 'pipe');
  const { url } = JSON.parse(await command.started());
  command.process.stdin?.write('any input is ignored\n');
  expect((await fetch(`${url}/livez`)).status).toBe(200);
  command.process.stdin?.end();
  expect(await command.ended).toMatchObject({ code: 0, err: '' });
  expect(readFileSync(state, 'utf8'), 'it was a clean stop').not.toBe('');
});

test.each(['[::1]', '::1'])('--host %s is one host', async (host) => {
  const { said } = await serveHere(['--host', host]);
  expect(said.err).toBe('');
  const [, url] = /at (http:\/\/\[::1\]:\d+)/.exec(said.out) ?? [];
  expect((await fetch(`${url}/livez`)).status).toBe(200);
  expect(said.out).not.toContain('SANDBOX_ADMIN_TOKEN');
});

test('blanks around the value of a variable do not count', async () => {
  const environment = { PORT: '0 ', SANDBOX_FREEZE: '1\r', SANDBOX_NOW: ' ', SANDBOX_SEED: ' 7' };
  const { said, stop } = await serveHere(['--quiet'], environment);
  expect((await stop()).code).toBe(0);
  expect(said).toEqual({ out: '', err: '' });
});

test('--now takes a day, which means its midnight UTC', async () => {
  for (const [args, environment] of [
    [['--now', '2026-01-31', '--freeze'], {}],
    [['--freeze'], { SANDBOX_NOW: '2026-01-31' }],
  ] as const) {
    const { url } = await serveHere([...args], environment);
    const clock = await fetch(`${url}/_sandbox/clock`, DEMO);
    expect(await clock.json()).toMatchObject({ now: '2026-01-31T00:00:00.000Z' });
  }
});

describe('a setting', () => {
  test.each([
    [
      'by flags',
      [
        ...[
          '--now',
          '2030-01-31T10:00:00Z',
          '--freeze',
          '--cors',
          'http://a,http://localhost:5173',
        ],
        ...['--no-redact', '--auto-merchants', '--max-merchants', '3'],
      ],
      {},
    ],
    [
      'by the environment',
      [],
      {
        SANDBOX_NOW: '2030-01-31T10:00:00Z',
        SANDBOX_FREEZE: '1',
        SANDBOX_CORS: 'http://a, http://localhost:5173',
        SANDBOX_NO_REDACT: '1',
        SANDBOX_AUTO_MERCHANTS: 'true',
        SANDBOX_MAX_MERCHANTS: '3',
      },
    ],
  ])('can be set %s', async (_, args, environment: Record<string, string>) => {
    const { url, stop } = await serveHere(args, environment);
    const origin = 'http://localhost:5173';
    const list = (key: string) =>
      fetch(url + LIST, { headers: { authorization: `Bearer ${key}`, origin } });
    const control = async (path: string) => (await fetch(`${url}/_sandbox/${path}`, DEMO)).json();
    const { headers } = await list('sk_sandbox_demo');
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    expect(await control('clock')).toEqual({ now: '2030-01-31T10:00:00.000Z', mode: 'frozen' });
    const [call] = (await control('journal')).data;
    expect(call.request.headers.authorization).toBe('Bearer sk_sandbox_demo');

    // The fixtures have two merchants.
    const keys = ['a', 'b', 'c', 'a'];
    const statuses = [];
    for (const key of keys) statuses.push((await list(key)).status);
    expect(statuses).toEqual([200, 401, 401, 200]);
    const minted = await fetch(`${url}/_sandbox/merchants`, { method: 'POST' });
    expect(minted.status).toBe(409);
    expect(await stop()).toMatchObject({
      code: 0,
      err:
        'micro-insurance-sandbox: The limit of merchants is reached: 3 (--max-merchants). ' +
        'Remove one, or start the sandbox with a higher limit. Until then, unknown keys are refused with 401.\n',
    });
  });

  test('of a flag wins over the environment, where an empty variable counts as none', async () => {
    const { url, said } = await serveHere(['--now', '2031-01-31T10:00:00Z', '--freeze'], {
      SANDBOX_NOW: '2030-01-31T10:00:00Z',
      SANDBOX_FREEZE: '0',
      SANDBOX_NO_REDACT: 'false',
      SANDBOX_SEED: '',
      SANDBOX_WATCH: '',
    });
    const clock = await fetch(`${url}/_sandbox/clock`, DEMO);
    expect(await clock.json()).toEqual({ now: '2031-01-31T10:00:00.000Z', mode: 'frozen' });
    expect(said.err).toBe('');
  });

  test('of the environment is off if the variable is 0', async () => {
    const { url } = await serveHere([], { SANDBOX_FREEZE: '0' });
    const clock = await fetch(`${url}/_sandbox/clock`, DEMO);
    expect(await clock.json()).toMatchObject({ mode: 'running' });
  });

  test('in an unknown SANDBOX_ variable is a warning with the nearest known name', async () => {
    const { said } = await serveHere([], {
      ...{ SANDBOX_PROT: '1', SANDBOX_ZZZ: '1' },
      ...{ SANDBOX_KEY: 'k', SANDBOX_URL: 'http://here', OTHER: '1' },
    });
    expect(said.err.trimEnd().split('\n')).toEqual([
      'micro-insurance-sandbox: Unknown variable SANDBOX_PROT; did you mean SANDBOX_PORT?',
      'micro-insurance-sandbox: Unknown variable SANDBOX_ZZZ',
    ]);
  });

  test('that names a folder of invalid fixtures is reported with every problem', async () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'merchants.json'), '{ "merchants": [{ "id": 0, "name": "A" }] }');
    expect((await runHere([], { SANDBOX_FIXTURES: folder })).err).toMatch(
      /^micro-insurance-sandbox: SANDBOX_FIXTURES:\n {2}merchants.json: .*\n {2}merchants.json: .*\n$/,
    );
    writeFileSync(join(folder, 'merchants.json'), '{');
    expect((await runHere(['--fixtures', folder])).err).toContain(
      `sandbox: --fixtures: ${join(folder, 'merchants.json')}: line 1, column 2: `,
    );
  });

  test.each([
    [{ SANDBOX_FIXTURES: '/nowhere' }, 'SANDBOX_FIXTURES: /nowhere: does not exist'],
    [{ SANDBOX_LOG: '1' }, 'SANDBOX_LOG must be off, calls, bodies or json; got "1".'],
    [{ SANDBOX_FREEZE: 'x' }, 'SANDBOX_FREEZE must be 1, true, 0 or false; got "x".'],
  ])('that is invalid is reported with its variable: %j', async (environment, message) => {
    const { code, err } = await runHere([], environment as Record<string, string>);
    expect({ code, err }).toEqual({ code: 2, err: `micro-insurance-sandbox: ${message}\n` });
  });
});
