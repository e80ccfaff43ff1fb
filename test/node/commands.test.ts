import { EventEmitter, once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { Option } from 'commander';
import { describe, expect, onTestFinished, test } from 'vitest';
import { run } from '../../src/command/cli.ts';
import { containerPort } from '../../src/node/container.ts';
import { startSandbox } from '../../src/node.ts';
import { START_OPTIONS } from '../../src/sandbox/start-options.ts';
import { runHere, terminalTo } from '../support/terminal.ts';
import { newFolder } from './command.ts';

/** Starts a server that is no sandbox. Returns its URL. */
async function serve(respond: RequestListener): Promise<string> {
  const server = createServer(respond).listen(0, '127.0.0.1');
  onTestFinished(() => {
    server.close().closeAllConnections();
  });
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const readJson = (...path: string[]) => JSON.parse(readFileSync(join(...path), 'utf8'));

describe('fixtures', () => {
  test('init writes valid fixture files', async () => {
    const folder = join(newFolder(), 'mine');
    expect((await runHere(['fixtures', 'init', folder])).code).toBe(0);
    const isJson = (name: string) => name.endsWith('.json');
    const names = readdirSync(folder).filter(isJson);
    expect(names).toEqual(readdirSync('fixtures').filter(isJson));
    for (const name of names) {
      expect(readJson(folder, name)).toEqual(readJson('fixtures', name));
    }
    expect(await runHere(['fixtures', 'check', folder])).toMatchObject({ code: 0, err: '' });
  });

  test.each([
    [
      '{\n  "merchants": [\n    {"id": 1,}\n  ]\n}',
      'merchants.json: line 3, column 14: property name expected',
    ],
    [
      '{ "merchants": [{ "id": 0, "name": "A", "api_key": "k" }] }',
      'merchants.json: merchants.0.id: expected at least 1, got 0',
    ],
  ])('check and start name the place of a mistake: %j', async (content, message) => {
    const folder = newFolder();
    writeFileSync(join(folder, 'merchants.json'), content);
    const { code, err } = await runHere(['fixtures', 'check', folder]);
    expect(code).toBe(2);
    expect(err).toContain(message);
    expect((await runHere(['--fixtures', folder])).err).toContain(message);
  });

  test.each(['[', '{"a":', '[]'])('nested %s is told in one line, of every file', async (text) => {
    const folder = newFolder();
    const file = join(folder, 'motor.json');
    const [open, close = ''] = text === '[]' ? text : [text];
    writeFileSync(file, `${open?.repeat(200_000)}${close.repeat(200_000)}`);
    const why = `${file}: is nested deeper than 150 levels\n`;
    for (const args of [
      ['fixtures', 'check', folder],
      ['--fixtures', folder],
      ['--profile', file],
    ]) {
      const { code, out, err } = await runHere(args);
      expect({ code, out }).toEqual({ code: 2, out: '' });
      expect(err.trimEnd().split('\n')).toHaveLength(1);
      expect(err).toContain(why);
    }
  });

  test('a file that is not UTF-8 is told as that, and a byte order mark is fine', async () => {
    const folder = newFolder();
    const file = join(folder, 'merchants.json');
    const content = '{ "merchants": [{ "id": 1, "name": "Café", "api_key": "k" }] }';
    writeFileSync(file, `\uFEFF${content}`);
    expect(await runHere(['fixtures', 'check', folder])).toMatchObject({ code: 0, err: '' });
    for (const encoding of ['latin1', 'utf16le'] as const) {
      writeFileSync(file, content, encoding);
      const { code, err } = await runHere(['fixtures', 'check', folder]);
      expect(code).toBe(2);
      expect(err).toContain('merchants.json: is not UTF-8 text; save it as UTF-8');
    }
    writeFileSync(file, '{ "version": 1, "name": "Café" }', 'latin1');
    const { err } = await runHere(['--profile', file]);
    expect(err).toContain('merchants.json: is not UTF-8 text');
  });

  test.each(['init', 'check'])('%s refuses an empty DIR', async (action) => {
    const { code, out, err } = await runHere(['fixtures', action, '']);
    expect(err).toContain('Usage: micro-insurance-sandbox fixtures init DIR');
    expect({ code, out }).toEqual({ code: 2, out: '' });
  });

  test('a misspelt action is an error with the right one', async () => {
    const { code, err } = await runHere(['fixtures', 'chek']);
    expect({ code, err }).toEqual({
      code: 2,
      err: expect.stringContaining('Unknown action "chek". Did you mean check? Usage: '),
    });
  });

  test('init says that DIR is a file, and check that a fixture file is a folder', async () => {
    const folder = newFolder();
    const file = join(folder, 'note');
    writeFileSync(file, '');
    expect((await runHere(['fixtures', 'init', file])).err).toContain(
      `${file}: is a file, not a folder`,
    );
    mkdirSync(join(folder, 'motor.json'));
    const { code, err } = await runHere(['fixtures', 'check', folder]);
    expect(err).toContain('motor.json: is a folder, not a file');
    expect(code).toBe(2);
  });
});

describe('ready', () => {
  test('prints nothing if a sandbox is ready', async () => {
    await using server = await startSandbox({ port: 0 });
    expect(await runHere(['ready', '--url', server.url])).toEqual({ code: 0, out: '', err: '' });
    const ready = await runHere(['ready'], { PORT: `${server.port}` });
    expect(ready).toEqual({ code: 0, out: '', err: '' });
  });

  test.each([
    [['--port', '8080'], '8080'],
    [['start', '--port=8080', '--json'], '8080'],
    [['-p', '1', '-p8080'], '8080'],
    [['start'], undefined],
  ])('in a container, of which %j is the command, asks its port', (words, found) => {
    const ofNode = ['node', '/app/bin/micro-insurance-sandbox.cjs', ...words, ''].join('\0');
    expect(containerPort(ofNode)).toBe(found);
    expect(containerPort(['/sbin/tini', '--', ofNode].join('\0'))).toBe(found);
    expect(containerPort(['/sbin/init', ...words].join('\0'))).toBe(undefined);
  });

  test('exits with 1 if nothing responds in time', async () => {
    const nowhere = 'http://127.0.0.1:1';
    const { code, err } = await runHere(['ready', '--url', nowhere, '--timeout', '0.1']);
    expect(code).toBe(1);
    expect(err).toMatch(/^micro-insurance-sandbox: http:\/\/127.0.0.1:1 is not ready: .*\n$/);
  });

  test('does not wait for the end of a body', async () => {
    const events = new EventEmitter();
    const closed = once(events, 'closed');
    const url = await serve((_, response) => {
      response.on('close', () => events.emit('closed')).write('half');
    });
    expect((await runHere(['ready', '--url', url])).code).toBe(0);
    await closed;
  });

  test('exits in time, however slowly a response comes', async () => {
    const url = await serve(({ socket }) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const timer = setInterval(() => socket.write('X-Slow: 1\r\n'), 20);
      socket.on('close', () => clearInterval(timer));
    });
    expect(await runHere(['ready', '--url', url, '--timeout', '0.2'])).toEqual({
      code: 1,
      out: '',
      err: expect.stringContaining('is not ready: no response within '),
    });
  });

  test('never shows a password', async () => {
    const args = ['ready', '--url', 'http://user:secret@127.0.0.1:1', '--timeout', '0'];
    expect((await runHere(args)).err).toContain(': http://…@127.0.0.1:1 is not ready: ');
  });

  test('refuses an invalid URL and an invalid time', async () => {
    expect((await runHere(['ready', '--url', 'here'])).code).toBe(2);
    expect((await runHere(['ready', '--timeout', 'long'])).code).toBe(2);
  });
});

test('openapi prints the published documents', async () => {
  expect(JSON.parse((await runHere(['openapi'])).out)).toEqual(
    readJson('openapi/merchant-api.json'),
  );
  expect(JSON.parse((await runHere(['openapi', '--version', '3.0'])).out)).toEqual(
    readJson('openapi/merchant-api-3.0.json'),
  );
  expect((await runHere(['openapi', '--version', '2.0'])).code).toBe(2);
});

describe('a message shows the control characters of a value', () => {
  test.each<[string[], Record<string, string>, string]>([
    [
      [],
      { SANDBOX_PORT: '40\r15' },
      'SANDBOX_PORT must be a whole number from 0 to 65535; got "40\\r15".',
    ],
    [[], { SANDBOX_FREEZE: '1\r1' }, 'SANDBOX_FREEZE must be 1, true, 0 or false; got "1\\r1".'],
    [['--seed', 'a'], { 'SANDBOX_SEDE\r': '' }, 'Unknown variable SANDBOX_SEDE\\r; did you mean'],
    [
      ['--seed', '\u001b[2J1'],
      {},
      '--seed must be a whole number from 0 to 4294967295; got "\\u001b[2J1".',
    ],
    [['--log', 'calls\u009b'], {}, '--log must be off, calls, bodies or json; got "calls\\u009b".'],
    [['--now', '2026-01-31\r'], {}, 'got "2026-01-31\\r".'],
    [['--cors', 'http://a\r'], {}, 'got "http://a\\r"; did you mean "http://a"?'],
    [['--public-url', 'http://a\r'], {}, 'got "http://a\\r".'],
    [['--fixtures', 'a\rb'], {}, '--fixtures: a\\rb: does not exist'],
    [['--host', 'a\rb', '--port', '0'], {}, 'This machine has no address a\\rb.'],
    [['--json=1\r'], {}, '--json takes no value; got "1\\r".'],
    [['--port\r', '1'], {}, "unknown option '--port\\r' (Did you mean --port?)"],
    [['start\r'], {}, "unknown command 'start\\r' (Did you mean start?)"],
    [['start', 'now\r'], {}, 'start takes no argument "now\\r".'],
    [['openapi', '3.0\r'], {}, 'openapi takes no argument "3.0\\r".'],
    [['ready', '4015\r'], {}, 'ready takes no argument "4015\\r"; use --url 4015\\r.'],
    [['ready', '--timeout', '1\r'], {}, '--timeout must be a number of seconds; got "1\\r".'],
    [['fixtures', 'init\r', 'mine'], {}, 'Unknown action "init\\r".'],
    [['fixtures', 'check', 'a\rb'], {}, 'a\\rb: does not exist'],
    [['check', '--url', 'http://a\r'], {}, 'got "http://a\\r".'],
    [['chaos', '--only', 'lost\r:x', '--', 'true'], {}, '--only: unknown operation "lost\\r"'],
  ])('%j', async (args, environment, message) => {
    const { code, err } = await runHere(args, environment);
    expect(err).toContain(message);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
    expect(err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/);
    expect(code).toBeGreaterThan(0);
  });
});

describe('help', () => {
  test('fits a screen: the commands first, then the flags that most people need', async () => {
    const { code, out } = await runHere(['--help']);
    expect(code).toBe(0);
    expect(out.trimEnd().split('\n').length).toBeLessThanOrEqual(39);
    expect(out.indexOf('Commands:')).toBeLessThan(out.indexOf('--port <N>'));
    for (const name of [
      'start',
      'fixtures',
      'ready',
      'openapi',
      'show',
      'check',
      'proxy',
      'chaos',
      'mcp',
    ]) {
      expect(out).toMatch(new RegExp(`^  ${name} +[a-z]`, 'm'));
    }
    for (const args of [['-h'], ['help'], ['help', '--open']]) {
      expect((await runHere(args)).out).toBe(out);
    }
  });

  test('of start shows every flag with its default and its environment variable', async () => {
    const { out } = await runHere(['start', '--help']);
    for (const { long } of Object.values(START_OPTIONS)
      .flat()
      .map(([flags]) => new Option(flags))) {
      expect(out).toContain(`${long}`);
    }
    expect(out).toContain('(default: 4015, env: SANDBOX_PORT or PORT)');
    expect(out).toContain('(default: 10000, env: SANDBOX_MAX_MERCHANTS)');
    expect((await runHere(['help', 'start'])).out).toBe(out);
  });

  test('of one command shows its usage and examples', async () => {
    const { out } = await runHere(['help', 'fixtures']);
    expect(out).toContain('fixtures init|check DIR');
    expect(out).toContain('Examples');
    expect((await runHere(['fixtures', '--help'])).out).toBe(out);
    expect((await runHere(['help', 'fixture'])).err).toContain('Did you mean fixtures?');
  });

  test.each(['', 'start', 'fixtures', 'ready', 'openapi', 'check', 'proxy', 'chaos', 'mcp'])(
    'of "%s" shows each flag once in lines of at most 80 columns, bold on a terminal',
    async (name) => {
      const args = [name, '--help'].filter(Boolean);
      const { out } = await runHere(args);
      const widths = out.split('\n').map((line) => line.length);
      expect(Math.max(...widths)).toBeLessThanOrEqual(80);
      const flags = [...out.matchAll(/^ {2}(?:-\w, )?(--[a-z-]+)/gm)].map(([, flag]) => flag);
      expect(flags).toContain('--help');
      expect(new Set(flags).size).toBe(flags.length);
      // Lines to copy run in a project that has the package as a dependency.
      const [, examples = ''] = out.split('\nExamples:\n');
      expect(examples.replaceAll('npx micro-insurance-sandbox', '')).not.toContain(
        'micro-insurance-sandbox',
      );

      const shown = { out: '', err: '' };
      await run(args, terminalTo(shown, { colours: true }));
      expect(shown.out).toContain('\u001b[1m');
      expect(stripVTControlCharacters(shown.out)).toBe(out);
    },
  );
});

describe('unknown names', () => {
  test.each([
    [['--prot', '1'], "unknown option '--prot' (Did you mean --port?)"],
    [['--autoMerchants'], "unknown option '--autoMerchants' (Did you mean --auto-merchants?)"],
    [['--verson'], "unknown option '--verson' (Did you mean --version?)"],
    [['ready', '--versin'], "unknown option '--versin' (Did you mean --version?)"],
    [['-x'], "unknown option '-x'\n"],
    [['--vers'], "unknown option '--vers' (Did you mean --version?)"],
    [['check', '--ulr', 'http://a'], "unknown option '--ulr' (Did you mean --url?)"],
    [['check', '--hepl'], "unknown option '--hepl' (Did you mean --help?)"],
    [['--redact'], "unknown option '--redact' (Did you mean --no-redact?)"],
    [['--admin', 'x'], "unknown option '--admin' (Did you mean --admin-token?)"],
    [['-port', '4015'], "unknown option '-port' (Did you mean --port?)"],
    [['-help'], "unknown option '-help' (Did you mean --help?)"],
    [['check', '--kee=sk_secret_1234'], "unknown option '--kee' (Did you mean --key?)\n"],
    [['fixtures', 'check', '--dir', 'here'], "unknown option '--dir'\n"],
    [['strat'], "unknown command 'strat' (Did you mean start?)"],
    [['deploy'], "unknown command 'deploy'. The commands are start, fixtures, ready,"],
    [['deploy', '--help'], "unknown command 'deploy'. The commands are start,"],
    [['help', 'me'], "unknown command 'me'. The commands are start,"],
  ])('%j is an error, with a suggestion if a similar name exists', async (args, message) => {
    const { code, err } = await runHere(args);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});
