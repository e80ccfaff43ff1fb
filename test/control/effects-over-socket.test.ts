import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type SandboxServer, startSandbox } from '../../src/node/index.ts';
import { clientOf, operationOf, START } from '../support/client.ts';
import { initiate } from '../support/requests.ts';

let server: SandboxServer;
beforeAll(async () => {
  server = await startSandbox({ port: 0, now: START, clock: 'frozen', seed: 7 });
});
afterAll(() => server.close());

/** A merchant of its own with a pending motor purchase. */
async function createScene() {
  const merchant = server.sandbox.createMerchant();
  const token = await initiate(clientOf(server.sandbox, merchant), 'motor');
  const { path } = operationOf('verifyMotorPolicy');
  const body = JSON.stringify({ token });
  const request = (fault: string) =>
    [
      `POST ${path} HTTP/1.1`,
      `Host: 127.0.0.1:${server.port}`,
      `Authorization: Bearer ${merchant.apiKey}`,
      'Content-Type: application/json',
      `Content-Length: ${body.length}`,
      `Sandbox-Fault: ${fault}`,
      '',
      body,
    ].join('\r\n');
  return { merchant, request, policies: () => merchant.show().counts.motor };
}

interface Heard {
  readonly head: string;
  readonly body: string;
  /** How the connection ended, or that it did not. */
  readonly end: 'open' | 'closed' | 'reset';
}

/** What is heard on a connection of its own: until it ends, or an answer is whole, or the client gives up. */
function hear(request: string, givesUp?: Promise<unknown>): Promise<Heard> {
  return new Promise((resolve) => {
    const socket = connect(server.port, '127.0.0.1');
    let bytes = '';
    const finish = (end: Heard['end']) => {
      socket.destroy();
      const [head = '', body = ''] = bytes.split('\r\n\r\n');
      resolve({ head, body, end });
    };
    void givesUp?.then(() => finish('open'));
    socket.setEncoding('latin1').on('data', (chunk) => {
      bytes += chunk;
      const [head = '', body] = bytes.split('\r\n\r\n');
      const length = /content-length: (\d+)/i.exec(head)?.[1];
      const whole =
        body !== undefined && (body.length === Number(length) || body.endsWith('0\r\n\r\n'));
      if (whole || /^HTTP\/1\.1 (204|304)/.test(head)) finish('open');
    });
    socket.on('end', () => finish('closed'));
    socket.on('error', () => finish('reset'));
    socket.write(request);
  });
}

const statusOf = ({ head }: Heard) => Number(head.split(' ')[1]);
const lengthOf = ({ head }: Heard) => Number(/content-length: (\d+)/i.exec(head)?.[1]);

describe.each(['before', 'after'] as const)('over a socket, a fault %s the service', (stage) => {
  const done = stage === 'after' ? 1 : 0;

  test('that drops resets the connection and sends not a byte', async () => {
    const { request, policies } = await createScene();
    expect(await hear(request(`${stage}; drop`))).toEqual({ head: '', body: '', end: 'reset' });
    expect(policies()).toBe(done);
  });

  test('that truncates sends half of the body it announced, then the connection ends', async () => {
    const { request, policies } = await createScene();
    const heard = await hear(request(`${stage}; truncate`));
    expect([statusOf(heard), heard.end]).toEqual([200, 'closed']);
    expect(heard.body.length).toBe(lengthOf(heard) >> 1);
    expect(policies()).toBe(done);
  });

  test('that hangs sends nothing until the client gives up', async () => {
    const { merchant, request, policies } = await createScene();
    const hanging = merchant.journal.await({ operation: 'verifyMotorPolicy' });
    const heard = await hear(request(`${stage}; hang`), hanging);
    expect(heard).toEqual({ head: '', body: '', end: 'open' });
    expect(policies()).toBe(done);
    expect(merchant.journal.list()).toMatchObject([
      { status: done ? 200 : null, fault: { stage, effect: { kind: 'hang' } } },
      { operation: 'initiateMotorPolicy' },
    ]);
  });
});

test('what hangs, waits or is delayed ends when the server closes', async () => {
  const closing = await startSandbox({ port: 0 });
  const merchant = closing.sandbox.createMerchant();
  const headers = {
    authorization: `Bearer ${merchant.apiKey}`,
    'content-type': 'application/json',
  };
  const send = (path: string, init: RequestInit & { fault?: string }) =>
    fetch(closing.url + path, {
      ...init,
      headers: { ...headers, ...(init.fault && { 'sandbox-fault': init.fault }) },
    }).catch(() => 'lost');
  const list = operationOf('listMotorPolicies').path;
  const waiting = [
    send(list, { fault: 'before; hang' }),
    send(list, { fault: 'after; delay; ms=600000' }),
    send('/_sandbox/journal/await', { method: 'POST', body: '{"count":9,"timeout":"PT1H"}' }),
  ];
  while (merchant.show().counts.exchanges === 0)
    await new Promise((resolve) => setImmediate(resolve));
  await closing.close();
  await Promise.all(waiting);
});
