import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { startProxy } from '../../src/node/proxy/server.ts';
import { createJudge, type ProxyEntry, type ProxyJudge } from '../../src/tools/proxy/index.ts';

export { fake, KEY, serveSandbox } from '../check/support.ts';

/** An unknown path, whose responses are streamed, and a known one, whose responses are held back and compared. */
export const PATHS = ['/x', '/api/merchant/get_comprehensive_motor_policies'] as const;

export interface TestProxy {
  readonly url: string;
  readonly port: number;
  readonly judge: ProxyJudge;
  /** Its reports, oldest first. */
  readonly told: ProxyEntry[];
}

/** A proxy over a socket, until the end of the test. */
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
    onEntry: (entry) => told.push(entry),
    refused: () => undefined,
  });
  onTestFinished(() => proxy.close());
  return { url: proxy.url, port: proxy.port, judge, told };
}

/** A server that responds to each request head with bytes and records what it receives, until the end of the test. */
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

/** A connection, and what it has received, one character per byte. */
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
    /** Waits until a text was received this number of times. */
    async until(wanted: string, times = 1): Promise<string> {
      while (text.split(wanted).length <= times && !socket.destroyed) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return text;
    },
    /** Everything received until the connection is closed or reset. */
    async rest() {
      await closed;
      return { text, ended };
    },
  };
}

/** Sends raw bytes to a port and reads until the connection ends. */
export function speak(port: number, bytes: string) {
  const { socket, rest } = connection(port);
  socket.write(bytes, 'latin1');
  return rest();
}

/** A request with `Connection: close`. */
export const requestOf = (path: string, { method = 'GET', version = '1.1' } = {}): string =>
  `${method} ${path} HTTP/${version}\r\nHost: p\r\nConnection: close\r\n\r\n`;

/** A proxy in front of a service that sends bytes, and what a client receives. */
export async function through(answer: string, request = requestOf('/x')) {
  const { url, heard } = await rawServer((socket) => socket.end(Buffer.from(answer, 'latin1')));
  const proxy = await proxyTo(url);
  const { text } = await speak(proxy.port, request);
  const [head = '', ...rest] = text.split('\r\n\r\n');
  return { proxy, url, heard, text, head, body: rest.join('\r\n\r\n'), told: proxy.told };
}
