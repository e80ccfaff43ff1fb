import { EventEmitter, once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import Ajv from 'ajv';
import addFormats from 'ajv-formats';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSandbox, type Merchant } from '../../src/index.ts';
import { run } from '../../src/node/cli.ts';
import { startSandbox } from '../../src/node/index.ts';
import { fixtureSchemas } from '../../src/openapi/fixture-schemas.ts';
import { runHere, terminalTo } from '../support/terminal.ts';
import { newFolder } from './command.ts';

interface AnyPolicy {
  readonly id?: number;
  readonly policy_number?: string;
  readonly policy_no?: string;
}

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
      const { $schema, ...content } = readJson(folder, name);
      const ajv = addFormats.default(new Ajv.default({ strict: false }));
      const isValid = ajv.validate(readJson(folder, $schema), { $schema, ...content });
      expect(isValid, `${name} ${ajv.errorsText()}`).toBe(true);
      expect(content).toEqual(readJson('fixtures', name));
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

  test('init --from writes the World of a sandbox, which a new one can start with', async () => {
    await using server = await startSandbox({ port: 0, now: '2026-01-31T10:00:00Z' });
    const merchant = server.sandbox.createMerchant({ records: { micro_health: 3, motor: 2 } });
    const folder = join(newFolder(), 'mine');
    const args = ['fixtures', 'init', folder, '--from', `${server.url}/`];
    const written = await runHere(args, { SANDBOX_KEY: merchant.apiKey });
    expect(written).toMatchObject({ code: 0, err: '' });
    expect((await runHere(['fixtures', 'check', folder])).code).toBe(0);
    const names = readdirSync(folder).filter((name) => name.endsWith('.json'));
    const fixtures = Object.fromEntries(names.map((name) => [name, readJson(folder, name)]));
    const copy = createSandbox({ now: '2026-01-31T10:00:00Z', fixtures });
    for (const family of ['micro_health', 'motor', 'group_life'] as const) {
      const recordsOf = (each: Merchant) =>
        each
          .records({ family })
          .data.map(({ id, policy_number, policy_no }: AnyPolicy) => [
            id,
            policy_number ?? policy_no,
          ]);
      expect(recordsOf(copy.merchant('sk_sandbox_demo'))).toEqual(recordsOf(merchant));
    }
    expect((await runHere(args, { SANDBOX_KEY: merchant.apiKey })).err).toContain('already exists');
  });

  test('init --from says in one line what is wrong with the URL or the key', async () => {
    await using server = await startSandbox({ port: 0 });
    const folder = join(newFolder(), 'mine');
    const from = (url: string, environment = {}) =>
      runHere(['fixtures', 'init', folder, '--from', url], environment);
    for (const [wrong, why] of [
      [await from('http://127.0.0.1:9'), /could not be called|refused the connection/],
      [await from(`${server.url}/docs`), /this is not a sandbox of this version\.$/m],
      [await from(server.url, { SANDBOX_KEY: 'nobody' }), /no merchant has this key\./],
      [await from('here'), /--from must be a URL/],
      [await runHere(['fixtures', 'check', '.', '--from', server.url]), /works with fixtures init/],
    ] as const) {
      expect(wrong).toMatchObject({ code: 2, out: '', err: expect.stringMatching(why) });
      expect(wrong.err.trim().split('\n')).toHaveLength(1);
    }
    expect(existsSync(folder)).toBe(false);
  });

  test('init --from refuses what is no snapshot of this version, and writes nothing', async () => {
    await using sandbox = await startSandbox({ port: 0 });
    const taken = await sandbox.sandbox.merchant('sk_sandbox_demo').snapshot();
    let snapshot = JSON.stringify(taken);
    const url = await serve((_, response) => response.end(snapshot));
    const folder = join(newFolder(), 'mine');
    const from = () => runHere(['fixtures', 'init', folder, '--from', url]);
    const { world } = taken;
    const { price_list: prices } = world.values as {
      price_list: { products: object[]; records: Record<string, object> };
    };
    const { products, records } = prices;
    const { motor, ...others } = records;
    const policies = world['motor.policies'];
    for (const [price_list, list, why] of [
      [{ products, records: others }, policies, `: this is not a sandbox of this version.\n`],
      [{ products, records: { ...records, motor: [] } }, policies, ': this is not a sandbox'],
      [{ products, records: { ...records, motor: {} } }, policies, ': this is not a sandbox'],
      [{ products, records: { ...records, boat: motor } }, policies, ': this is not a sandbox'],
      [prices, undefined, ': this is not a sandbox of this version.\n'],
      [{ products: [{}], records }, policies, ': this is not a sandbox of this version.\n'],
      [{ products: [], records }, policies, ':\n  micro-health.json: '],
    ] as const) {
      const changes = { values: { price_list }, 'motor.policies': list };
      snapshot = JSON.stringify({ version: 2, world: { ...world, ...changes } });
      const { code, out, err } = await from();
      expect(err).toContain(`micro-insurance-sandbox: --from ${url}${why}`);
      expect({ code, out }).toEqual({ code: 2, out: '' });
    }
    expect(existsSync(folder)).toBe(false);
  });

  test('init --from ends in time, and reads at most 64 MB', async () => {
    const large = Buffer.alloc(65 * 1024 * 1024, 'x');
    const url = await serve((request, response) => {
      response.write('{"');
      if (request.url?.startsWith('/large')) response.end(large);
    });
    const folder = join(newFolder(), 'mine');
    const from = (...args: string[]) => runHere(['fixtures', 'init', folder, '--from', ...args]);
    expect(await from(url, '--timeout', '0.1')).toEqual({
      code: 2,
      out: '',
      err: `micro-insurance-sandbox: --from ${url}: sent no complete response within 100 ms.\n`,
    });
    expect((await from(`${url}/large`, '--timeout', '100')).err).toContain(
      ': sent more than 64 MB in one response.\n',
    );
    expect((await runHere(['fixtures', 'init', folder, '--timeout', '1'])).code).toBe(2);
  });

  test('init never shows a key or a password', async () => {
    const args = ['fixtures', 'init', join(newFolder(), 'mine'), '--from'];
    const key = await runHere([...args, 'http://127.0.0.1:1'], { SANDBOX_KEY: 'sk_secret\n' });
    expect(key.err).toContain('SANDBOX_KEY must be printable ASCII text without spaces.\n');
    const user = await runHere([...args, 'http://user:secret@127.0.0.1:1']);
    expect(user.err).toContain(
      '--from must not contain a user or a password; got "http://…@127.0.0.1:1".\n',
    );
    for (const { code, err } of [key, user]) {
      expect(err).not.toContain('secret');
      expect(code).toBe(2);
    }
  });

  test.each(['init', 'check'])('%s refuses an empty DIR', async (action) => {
    const { code, out, err } = await runHere(['fixtures', action, '']);
    expect(err).toContain('Usage: micro-insurance-sandbox fixtures init DIR');
    expect({ code, out }).toEqual({ code: 2, out: '' });
  });

  test('the published schemas match those of the code', () => {
    const names = readdirSync('fixtures/schemas');
    const published = names.map((name) => [name, readJson('fixtures/schemas', name)]);
    expect(Object.fromEntries(published), 'npm run docs writes them').toEqual(
      JSON.parse(JSON.stringify(fixtureSchemas())),
    );
  });
});

