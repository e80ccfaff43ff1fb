import { once } from 'node:events';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import manifest from '../../package.json' with { type: 'json' };
import { runHere } from '../support/terminal.ts';
import { Command, freePort, newFolder, run } from './command.ts';

const DEMO = { headers: { authorization: 'Bearer sk_sandbox_demo' } };
const LIST = '/api/merchant/micro_health/all_subscriptions';

async function start(args: readonly string[] = [], environment: Record<string, string> = {}) {
  const command = new Command(['--port', '0', '--json', ...args], environment);
  return { command, ...JSON.parse(await command.started()) };
}

describe('starting', () => {
  test('tells in one line of JSON where it listens, and stops with exit code 0', async () => {
    const { command, url, port, pid, version, key } = await start();
    expect(url).toBe(`http://127.0.0.1:${port}`);
    expect(pid).toBe(command.process.pid);
    expect(version).toBe(manifest.version);
    expect(key).toBe('sk_sandbox_demo');
    expect((await fetch(url + LIST, DEMO)).status).toBe(200);
    const { code, out } = await command.stop();
    expect(code).toBe(0);
    expect(out.trim().split('\n')).toHaveLength(1);
  });

  test('shows people a call that works, and stops on Ctrl+C', async () => {
    const command = new Command(['start', '--port=0']);
    const said = await command.started();
    const [, key, url] = /curl -H 'Authorization: Bearer (\S+)' (\S+)/.exec(said) ?? [];
    const answer = await fetch(url as string, { headers: { authorization: `Bearer ${key}` } });
    expect(answer.status).toBe(200);
    expect(said).not.toContain('\u001b');
    expect((await command.stop('SIGINT')).code).toBe(0);
  });

  test('ends though a connection is kept open and a call hangs', async () => {
    const { command, url } = await start();
    await (await fetch(url + LIST, DEMO)).text();
    const hanging = fetch(url + LIST, {
      headers: { ...DEMO.headers, 'sandbox-fault': 'before; hang' },
    }).catch((error) => error);
    await fetch(`${url}/livez`);
    expect((await command.stop()).code).toBe(0);
    expect(await hanging).toBeInstanceOf(Error);
  });

  test('says nothing when it is told to be quiet', async () => {
    const port = await freePort();
    const command = new Command(['--port', `${port}`, '--quiet']);
    const ready = await run(['ready'], { PORT: `${port}` });
    expect(ready).toEqual({ code: 0, out: '', err: '' });
    expect(await command.stop()).toEqual({ code: 0, out: '', err: '' });
  });

  test('a taken port is one clear line and exit code 1', async () => {
    const taken = createServer();
    const port = await listen(taken);
    const { code, out, err } = await run(['--port', `${port}`]);
    taken.close();
    expect({ code, out }).toEqual({ code: 1, out: '' });
    expect(err).toMatch(new RegExp(`^[^\n]*Port ${port} of 127.0.0.1 is taken[^\n]*\n$`));
  });

  test('what is set in the environment holds, and a flag wins over it', async () => {
    const environment = { SANDBOX_NOW: '2030-01-31T10:00:00Z', SANDBOX_FREEZE: '1' };
    const { command, url } = await start(['--now', '2031-01-31T10:00:00Z'], environment);
    const clock = await fetch(`${url}/_sandbox/clock`, DEMO);
    expect(await clock.json()).toEqual({ now: '2031-01-31T10:00:00.000Z', mode: 'frozen' });
    await command.stop();
  });

  test.each([
    [['--prot', '1'], /unknown option '--prot' \(Did you mean --port\?\)/],
    [['--port', '65536'], /--port must be a whole number from 0 to 65535; got "65536"/],
    [['--seed', 'x'], /--seed must be a whole number from 0 to 4294967295; got "x"/],
    [['--max-merchants', '0'], /--max-merchants must be a whole number of 1 or more; got "0"/],
    [['--max-merchants=-1'], /--max-merchants must be a whole number of 1 or more; got "-1"/],
    [['--max-merchants', 'many'], /--max-merchants must be a whole number of 1 or more/],
    [['--now', 'yesterday'], /: --now must be a moment like .*; got "yesterday"/],
    [
      ['--cors', 'localhost:5173'],
      /: --cors must be an origin .*; did you mean "http:\/\/localhost:5173"\?/,
    ],
    [['--log', 'loud'], /--log must be off or calls or bodies or json; got "loud"/],
    [['--open=no'], /--open takes no value/],
    [['--amount-check', 'exakt'], /--amount-check must be exact or ignore; got "exakt"/],
    [['--public-url', 'here'], /--public-url must be a URL/],
    [['--freeze', 'check'], /start takes no "check"; a command stands before its flags/],
    [['--public-url', 'http://here/?page=1'], /--public-url must be a URL .*without \? and #/],
    [['--port'], /option '-p, --port <N>' argument missing/],
    [['--state', '--json'], /--state needs a value/],
    [['--json=yes'], /--json takes no value/],
    [['serve'], /unknown command 'serve'/],
    [['start', 'now'], /start takes no "now"/],
    [['--fixtures', '/nowhere'], /\/nowhere: does not exist/],
    [['--fixtures', 'package.json'], /package.json: is a file, not a folder/],
    [['--profile', '/nowhere.json'], /\/nowhere.json: does not exist/],
    [['--profile', 'package.json'], /: --profile: The profile can not be used: /],
  ])('%j is refused in one line with exit code 2', async (args, message) => {
    const { code, out, err } = await runHere(
      ['--port', '0', ...args].slice(/^[a-z]/.test(args[0] as string) ? 2 : 0),
    );
    expect({ code, out }).toEqual({ code: 2, out: '' });
    expect(err).toMatch(message);
    expect(err.trim().split('\n')).toHaveLength(1);
  });
});

describe('the environment', () => {
  test('an unknown SANDBOX_ variable is told in one line with the nearest known one', async () => {
    const environment = { SANDBOX_PROT: '1', SANDBOX_KEY: 'k', SANDBOX_URL: 'http://here' };
    const { command } = await start([], { ...environment, SANDBOX_ZZZ: '1', OTHER: '1' });
    const { code, err } = await command.stop();
    expect(code).toBe(0);
    expect(err.trimEnd().split('\n')).toEqual([
      'micro-insurance-sandbox: SANDBOX_PROT is not known; did you mean SANDBOX_PORT?',
      'micro-insurance-sandbox: SANDBOX_ZZZ is not known',
    ]);
  });

  test('an empty variable counts as none, and 0 and false as off', async () => {
    const environment = { SANDBOX_SEED: '', SANDBOX_WATCH: '', SANDBOX_FREEZE: '0' };
    const { command, url } = await start([], { ...environment, SANDBOX_NO_REDACT: 'false' });
    const clock = await fetch(`${url}/_sandbox/clock`, DEMO);
    expect(await clock.json()).toMatchObject({ mode: 'running' });
    expect(await command.stop()).toMatchObject({ code: 0, err: '' });
  });

  test('a file that can not be read is told with the variable or the flag that named it', async () => {
    expect((await runHere([], { SANDBOX_FIXTURES: '/nowhere' })).err).toBe(
      'micro-insurance-sandbox: SANDBOX_FIXTURES: /nowhere: does not exist\n',
    );
    expect((await runHere(['--profile', '/nowhere.json'])).err).toBe(
      'micro-insurance-sandbox: --profile: /nowhere.json: does not exist\n',
    );
  });
});

describe('--cors', () => {
  test('shares the merchant API with the pages of an origin', async () => {
    const { command, url } = await start(['--cors', 'http://localhost:5173']);
    const { headers } = await fetch(url + LIST, DEMO);
    expect(headers.get('access-control-allow-origin')).toBe('http://localhost:5173');
    await command.stop();
  });
});

describe('--no-redact', () => {
  const journal = async (url: string) =>
    (await (await fetch(`${url}/_sandbox/journal`, DEMO)).json()).data;

  test('lets the journal keep a key as it was sent, and so does its twin', async () => {
    for (const [args, environment] of [
      [['--no-redact'], {}],
      [[], { SANDBOX_NO_REDACT: '1' }],
    ] as const) {
      const { command, url } = await start(args, environment);
      await fetch(url + LIST, DEMO);
      const [entry] = await journal(url);
      expect(entry.request.headers.authorization).toBe('Bearer sk_sandbox_demo');
      await command.stop();
    }
  });
});

describe('--max-merchants', () => {
  test('is told once when a further key would open a World, and a further merchant is 409', async () => {
    const { command, url } = await start(['--auto-merchants', '--max-merchants', '3']);
    const call = async (key: string) =>
      (await fetch(url + LIST, { headers: { authorization: `Bearer ${key}` } })).status;
    expect([await call('a'), await call('b'), await call('c'), await call('a')]).toEqual([
      200, 401, 401, 200,
    ]);
    const minted = await fetch(`${url}/_sandbox/merchants`, { method: 'POST' });
    expect(minted.status).toBe(409);
    const { code, err } = await command.stop();
    expect(code).toBe(0);
    expect(err).toBe(
      'micro-insurance-sandbox: There are as many merchants as this sandbox may have: 3 (--max-merchants). ' +
        'Remove one, or start it with a higher limit. Until then an unknown key is 401.\n',
    );
  });

  test('has a twin in the environment', async () => {
    const { command, url } = await start([], { SANDBOX_MAX_MERCHANTS: '2' });
    expect((await fetch(`${url}/_sandbox/merchants`, { method: 'POST' })).status).toBe(409);
    expect(await command.stop()).toMatchObject({ code: 0, err: '' });
  });
});

describe('--state', () => {
  test('keeps a policy over a stop and a start', async () => {
    const file = join(newFolder(), 'state.json');
    const first = await start(['--state', file]);
    const minted = await fetch(`${first.url}/_sandbox/merchants`, { method: 'POST' });
    const merchant = (await minted.json()) as { api_key: string };
    await first.command.stop();

    const second = await start(['--state', file]);
    const list = await fetch(second.url + LIST, {
      headers: { authorization: `Bearer ${merchant.api_key}` },
    });
    expect(list.status).toBe(200);
    expect((await second.command.stop()).code).toBe(0);
  });

  test.each([
    ['{ "sandbox": {} }', /is not a state that this sandbox wrote/],
    ['{ "version": 2, "sandbox": {} }', /is not a state that this sandbox wrote/],
    ['{ "version": 1, "sandbox": {} }', /written by version 0.1.0 or earlier/],
  ])('a file that holds %s is refused and left alone', async (content, message) => {
    const file = join(newFolder(), 'state.json');
    writeFileSync(file, content);
    const { code, err } = await runHere(['--port', '0', '--state', file]);
    expect(code).toBe(2);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(err).toContain(file);
    expect(err).toMatch(message);
    expect(readFileSync(file, 'utf8')).toBe(content);
  });
});

async function listen(server: Server): Promise<number> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  return (server.address() as AddressInfo).port;
}
