import type { Socket } from 'node:net';
import { afterEach, beforeEach, expect } from 'vitest';
import { proxyTo, type TestProxy } from './support.ts';
import { rawServer, speak, stopRawServers } from './wire.ts';

/** A path of no operation, whose answers are passed on as they come, and one whose answers are held and judged. */
export const PATHS = ['/x', '/api/merchant/get_comprehensive_motor_policies'];

/** Fails each test of the file in which an error or a rejection reaches nobody. */
export function failOnUncaught(): void {
  const uncaught: unknown[] = [];
  const keep = (error: unknown) => void uncaught.push(error);
  beforeEach(() => {
    process.on('uncaughtException', keep).on('unhandledRejection', keep);
  });
  afterEach(() => {
    stopRawServers();
    process.off('uncaughtException', keep).off('unhandledRejection', keep);
    expect(uncaught.splice(0)).toEqual([]);
  });
}

/** A service that gives the answer it was told last, and to /livez one that is in order; and a proxy before it. */
export async function scriptedService(): Promise<{
  proxy: TestProxy;
  url: string;
  say(answer: (socket: Socket) => void): void;
}> {
  let answer: (socket: Socket) => void = () => undefined;
  const { url } = await rawServer((socket, heard) => {
    if (!heard.includes('/livez')) answer(socket);
    else socket.end('HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nfine');
  });
  return {
    proxy: await proxyTo(url),
    url,
    say(next) {
      answer = next;
    },
  };
}

/** A request that asks for the connection to be closed. */
export const requestOf = (path: string, { method = 'GET', version = '1.1' } = {}): string =>
  `${method} ${path} HTTP/${version}\r\nHost: p\r\nConnection: close\r\n\r\n`;

/** Expects that the proxy passes on an ordinary call. */
export async function expectAlive({ port, told }: TestProxy): Promise<void> {
  const { text } = await speak(port, requestOf('/livez'));
  expect(text).toMatch(/^HTTP\/1\.1 200 OK\r\n[\s\S]*\r\n\r\nfine$/);
  expect(told.at(-1)).toMatchObject({ path: '/livez', status: 200 });
}
