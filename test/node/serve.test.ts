import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { afterEach, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { type SandboxServer, startSandbox } from '../../src/node/index.ts';

const QUOTE = '/api/merchant/micro_health/get_quote';
const LIST = '/api/merchant/micro_health/all_subscriptions';
const BODY = JSON.stringify({ product_id: 1, no_of_users: 1, subscription_type: 'monthly' });

let server: SandboxServer;
beforeEach(async () => {
  server = await startSandbox({ port: 0, now: '2026-11-30T10:00:00Z', clock: 'frozen' });
});
afterEach(() => server.close());

interface Heard {
  readonly text: string;
  /** Whether the connection ended with a reset. */
  readonly reset: boolean;
}

/** Sends text over a socket and hears everything until the connection ends. */
async function exchange(text: string, close = true, host = 'localhost'): Promise<Heard> {
  const socket = connect(server.port, '127.0.0.1');
  let heard = '';
  let reset = false;
  socket.on('data', (chunk) => {
    heard += chunk;
  });
  socket.on('error', (error: NodeJS.ErrnoException) => {
    reset = error.code === 'ECONNRESET';
  });
  socket.write(
    text.replace('\r\n', `\r\nHost: ${host}${close ? '\r\nConnection: close' : ''}\r\n`),
  );
  await once(socket, 'close').catch(() => {});
  return { text: heard, reset };
}

const get = (path: string, ...headers: readonly string[]): string =>
  `GET ${path} HTTP/1.1\r\nAuthorization: Bearer sk_sandbox_demo\r\n${headers.map((line) => `${line}\r\n`).join('')}\r\n`;

const post = (body: string, ...headers: readonly string[]): string =>
  get(QUOTE, 'Content-Type: application/json', ...headers).replace('GET', 'POST') + body;

describe('over a socket', () => {
  test('an answer has the length of its body', async () => {
    const { text } = await exchange(post(BODY, `Content-Length: ${BODY.length}`));
    const [head, body] = text.split('\r\n\r\n') as [string, string];
    expect(head).toMatch(/^HTTP\/1.1 200 OK\r\n/);
    expect(head.toLowerCase()).toContain(`\r\ncontent-length: ${body.length}`);
    expect(JSON.parse(body).data).toEqual({ quote_price: 400 });
  });

  test('a body may come in chunks', async () => {
    const chunks = `5\r\n${BODY.slice(0, 5)}\r\n${(BODY.length - 5).toString(16)}\r\n${BODY.slice(5)}\r\n0\r\n\r\n`;
    const { text } = await exchange(post(chunks, 'Transfer-Encoding: chunked'));
    expect(text).toMatch(/^HTTP\/1.1 200 OK/);
  });

  test('a connection whose body in chunks was refused as too large answers the next call', async () => {
    const piece = 'a'.repeat(64 * 1024);
    const chunks = `${piece.length.toString(16)}\r\n${piece}\r\n`.repeat(20);
    const tooLarge = post(`${chunks}0\r\n\r\n`, 'Transfer-Encoding: chunked');
    const next = get('/livez', 'Host: localhost', 'Connection: close');
    const { text } = await exchange(tooLarge + next, false);
    expect(text.match(/HTTP\/1.1 \d+/g)).toEqual(['HTTP/1.1 413', 'HTTP/1.1 200']);
  });

  test('a body that is too large is read no further while a fault delays its refusal', async () => {
    const paused = new Promise((resolve) => {
      const watch = (message: unknown) => {
        unsubscribe('http.server.request.start', watch);
        (message as { request: IncomingMessage }).request.once('pause', () => resolve('paused'));
      };
      subscribe('http.server.request.start', watch);
    });
    const headers = {
      authorization: 'Bearer sk_sandbox_demo',
      'content-type': 'application/json',
      'sandbox-fault': 'before; delay; ms=200',
    };
    const sending = request(server.url + QUOTE, { method: 'POST', headers });
    sending.on('error', () => undefined).write(Buffer.alloc(2 * 1024 * 1024, 'a'));
    const answered = once(sending, 'response');
    expect(await Promise.race([paused, answered])).toBe('paused');
    const [{ statusCode }] = (await answered) as [IncomingMessage];
    expect(statusCode).toBe(413);
    sending.destroy();
  });

  test.each(['/livez', '/_sandbox/clock'])('%s is answered', async (path) => {
    expect((await exchange(get(path))).text).toMatch(/^HTTP\/1.1 200 OK/);
  });

  test('a path is read as a URL is: dot segments go, what can not be read is 400', async () => {
    expect((await exchange(get(`/x/..${LIST}`))).text).toMatch(/^HTTP\/1.1 200/);
    expect((await exchange(get(`http://localhost${LIST}`))).text).toMatch(/^HTTP\/1.1 200/);
    expect((await exchange(get('http://[/'))).text).toMatch(/^HTTP\/1.1 400/);
  });

  test('a client that goes away in the middle of its body harms nobody, and has called nothing', async () => {
    const { journal } = server.sandbox.merchant('sk_sandbox_demo');
    journal.clear();
    const socket = connect(server.port, '127.0.0.1');
    const begun = post('{', 'Content-Length: 100').replace('\r\n', '\r\nHost: localhost\r\n');
    socket.write(begun, () => socket.destroy());
    await once(socket, 'close');
    expect((await exchange(get('/livez'))).text).toMatch(/^HTTP\/1.1 200/);
    expect(journal.list()).toEqual([]);
  });
});

describe('close', () => {
  test('ends what hangs and what idles, and leaves nothing open', async () => {
    const handles = () =>
      process.getActiveResourcesInfo().filter((name) => /TCP/.test(name)).length;
    const before = handles();
    const other = await startSandbox({ port: 0 });
    const headers = { authorization: 'Bearer sk_sandbox_demo' };
    const idle = connect(other.port, '127.0.0.1');
    await once(idle, 'connect');
    const hanging = fetch(other.url + LIST, {
      headers: { ...headers, 'sandbox-fault': 'before; hang' },
    }).catch((error: Error) => error);
    const delayed = fetch(other.url + LIST, {
      headers: { ...headers, 'sandbox-fault': 'before; delay; ms=60000' },
    }).catch((error: Error) => error);
    await fetch(`${other.url}/livez`).then((answer) => answer.text());
    await Promise.all([other.close(), other.close()]);
    expect(await hanging).toBeInstanceOf(Error);
    await delayed;
    idle.destroy();
    await expect.poll(handles).toBeLessThanOrEqual(before);
  });

  test('of its sandbox is the same, and so is the end of a block', async () => {
    const closes = [
      (other: SandboxServer) => other.sandbox.close(),
      (other: SandboxServer) => other[Symbol.asyncDispose](),
      (other: SandboxServer) => other.sandbox[Symbol.asyncDispose](),
    ];
    for (const close of closes) {
      const other = await startSandbox({ port: 0 });
      await close(other);
      await expect(fetch(`${other.url}/livez`)).rejects.toThrow(TypeError);
      await expect(other.sandbox.fetch('/livez')).rejects.toThrow('The sandbox is closed.');
      await other.close();
    }
  });

  test('a taken port rejects with the port', async () => {
    await expect(startSandbox({ port: server.port })).rejects.toThrow(
      `Port ${server.port} of 127.0.0.1 is taken`,
    );
  });

  test("leaves the embedding program's Request and Response alone", async () => {
    const before = [globalThis.Request, globalThis.Response, globalThis.Headers];
    await (await startSandbox({ port: 0 })).close();
    expect([globalThis.Request, globalThis.Response, globalThis.Headers]).toEqual(before);
  });
});

test('an embedding program is told once, on standard error, that an unknown key opens no World', async () => {
  const told = vi.spyOn(console, 'error').mockReturnValue();
  onTestFinished(() => told.mockRestore());
  const full = await startSandbox({ port: 0, autoMerchants: true, maxMerchants: 2 });
  for (const key of ['worker-1', 'worker-2']) {
    const headers = { authorization: `Bearer ${key}` };
    expect((await fetch(full.url + LIST, { headers })).status).toBe(401);
  }
  await full.close();
  expect(told.mock.calls).toEqual([[expect.stringContaining('may have: 2 (--max-merchants)')]]);
});
