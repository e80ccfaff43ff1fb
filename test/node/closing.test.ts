import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Merchant, type SandboxServer, startSandbox } from '../../src/node.ts';
import { clientOf, operationOf } from '../support/client.ts';
import { initiate } from '../support/requests.ts';
import { Command, newFolder } from './command.ts';

const KEY = 'sk_sandbox_demo';
const LIST = '/api/merchant/micro_health/all_subscriptions';

/** The head of a request for a merchant's list. */
const request = (key = KEY, ...more: readonly string[]): string =>
  [`GET ${LIST} HTTP/1.1`, 'Host: localhost', `Authorization: Bearer ${key}`, ...more, '', ''].join(
    '\r\n',
  );

const isListening = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true));
    socket.on('error', () => resolve(false)).on('connect', () => socket.destroy());
  });

const HALF = `${request(KEY, 'Content-Length: 2').replace('GET', 'POST')}{`;

/** Everything received on a connection until it ends. */
async function hear(socket: Socket): Promise<string> {
  let text = '';
  socket.setEncoding('utf8').on('data', (chunk) => {
    text += chunk;
  });
  await once(socket, 'close');
  return text;
}

describe('a closing server', () => {
  let server: SandboxServer;
  beforeEach(async () => {
    server = await startSandbox({ port: 0, now: '2026-11-30T10:00:00Z', clock: 'frozen' });
  });
  afterEach(() => server.close());

  const delayed = { kind: 'delay', ms: 600_000 } as const;
  /** Resolves once every fault rule acts on a call. */
  const allAct = ({ faults }: Merchant) => expect.poll(faults.list, { interval: 5 }).toEqual([]);

  test.each(['before', 'after'] as const)(
    'ends a delay %s the service, and the call is answered as ever',
    async (stage) => {
      const merchant = server.sandbox.createMerchant();
      const token = await initiate(clientOf(server.sandbox, merchant), 'motor');
      merchant.faults.add({ stage, effect: delayed });
      const answer = fetch(server.url + operationOf('verifyMotorPolicy').path, {
        method: 'POST',
        headers: {
          authorization: `Bearer ${merchant.apiKey}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify({ token }),
      });
      await allAct(merchant);
      await server.close();
      const response = await answer;
      expect(response.status).toBe(200);
      expect(response.headers.get('sandbox-fault')).toBe(`${stage}; delay; ms=600000`);
      expect((await response.json()).data.policy_number).toBeTruthy();
      expect(merchant.show().counts.motor).toBe(1);
      expect(merchant.journal.list()[0]).toMatchObject({ status: 200, fault: { stage } });
    },
  );

  test('responds to all pipelined requests', async () => {
    const merchant = server.sandbox.createMerchant();
    merchant.faults.add({ stage: 'before', effect: delayed, times: 3 });
    const socket = connect(server.port, '127.0.0.1');
    socket.write(request(merchant.apiKey).repeat(3));
    await allAct(merchant);
    const heard = hear(socket);
    await server.close();
    expect((await heard).match(/HTTP\/1.1 \d+/g)).toEqual(Array(3).fill('HTTP/1.1 200'));
  });

  test('closes hanging, idle and incomplete connections, and leaves none open', async () => {
    const sockets = () => process.getActiveResourcesInfo().filter((name) => /TCP/.test(name));
    const before = sockets().length;
    const other = await startSandbox({ port: 0 });
    const [idle, hanging, half] = Array.from({ length: 3 }, () =>
      connect(other.port, '127.0.0.1'),
    ) as [Socket, Socket, Socket];
    const end = once(hanging, 'close').catch(({ code }) => code);
    const heard = Promise.all([idle, half].map(hear));
    hanging.write(request(KEY, 'Sandbox-Fault: before; hang'));
    half.write(HALF);
    const { journal } = other.sandbox.merchant(KEY);
    await expect.poll(() => journal.list(), { interval: 5 }).toHaveLength(1);
    await Promise.all([other.close(), other.close()]);
    expect([await end, await heard]).toEqual(['ECONNRESET', ['', '']]);
    await expect.poll(() => sockets().length, { interval: 5 }).toBeLessThanOrEqual(before);
  });

  test.each<[string, (other: SandboxServer) => Promise<void>]>([
    ['by its sandbox as well', ({ sandbox }) => sandbox.close()],
    ['at the end of a block', (other) => other[Symbol.asyncDispose]()],
    ['at the end of a block with its sandbox', ({ sandbox }) => sandbox[Symbol.asyncDispose]()],
  ])('can be closed %s', async (_, close) => {
    await close(server);
    expect(await isListening(server.port)).toBe(false);
    await expect(server.sandbox.fetch('/livez')).rejects.toMatchObject({
      cause: { code: 'ECONNREFUSED', message: expect.stringContaining('The sandbox is closed.') },
    });
  });

  test('ends journal/await with 503 and the reason', async () => {
    const merchant = server.sandbox.createMerchant();
    const wanted = { operation: 'getMotorQuote', count: 2, timeout: 'PT1H' } as const;
    const inProcess = merchant.journal.await(wanted).catch((error) => error);
    const answer = fetch(`${server.url}/_sandbox/journal/await`, {
      method: 'POST',
      headers: { authorization: `Bearer ${merchant.apiKey}`, 'content-type': 'application/json' },
      body: JSON.stringify(wanted),
    });
    await fetch(`${server.url}/livez`);
    await server.close();
    const response = await answer;
    expect(response.status).toBe(503);
    const problem = {
      type: 'about:blank',
      title: 'Service Unavailable',
      status: 503,
      detail: 'The sandbox is closing. Waited for 2 of getMotorQuote; found 0.',
    };
    expect(response.headers.get('content-type')).toBe('application/problem+json');
    expect(await response.json()).toEqual(problem);
    expect(await inProcess).toMatchObject({ name: 'ControlError', status: 503, problem });
    await expect(merchant.journal.await(wanted)).rejects.toMatchObject({ status: 503 });
  });
});

test('the command saves its whole state, even after several signals', async () => {
  const file = join(newFolder(), 'state.json');
  const command = new Command(['--port', '0', '--json', '--state', file]);
  const { port } = JSON.parse(await command.started());
  const first = readFileSync(file, 'utf8');
  await fetch(`http://127.0.0.1:${port}/_sandbox/merchants`, { method: 'POST' });
  const half = connect(port, '127.0.0.1');
  half.write(HALF);
  await once(half, 'connect');
  command.process.kill('SIGTERM');
  // It is closing once it no longer listens. The half request keeps it closing.
  await expect.poll(() => isListening(port)).toBe(false);
  expect(readFileSync(file, 'utf8')).toBe(first);
  for (const signal of ['SIGTERM', 'SIGINT', 'SIGINT'] as const) command.process.kill(signal);
  expect(await command.ended).toMatchObject({ code: 0, err: '' });
  expect(readFileSync(file, 'utf8')).toContain('"id":3');
});
