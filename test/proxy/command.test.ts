import { EventEmitter, once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { run } from '../../src/node/cli.ts';
import { Command } from '../node/command.ts';
import { operationOf, requestOf } from '../support/client.ts';
import { exampleOf } from '../support/requests.ts';
import { terminalTo } from '../support/terminal.ts';
import { KEY, serveSandbox } from './support.ts';

const folder = () => mkdtempSync(join(tmpdir(), 'proxy-'));
const urlIn = (said: string) => /proxy at (\S+)/.exec(said)?.[1] as string;

/** The command in this process, until `stop`. */
function start(args: readonly string[], environment: Record<string, string> = {}) {
  const said = { out: '', err: '' };
  const events = new EventEmitter();
  const [serving, stopping] = [once(events, 'serving'), once(events, 'stop')];
  const terminal = terminalTo(said, { environment, stopped: async () => void (await stopping) });
  const ended = run(['proxy', ...args], {
    ...terminal,
    out: (text) => {
      terminal.out(text);
      events.emit('serving');
    },
  }).then((code) => ({ code, ...said }));
  return {
    url: () => serving.then(() => urlIn(said.out)),
    ended,
    stop() {
      events.emit('stop');
      return ended;
    },
  };
}

const quoteThrough = async (url: string, headers = {}) =>
  fetch(requestOf(operationOf('getMotorQuote'), url, KEY, exampleOf('getMotorQuote'), { headers }));

const OTHERWISE = { version: 1, decisions: { 'success-messages': { getMotorQuote: 'Quoted' } } };

test('proxy logs one line per request, and prints the differences on exit', async () => {
  const sandbox = await serveSandbox({ profile: OTHERWISE });
  const environment = { PROXY_TARGET: `${sandbox.url}/`, PROXY_PORT: '0', PROXY_STRICT: '1' };
  const proxy = start([], environment);
  const url = await proxy.url();
  await quoteThrough(url);
  await fetch(`${url}/livez`);
  const { code, out, err } = await proxy.stop();
  // Because there was a difference.
  expect(code).toBe(1);
  expect(err).toBe('');
  expect(out).toMatch(
    /\n\d\d:\d\d:\d\d POST \/api\/merchant\/get_comprehensive_motor_policy_quote 200 \d+ ms {2}1 difference\n/,
  );
  expect(out).toMatch(/GET \/livez 200 \d+ ms {2}not compared: the contract has no such path\n/);
  expect(out).toContain('in 2 requests, 1 of them to unknown paths.');
  expect(out).toMatch(
    /1 difference\.\n\n✗ getMotorQuote {2}\$\.response_message {2}\(assumption success-messages\)/,
  );
  expect(out).toContain('✗ getMotorQuote: 0 agree, 1 differ');
  expect(out).not.toContain(KEY);
});

test('proxy logs a request that is not valid HTTP', async () => {
  const { url: target } = await serveSandbox();
  const proxy = start(['--target', target, '--port', '0']);
  const socket = connect(Number(new URL(await proxy.url()).port), '127.0.0.1');
  socket.resume().write('HELLO\r\n\r\n');
  await once(socket, 'close');
  const { out } = await proxy.stop();
  expect(out).toMatch(
    /\n\d\d:\d\d:\d\d - - 400 {2}The request is not valid HTTP: Invalid method encountered\.\n/,
  );
});

test('proxy writes a report, and no profile', async () => {
  const { url } = await serveSandbox({ profile: OTHERWISE });
  const [report, profile] = [join(folder(), 'report.json'), join(folder(), 'profile.json')];
  writeFileSync(report, 'what was there before');
  writeFileSync(profile, JSON.stringify(OTHERWISE));
  const args = ['--target', url, '--port', '0'];
  const proxy = start([...args, '--report', report]);
  await quoteThrough(await proxy.url());
  await quoteThrough(await proxy.url());
  expect(readFileSync(report, 'utf8')).toBe('what was there before');
  const { code, out } = await proxy.stop();
  expect(code).toBe(0);
  expect(out).toContain('A check learns a profile of the service.');
  expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
    version: 3,
    url,
    requests: 2,
    operations: [{ operation: 'getMotorQuote', agrees: 0, differs: 2, not_judged: 0 }],
    differences: [
      {
        path: '$.response_message',
        seen: '"Quoted"',
        assumptions: ['success-messages'],
        places: [{ operation: 'getMotorQuote', path: '$.response_message', times: 2 }],
      },
    ],
    more_differences: 0,
  });
  const expected = start([...args, '--profile', profile, '--strict']);
  await quoteThrough(await expected.url());
  expect(await expected.stop()).toMatchObject({
    code: 0,
    out: expect.stringContaining('No differences.'),
  });
});

const TARGET = ['--target', 'http://127.0.0.1:1'];
const UNUSABLE = join(folder(), 'profile.json');
writeFileSync(UNUSABLE, '{"version":1,"decisions":{"list-ordr":"newest-first"}}');