describe('ready', () => {
  test('prints nothing if a sandbox is ready', async () => {
    await using server = await startSandbox({ port: 0 });
    expect(await runHere(['ready', '--url', server.url])).toEqual({ code: 0, out: '', err: '' });
    const ready = await runHere(['ready'], { PORT: `${server.port}` });
    expect(ready).toEqual({ code: 0, out: '', err: '' });
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
      { SANDBOX_PORT: '4015\r' },
      'SANDBOX_PORT must be a whole number from 0 to 65535; got "4015\\r".',
    ],
    [[], { SANDBOX_FREEZE: '1\r' }, 'SANDBOX_FREEZE must be 1, true, 0 or false; got "1\\r".'],
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
  test('shows every flag with its default and its environment variable', async () => {
    const { code, out } = await runHere(['--help']);
    expect(code).toBe(0);
    expect(out).toContain('--port <N>');
    expect(out).toContain('(default: 4015, env: SANDBOX_PORT or PORT)');
    expect(out).toContain('--max-merchants <N>');
    expect(out).toContain('(default: 10000, env: SANDBOX_MAX_MERCHANTS)');
    expect((await runHere(['help'])).out).toBe(out);
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
    [['deploy'], "unknown command 'deploy'\n"],
    [['deploy', '--help'], "unknown command 'deploy'\n"],
    [['help', 'me'], "unknown command 'me'\n"],
  ])('%j is an error, with a suggestion if a similar name exists', async (args, message) => {
    const { code, err } = await runHere(args);
    expect(code).toBe(2);
    expect(err).toContain(message);
  });
});
