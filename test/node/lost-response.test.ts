import { describe, expect, test } from 'vitest';
import { createSandbox } from '../../src/index.ts';
import { startSandbox } from '../../src/node/index.ts';
import { connection } from '../proxy/support.ts';

const QUOTE = '/api/merchant/micro_health/get_quote';
const BODY = JSON.stringify({ product_id: 1, no_of_users: 1, subscription_type: 'monthly' });

/** A quote whose response a fault drops. */
const dropped = (stage: string, ...headers: readonly string[]): string =>
  quoteWith(`${stage}; drop`, ...headers);

const quoteWith = (fault: string, ...headers: readonly string[]): string =>
  [
    `POST ${QUOTE} HTTP/1.1`,
    'Host: localhost',
    'Authorization: Bearer sk_sandbox_demo',
    'Content-Type: application/json',
    `Content-Length: ${BODY.length}`,
    `Sandbox-Fault: ${fault}`,
    ...headers,
    '',
    BODY,
  ].join('\r\n');

async function connectTo() {
  const server = await startSandbox({ port: 0 });
  return { ...connection(server.port), server };
}

test.each(['before', 'after'])(
  '"%s; drop" resets a new connection without a byte',
  async (stage) => {
    const { server, socket, rest } = await connectTo();
    await using _ = server;
    socket.write(dropped(stage));
    expect(await rest()).toEqual({ text: '', ended: 'reset' });
  },
);

test('"after; drop" sends only "100 Continue" on a new connection that asks for it', async () => {
  const { server, socket, rest } = await connectTo();
  await using _ = server;
  socket.write(dropped('after', 'Expect: 100-continue'));
  expect((await rest()).text).toBe('HTTP/1.1 100 Continue\r\n\r\n');
});

test.each(['before', 'after'])(
  '"%s; drop" sends the headers before it resets a connection that has served a call, so that no browser repeats it',
  async (stage) => {
    const { server, socket, until, rest } = await connectTo();
    await using _ = server;
    socket.write('GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n');
    const first = await until('"status"');
    socket.write(dropped(stage));
    const { text } = await rest();
    const [head = '', body] = text.slice(text.indexOf('HTTP/1.1', first.length)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(head.toLowerCase()).toContain(`sandbox-fault: ${stage}; drop`);
    expect(head.toLowerCase()).toMatch(/content-length: [1-9]/);
    expect(body).toBe('');
  },
);

describe('on a connection with calls waiting before it, a fault acts in its turn:', () => {
  /** Waits for the journal entry of the quote behind it. */
  const waiting = [
    'POST /_sandbox/journal/await HTTP/1.1',
    'Host: localhost',
    'Authorization: Bearer sk_sandbox_demo',
    'Content-Type: application/json',
    'Content-Length: 2',
    '',
    '{}',
  ].join('\r\n');

  test.each([
    ['before; drop', 0],
    ['after; drop', 0],
    ['after; truncate', 1],
  ])('%s', async (fault, share) => {
    const { server, socket, rest } = await connectTo();
    await using _ = server;
    socket.write(waiting + quoteWith(fault) + quoteWith('before; respond; status=418'));
    const { text } = await rest();
    const [first = '', second = '', third] = text.split(/(?=HTTP\/1\.1 )/);
    expect(first).toContain('"fault":');
    expect(first.endsWith('}')).toBe(true);
    const [head = '', body = ''] = second.split('\r\n\r\n');
    expect(head.toLowerCase()).toContain(`sandbox-fault: ${fault}`);
    const length = Number(/content-length: (\d+)/i.exec(head)?.[1]);
    expect(body.length).toBe((length >> 1) * share);
    expect(third).toBeUndefined();
  });
});

test('a lost response is a rejected fetch in process', async () => {
  const sandbox = createSandbox();
  const headers = {
    authorization: 'Bearer sk_sandbox_demo',
    'content-type': 'application/json',
    'sandbox-fault': 'after; drop',
  };
  const lost = sandbox.fetch(QUOTE, { method: 'POST', headers, body: BODY });
  await expect(lost).rejects.toMatchObject({
    message: 'fetch failed',
    cause: { code: 'ECONNRESET', message: 'read ECONNRESET (fault: after; drop)' },
  });
});