test.each([
  [[], /requires --target \(or PROXY_TARGET\)/],
  [['https://provider.example'], /use --target https:\/\/provider\.example/],
  [['https://user:secret@provider.example'], /use --target https:\/\/…@provider\.example/],
  [['sk_secret_1234'], /proxy takes no arguments, only flags; use --target U/],
  [['--target', 'provider.example'], /--target must be a URL/],
  [['--target', 'ftp://provider.example'], /--target must be a URL/],
  [['--target', 'https://user:secret@provider.example'], /must not contain a user or a password/],
  [
    ['--target', 'https://provider.example/?key=secret'],
    /--target must be a URL .* got "https:\/\/provider\.example\/\?…"/,
  ],
  [['--target', 'https://provider.example/#secret'], /--target must be a URL/],
  [['--target', 'http://127.0.0.1:4016'], /http:\/\/127\.0\.0\.1:4016 is the proxy itself/],
  [['--target', 'http://localhost:4999', '--port', '4999'], /is the proxy itself/],
  [[...TARGET, '--port', 'x'], /--port must be a whole number/],
  [[...TARGET, '--stric'], /Did you mean --strict/],
  [[...TARGET, '--report', '/nowhere/report.json'], /its folder does not exist/],
  [[...TARGET, '--report', tmpdir()], /is a folder, not a file/],
  [[...TARGET, '--write-profile', 'x.json'], /unknown option/i],
  [[...TARGET, '--profile', '/nowhere.json'], /does not exist/],
  [[...TARGET, '--profile', UNUSABLE], /list-ordr.*"list-order"/],
])('proxy refuses %j in one line', async (args, message) => {
  const { code, out, err } = await start(args).ended;
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(message);
  expect(err.trim().split('\n')).toHaveLength(1);
  expect(err).not.toContain('secret');
});

test('proxy reports a taken port', async () => {
  const { port } = await serveSandbox();
  const { code, err } = await start([...TARGET, '--port', `${port}`]).ended;
  expect(code).toBe(1);
  expect(err).toContain(`Port ${port} of 127.0.0.1 is taken`);
});

test('a report that cannot be written is told, and the summary is printed', async () => {
  const { url } = await serveSandbox({ profile: OTHERWISE });
  const report = join(folder(), 'report.json');
  const proxy = start(['--target', url, '--port', '0', '--report', report]);
  await quoteThrough(await proxy.url());
  mkdirSync(report);
  const { code, out, err } = await proxy.stop();
  expect(code).toBe(2);
  expect(err).toMatch(
    new RegExp(`^micro-insurance-sandbox: ${report}: could not be written: .+\n$`),
  );
  expect(out).toContain('1 difference');
});

test('proxy stops on a signal with its summary, even while a call hangs', async () => {
  const { url, sandbox } = await serveSandbox();
  const proxy = new Command(['proxy', '--target', url, '--port', '0']);
  const own = urlIn(await proxy.started());
  const lost = expect(quoteThrough(own, { 'sandbox-fault': 'before; hang' })).rejects.toThrow();
  await sandbox.merchant(KEY).journal.await({ operation: 'getMotorQuote' });
  const { code, out } = await proxy.stop('SIGINT');
  expect(code).toBe(0);
  expect(out).toContain('No differences.');
  await lost;
});

/** Makes the program fail on a signal. */
const FAULTS = {
  'an error that nobody catches': "process.on('SIGUSR2', () => { throw new Error('boom'); });",
  'a server that can not be closed': `require('node:net').Server.prototype.close = () => { throw new Error('boom'); };
    process.on('SIGUSR2', () => process.kill(process.pid, 'SIGTERM'));`,
  'a second signal': `require('node:net').Server.prototype.close = function () {
      process.kill(process.pid, 'SIGINT');
      return this;
    };
    process.on('SIGUSR2', () => process.kill(process.pid, 'SIGINT'));`,
};

test.each(Object.entries(FAULTS))('the program writes its report after %s', async (what, fault) => {
  const own = folder();
  const [preload, report] = ['fault.cjs', 'report.json'].map((name) => join(own, name)) as [
    string,
    string,
  ];
  writeFileSync(preload, fault);
  const { url } = await serveSandbox({ profile: OTHERWISE });
  const flags = ['--port', '0', '--report', report];
  const proxy = new Command(['proxy', '--target', url, ...flags], {
    NODE_OPTIONS: `--require=${preload}`,
  });
  await quoteThrough(urlIn(await proxy.started()));
  const { code, err } = await proxy.stop('SIGUSR2');
  const isError = what !== 'a second signal';
  expect(code).toBe(isError ? 1 : 130);
  expect(err).toBe(
    isError ? 'micro-insurance-sandbox: the proxy stopped on an unexpected error: boom\n' : '',
  );
  expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({ requests: 1 });
});
