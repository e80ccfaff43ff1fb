import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/node.ts';
import { Command, newFolder, serveHere, urlIn } from '../node/command.ts';
import { operationOf, requestOf } from '../support/client.ts';
import { exampleOf } from '../support/requests.ts';
import { runHere } from '../support/terminal.ts';

const KEY = 'sk_sandbox_demo';
const OTHERWISE = { version: 1, decisions: { 'success-messages': { getMotorQuote: 'Quoted' } } };

/** A service that words its quotes otherwise. */
async function serviceUrl(): Promise<string> {
  const server = await startSandbox({ port: 0, profile: OTHERWISE });
  onTestFinished(() => server.close());
  return server.url;
}

const quoteThrough = (url: string, headers = {}) =>
  fetch(requestOf(operationOf('getMotorQuote'), url, KEY, exampleOf('getMotorQuote'), { headers }));

test('proxy logs one line per request, and prints and writes the report on exit', async () => {
  const target = await serviceUrl();
  const report = join(newFolder(), 'report.json');
  const environment = { PROXY_TARGET: target, PROXY_STRICT: '1' };
  const proxy = await serveHere(['proxy', '--report', report], environment);
  await quoteThrough(proxy.url);
  await quoteThrough(proxy.url);
  await fetch(`${proxy.url}/livez`);
  expect(existsSync(report)).toBe(false);
  const { code, out, err } = await proxy.stop();
  // Because there was a difference.
  expect(code).toBe(1);
  expect(err).toBe('');
  expect(out).toMatch(
    /\n\d\d:\d\d:\d\d POST \/api\/merchant\/get_comprehensive_motor_policy_quote 200 \d+ ms {2}1 difference\n/,
  );
  expect(out).toMatch(/GET \/… 200 \d+ ms {2}not compared: an unknown path\n/);
  expect(out).toMatch(
    /\n3 calls of http:\S+ \(1 not compared\): 1 difference\.\n\n✗ getMotorQuote {2}\$\.response_message\n {4}expected {2}"Comprehensive motor quote retrieved successfully"\n {4}seen {6}a text of 6 characters, in 2 calls, first at \S+\n$/,
  );
  expect(out).not.toContain(KEY);
  expect(JSON.parse(readFileSync(report, 'utf8'))).toMatchObject({
    target,
    requests: 3,
    not_judged: 1,
    differences: [{ operation: 'getMotorQuote', path: '$.response_message', count: 2 }],
  });
});

const TARGET = ['--target', 'http://127.0.0.1:1'];

test.each([
  [[], /requires --target \(or PROXY_TARGET\)/],
  [['sk_secret_1234'], /proxy takes no arguments, only flags; use --target U/],
  [['--target', 'provider.example'], /--target must be a URL/],
  [['--target', 'https://user:secret@provider.example'], /must not contain a user or a password/],
  [['--target', 'https://provider.example/?key=secret'], /--target must be a URL .* got /],
  [['--target', 'http://localhost:4016'], /is the proxy itself/],
  [[...TARGET, '--port', 'x'], /--port must be a whole number/],
  [[...TARGET, '--stric'], /Did you mean --strict/],
  [[...TARGET, '--profile', 'x.json'], /unknown option/i],
  [[...TARGET, '--report', '/nowhere/report.json'], /its folder does not exist/],
  [[...TARGET, '--report', tmpdir()], /is a folder, not a file/],
])('proxy refuses %j in one line', async (args, message) => {
  const { code, out, err } = await runHere(['proxy', ...args]);
  expect([code, out]).toEqual([2, '']);
  expect(err).toMatch(message);
  expect(err.trim().split('\n')).toHaveLength(1);
  expect(err).not.toContain('secret');
});

test('proxy reports a taken port', async () => {
  const { port } = new URL(await serviceUrl());
  const { code, err } = await runHere(['proxy', ...TARGET, '--port', port]);
  expect(code).toBe(1);
  expect(err).toContain(`Port ${port} of 127.0.0.1 is taken`);
});

test('a report that cannot be written is told, after the report on the terminal', async () => {
  const report = join(newFolder(), 'report.json');
  const proxy = await serveHere(['proxy', '--target', await serviceUrl(), '--report', report]);
  await quoteThrough(proxy.url);
  mkdirSync(report);
  const { code, out, err } = await proxy.stop();
  expect(code).toBe(2);
  expect(err).toContain(`${report}: could not be written: `);
  expect(out).toContain('1 difference.');
});

test('proxy stops on a signal with its report, even while a call hangs', async () => {
  const server = await startSandbox({ port: 0 });
  onTestFinished(() => server.close());
  const proxy = new Command(['proxy', '--target', server.url, '--port', '0']);
  const url = urlIn(await proxy.started());
  const lost = quoteThrough(url, { 'sandbox-fault': 'before; hang' }).catch(() => 'lost');
  await server.sandbox.merchant(KEY).journal.await({ operation: 'getMotorQuote' });
  const { code, out } = await proxy.stop('SIGINT');
  expect(code).toBe(0);
  expect(out).toContain(`of ${server.url} (1 not compared): no differences.`);
  expect(await lost).toBe('lost');
});
