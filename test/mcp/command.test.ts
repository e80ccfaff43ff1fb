import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startSandbox } from '../../src/node.ts';
import { PROGRAM } from '../node/command.ts';
import { runHere } from '../support/terminal.ts';
import { connect, REVISIONS, transportTo } from './agent.ts';

/** The command, with its standard input in the hands of the test. */
function start(...args: readonly string[]) {
  const child = spawn(process.execPath, [PROGRAM, 'mcp', ...args], {
    env: { PATH: process.env.PATH },
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let out = '';
  let err = '';
  child.stdout.on('data', (text) => {
    out += text;
  });
  child.stderr.on('data', (text) => {
    err += text;
  });
  const send = (line: string) => child.stdin.write(`${line}\n`);
  const ended = once(child, 'close').then(([code]) => ({ code, out, err }));
  /** The messages so far, once there are this many. */
  const messages = async (count: number) => {
    await expect.poll(() => out.split('\n').length).toBeGreaterThan(count);
    return out
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
  };
  return { child, send, ended, messages };
}

const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'agent', version: '1' },
  },
});
const INITIALIZED = '{"jsonrpc":"2.0","method":"notifications/initialized"}';

describe.each(REVISIONS)('under the revision %j', (mode) => {
  test('it starts a sandbox, and its program and the agent meet there', async () => {
    const agent = await connect(transportTo(), mode);
    const { url, key } = JSON.parse(await agent.read('address'));
    // With the newer revision, the client asks another process for the instructions.
    expect(agent.client.getInstructions()).toMatch(/Base URL: http:\/\/127\.0\.0\.1:\d+\n/);
    expect(agent.client.getInstructions()).toContain('sandbox://address');
    const response = await fetch(`${url}/api/merchant/comprehensive_motor_verify_policy`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: '{"token":"none"}',
    });
    expect(response.status).toBe(400);
    expect(await agent.use('list_calls')).toContain(' 400  Invalid token\n');
  });
});

test('with --url it works on a running sandbox, as the merchant of SANDBOX_KEY', async () => {
  await using server = await startSandbox({ port: 0, adminToken: 'top-secret' });
  const merchant = server.sandbox.createMerchant({ name: 'Team A' });
  const agent = await connect(
    transportTo(['--url', `${server.url}/`], {
      SANDBOX_KEY: merchant.apiKey,
      SANDBOX_ADMIN_TOKEN: 'top-secret',
    }),
  );
  expect(JSON.parse(await agent.read('address'))).toEqual({
    url: server.url,
    key: merchant.apiKey,
  });
  expect(await agent.use('reset')).toContain('"Team A"');
  expect(await agent.use('create_merchant', { name: 'B' })).toContain('"B"');
  await server.close();
  await expect(agent.use('reset')).rejects.toThrow('nothing is listening there');
});

test('a server that is no sandbox is told as such', async () => {
  const other = createServer((_, response) => response.end('<html>')).listen(0, '127.0.0.1');
  await once(other, 'listening');
  onTestFinished(() => void other.close());
  const { port } = other.address() as AddressInfo;
  const agent = await connect(transportTo(['--url', `http://127.0.0.1:${port}`]));
  await expect(agent.use('reset')).rejects.toThrow(
    'This does not look like a sandbox; check the URL.',
  );
});

test('it ends when its input closes, and prints nothing but messages', async () => {
  const { child, send, ended, messages } = start();
  send(INITIALIZE);
  send(INITIALIZED);
  send(
    '{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"await_calls","arguments":{"timeout":"PT1H"}}}',
  );
  send('{"jsonrpc":"2.0","id":3,"method":"tools/list"}');
  const told = await messages(2);
  expect(told.map(({ id }) => id)).toEqual([1, 3]);
  child.stdin.end();
  const { code, out, err } = await ended;
  expect({ code, err }).toEqual({ code: 0, err: '' });
  for (const line of out.trim().split('\n')) expect(JSON.parse(line).jsonrpc).toBe('2.0');
});

test('it ends on SIGTERM', async () => {
  const { child, send, ended, messages } = start();
  send(INITIALIZE);
  await messages(1);
  child.kill('SIGTERM');
  expect(await ended).toMatchObject({ code: 0 });
});

test('it answers lines that are no messages, and ends when its client stops reading', async () => {
  const { child, send, ended, messages } = start();
  send('not JSON');
  send('{"jsonrpc":"2.0","id":4,"method":"ping"}');
  expect((await messages(2)).map(({ id, error }) => [id, error?.code])).toEqual([
    [null, -32700],
    [4, undefined],
  ]);
  child.stdout.destroy();
  send('{"jsonrpc":"2.0","id":5,"method":"ping"}');
  expect((await ended).code).toBe(0);
});

test('it ends after a message beyond 10 MB, and says so', async () => {
  const { child, send, ended } = start();
  // It may end before all of it is written.
  child.stdin.on('error', () => undefined);
  send('x'.repeat(11 * 1024 * 1024));
  const { code, out, err } = await ended;
  expect({ code, out }).toEqual({ code: 1, out: '' });
  expect(err).toMatch(/^micro-insurance-sandbox: The connection was closed: .*\b10485760\b/);
});

test.each([
  ['SANDBOX_KEY', 'hunter2\n2'],
  ['SANDBOX_KEY', 'hunter2 é'],
  ['SANDBOX_ADMIN_TOKEN', 'hunter2\nset-cookie: a'],
  ['SANDBOX_ADMIN_TOKEN', 'hunter\u20282'],
])('%s that cannot be sent is refused and not shown: %j', async (variable, secret) => {
  const said = await runHere(['mcp', '--url', 'http://127.0.0.1:1'], { [variable]: secret });
  expect(said).toEqual({
    code: 2,
    out: '',
    err: `micro-insurance-sandbox: ${variable} must be printable ASCII text without spaces.\n`,
  });
});

test('a URL with a password is refused and not shown', async () => {
  const { code, err } = await runHere(['mcp', '--url', 'http://ada:hunter2@127.0.0.1:1']);
  expect(code).toBe(2);
  expect(err).toContain('must not contain a user or a password');
  expect(err).not.toContain('hunter2');
});

test.each([
  [['--url', 'nowhere'], 'nowhere'],
  [['sk_sandbox_demo'], 'mcp takes no arguments'],
  [['--port', '1'], "unknown option '--port'"],
])('%j is refused', async (args, message) => {
  const { code, out, err } = await runHere(['mcp', ...args]);
  expect(err).toContain(message);
  expect({ code, out }).toEqual({ code: 2, out: '' });
});
