import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { run } from '../../src/node/cli.ts';
import { serveSandbox } from '../check/command.ts';
import { Command } from '../node/command.ts';
import { operationOf, requestOf } from '../support/client.ts';
import { exampleOf } from '../support/requests.ts';
import { terminalTo } from '../support/terminal.ts';
import { DEMO_KEY } from './support.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'proxy-'));

/** The command in this process, until `stop`. */
function start(args: readonly string[], environment: Record<string, string> = {}) {
  const said = { out: '', err: '' };
  let stop: () => void = () => undefined;
  const stopped = new Promise<void>((resolve) => {
    stop = resolve;
  });
  let isServing: () => void = () => undefined;
  const serving = new Promise<void>((resolve) => {
    isServing = resolve;
  });
  const terminal = terminalTo(said, { environment, stopped: () => stopped });
  const ended = run(['proxy', ...args], {
    ...terminal,
    out: (text) => {
      terminal.out(text);
      isServing();
    },
  }).then((code) => ({ code, ...said }));
  return {
    async url() {
      await serving;
      return /proxy at (\S+)/.exec(said.out)?.[1] as string;
    },
    ended,
    stop() {
      stop();
      return ended;
    },
  };
}

const quoteThrough = async (url: string) =>
  fetch(requestOf(operationOf('getMotorQuote'), url, DEMO_KEY, exampleOf('getMotorQuote')));

const OTHERWISE = { version: 1, decisions: { 'success-messages': { getMotorQuote: 'Quoted' } } };

