import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { createJudge, type ProxyEntry, type ProxyJudge } from '../../src/contract/proxy/index.ts';
import { startProxy } from '../../src/node/proxy/server.ts';

export { fake, KEY, serveSandbox } from '../check/support.ts';

/** A path of no operation, whose answers are passed on as they come, and one whose answers are held and judged. */
export const PATHS = ['/x', '/api/merchant/get_comprehensive_motor_policies'] as const;

export interface TestProxy {
  readonly url: string;
  readonly port: number;
  readonly judge: ProxyJudge;
  /** What it told, oldest first. */
  readonly told: ProxyEntry[];
}

/** A proxy over a socket, until the test is over. */
export async function proxyTo(
  target: string,
  { profile, hold }: { profile?: unknown; hold?: { maxBytes: number; maxMs: number } } = {},
): Promise<TestProxy> {
  const told: ProxyEntry[] = [];
  const judge = createJudge({ target, profile });
  const proxy = await startProxy({
    target,
    port: 0,
    host: '127.0.0.1',
    judge,
    ...(hold && { hold }),
    told: (entry) => told.push(entry),
  });
  onTestFinished(() => proxy.close());
  return { url: proxy.url, port: proxy.port, judge, told };
}

/** A server that answers bytes to each request head that it reads, until the test is over; what it was sent is kept. */
export async function rawServer(answer: (socket: Socket, heard: string) => void) {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let all = '';
    socket.on('data', (chunk) => {
      all += chunk.toString('latin1');
      if (!all.includes('\r\n\r\n')) return;
      heard.push(all);
      answer(socket, all);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}

/** A connection, and what came over it so far, a character for each byte. */
export function connection(port: number) {
  const socket = connect(port, '127.0.0.1');
  let text = '';
  let ended: 'end' | 'reset' = 'end';
  let wake: () => void = () => undefined;
  socket.on('data', (chunk) => {
    text += chunk.toString('latin1');
    wake();
  });
  socket.on('error', () => {
    ended = 'reset';
  });
  const closed = new Promise<void>((resolve) => socket.once('close', resolve));
  void closed.then(() => wake());
  return {
    socket,
    /** Waits until a text came so many times. */
    async until(wanted: string, times = 1): Promise<string> {
      while (text.split(wanted).length <= times && !socket.destroyed) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return text;
    },
    /** Everything that comes until the connection is closed in order, or broken off. */
    async rest() {
      await closed;
      return { text, ended };
    },
  };
}

/** Sends bytes to a port as they are and reads until the connection ends. */
export function speak(port: number, bytes: string) {
  const { socket, rest } = connection(port);
  socket.write(bytes, 'latin1');
  return rest();
}

/** A request that asks for the connection to be closed. */
export const requestOf = (path: string, { method = 'GET', version = '1.1' } = {}): string =>
  `${method} ${path} HTTP/${version}\r\nHost: p\r\nConnection: close\r\n\r\n`;

/** A proxy before a service that answers bytes, and what a client hears through it. */
export async function through(answer: string, request = requestOf('/x')) {
  const { url, heard } = await rawServer((socket) => socket.end(Buffer.from(answer, 'latin1')));
  const proxy = await proxyTo(url);
  const { text } = await speak(proxy.port, request);
  const [head = '', ...rest] = text.split('\r\n\r\n');
  return { proxy, url, heard, text, head, body: rest.join('\r\n\r\n'), told: proxy.told };
}