describe('the command proxy', () => {
  test('tells each call in a line, and on a stop what differed', async () => {
    const sandbox = await serveSandbox({ profile: OTHERWISE });
    const proxy = start(['--target', `${sandbox.url}/`, '--port', '0']);
    const url = await proxy.url();
    await quoteThrough(url);
    await fetch(`${url}/livez`);
    const { code, out, err } = await proxy.stop();
    expect(code).toBe(0);
    expect(err).toBe('');
    expect(out).toMatch(
      /\n\d\d:\d\d:\d\d POST \/api\/merchant\/get_comprehensive_motor_policy_quote 200 \d+ ms {2}1 difference\n/,
    );
    expect(out).toMatch(/GET \/livez 200 \d+ ms {2}not judged: the contract has no such path\n/);
    expect(out).toContain('in 2 calls, 1 of them to paths that it does not have.');
    expect(out).toMatch(
      /1 difference\.\n\n✗ getMotorQuote {2}\$\.response_message {2}\(assumption success-messages\)/,
    );
    expect(out).toContain('✗ getMotorQuote: 0 agree, 1 differ');
    expect(out).not.toContain(DEMO_KEY);
  });

  test('writes a report, and a profile that start takes', async () => {
    const sandbox = await serveSandbox({ profile: OTHERWISE });
    const [report, profile] = [join(folder(), 'report.json'), join(folder(), 'profile.json')];
    writeFileSync(report, 'what was there before');
    const proxy = start([
      '--target',
      sandbox.url,
      '--port',
      '0',
      '--report',
      report,
      '--write-profile',
      profile,
    ]);
    const url = await proxy.url();
    await quoteThrough(url);
    await quoteThrough(url);
    expect(readFileSync(report, 'utf8')).toBe('what was there before');
    const { out } = await proxy.stop();
    expect(out).toContain(`micro-insurance-sandbox --profile ${profile}`);
    expect(JSON.parse(readFileSync(profile, 'utf8'))).toEqual(OTHERWISE);
    expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
      version: 2,
      url: sandbox.url,
      requests: 2,
      operations: [{ operation: 'getMotorQuote', agrees: 0, differs: 2, not_judged: 0 }],
      differences: [
        {
          path: '$.response_message',
          seen: '"Quoted"',
          assumptions: ['success-messages'],
          profile: OTHERWISE.decisions,
          places: [{ operation: 'getMotorQuote', path: '$.response_message', times: 2 }],
        },
      ],
      more_differences: 0,
      profile: OTHERWISE,
      not_in_profile: [],
    });
    const expected = start([
      '--target',
      sandbox.url,
      '--port',
      '0',
      '--profile',
      profile,
      '--strict',
    ]);
    await quoteThrough(await expected.url());
    expect(await expected.stop()).toMatchObject({
      code: 0,
      out: expect.stringContaining('No difference.'),
    });
  });

  test('with --strict exits with 1 when anything differed, and with 0 when nothing did', async () => {
    const other = await serveSandbox({ profile: OTHERWISE });
    const same = await serveSandbox();
    for (const [sandbox, code] of [
      [other, 1],
      [same, 0],
    ] as const) {
      const proxy = start([], { PROXY_TARGET: sandbox.url, PROXY_PORT: '0', PROXY_STRICT: '1' });
      await quoteThrough(await proxy.url());
      expect((await proxy.stop()).code).toBe(code);
    }
  });

  test.each([
    [[], /needs --target \(or PROXY_TARGET\)/],
    [['https://provider.example'], /write --target https:\/\/provider\.example/],
    [['--target', 'provider.example'], /--target must be a URL/],
    [['--target', 'ftp://provider.example'], /--target must be a URL/],
    [['--target', 'https://user:secret@provider.example'], /must not hold a user or a password/],
    [
      ['--target', 'https://provider.example/?key=secret'],
      /--target must be a URL .* got "https:\/\/provider\.example\/\?…"/,
    ],
    [['--target', 'https://provider.example/#secret'], /--target must be a URL/],
    [['https://user:secret@provider.example'], /write --target https:\/\/…@provider\.example/],
    [['sk_secret_1234'], /proxy takes flags only; write --target U/],
    [['--target', 'http://127.0.0.1:4016'], /http:\/\/127\.0\.0\.1:4016 is the proxy itself/],
    [['--target', 'http://localhost:4999', '--port', '4999'], /is the proxy itself/],
    [['--target', 'http://127.0.0.1:1', '--port', 'x'], /--port must be a whole number/],
    [['--target', 'http://127.0.0.1:1', '--stric'], /Did you mean --strict/],
    [
      ['--target', 'http://127.0.0.1:1', '--report', '/nowhere/report.json'],
      /its folder does not exist/,
    ],
    [['--target', 'http://127.0.0.1:1', '--write-profile', tmpdir()], /is a folder, not a file/],
    [['--target', 'http://127.0.0.1:1', '--profile', '/nowhere.json'], /does not exist/],
  ])('refuses %j in one line', async (args, message) => {
    const { code, out, err } = await start(args).ended;
    expect(code).toBe(2);
    expect(out).toBe('');
    expect(err).toMatch(message);
    expect(err.trim().split('\n')).toHaveLength(1);
    expect(err).not.toContain('secret');
  });

  test('refuses a profile that can not be used, with its place', async () => {
    const file = join(folder(), 'profile.json');
    writeFileSync(file, '{"version":1,"decisions":{"list-ordr":"newest-first"}}');
    const { code, err } = await start(['--target', 'http://127.0.0.1:1', '--profile', file]).ended;
    expect(code).toBe(2);
    expect(err).toMatch(/list-ordr.*"list-order"/);
  });

  test('says that a port is taken', async () => {
    const sandbox = await serveSandbox();
    const { code, err } = await start([
      '--target',
      'http://127.0.0.1:1',
      '--port',
      `${sandbox.port}`,
    ]).ended;
    expect(code).toBe(1);
    expect(err).toContain(`Port ${sandbox.port} of 127.0.0.1 is taken`);
  });

  test('says when a file can not be written in the end', async () => {
    const place = join(folder(), 'later');
    const sandbox = await serveSandbox();
    const proxy = start(['--target', sandbox.url, '--port', '0', '--report', place]);
    await proxy.url();
    mkdirSync(place);
    mkdirSync(join(place, 'in the way'));
    const { code, out, err } = await proxy.stop();
    expect(code).toBe(2);
    expect(out).toContain('No difference.');
    expect(err).toContain(`${place}: could not be written`);
  });
});

describe('the program', () => {
  /** The program before a sandbox that hangs: a call is under way, and comes to nothing. */
  async function hangingProxy() {
    const sandbox = await serveSandbox();
    const proxy = new Command(['proxy', '--target', sandbox.url, '--port', '0']);
    const url = /proxy at (\S+)/.exec(await proxy.started())?.[1] as string;
    const headers = { 'sandbox-fault': 'before; hang' };
    const quote = exampleOf('getMotorQuote');
    const lost = fetch(requestOf(operationOf('getMotorQuote'), url, DEMO_KEY, quote, { headers }))
      .then(() => false)
      .catch(() => true);
    await sandbox.sandbox.merchant(DEMO_KEY).journal.await({ operation: 'getMotorQuote' });
    return { proxy, url, lost };
  }

  test('stops on a signal with its summary, while a call hangs', async () => {
    const { proxy, lost } = await hangingProxy();
    const { code, out } = await proxy.stop('SIGINT');
    expect(code).toBe(0);
    expect(out).toContain('No difference.');
    expect(await lost).toBe(true);
  });
});
