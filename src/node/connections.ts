/* The connections of a server: it listens, takes turns, and closes without losing a request. */

import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { sleepUnmocked } from '../world/clock.ts';
import { ListenError } from './errors.ts';

/** Starts to listen. Rejects with `ListenError` if the port or the address is not available. */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new ListenError(refusalReason(error, port, host), port, host, error));
    });
    server.listen(port, host, resolve);
  });
}

function refusalReason(error: NodeJS.ErrnoException, port: number, host: string): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is taken, maybe by another sandbox or proxy. Choose another port (--port), or 0 for a free one.`;
    case 'EACCES':
      return `You have no permission to use port ${port} of ${host}. Choose a port above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no address ${host}.`;
    default:
      return `Cannot listen on port ${port} of ${host}: ${error.message}`;
  }
}

/** The URL of a server for clients on this machine. */
export function addressOf(server: Server): { readonly url: string; readonly port: number } {
  const { address, family, port } = server.address() as AddressInfo;
  const isAll = address === '0.0.0.0' || address === '::';
  const host = isAll ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address;
  return { url: `http://${host}:${port}`, port };
}

/**
 * Calls back with the connection of a response: at once, or in its turn if it waits for pipelined responses before it.
 * What was written to it until then has been passed on.
 */
export function inTurn(response: ServerResponse, act: (socket: Socket) => void): void {
  if (response.socket) act(response.socket);
  else response.once('socket', (socket: Socket) => process.nextTick(act, socket));
}

/** A closing server cuts the remaining connections after this time. */
const MAX_END_MS = 900;

/** A closing server accepts queued connections for this time at most. */
const MAX_ACCEPT_MS = 400;

interface Connections {
  /** Stops listening. Busy connections end after a response with `Connection: close`, idle ones after `quietMs`. */
  end(quietMs: number): Promise<void>;
}

/**
 * Tracks the connections of a server, to close them without losing a request: a client's next request may be on its way
 * while the connection looks idle.
 */
export function trackConnections(server: Server): Connections {
  /** The latest response of each connection; undefined before its first request. */
  const newest = new Map<Socket, ServerResponse | undefined>();
  let accepted = 0;
  let isEnding = false;
  server.on('connection', (socket: Socket) => {
    accepted++;
    newest.set(socket, undefined);
    socket.once('close', () => newest.delete(socket));
  });
  // Runs before the listener that responds.
  server.prependListener('request', ({ socket }, response) => {
    if (isEnding) {
      makeLast(response);
      // With pipelining several responses are pending: only the last one closes the connection.
      makeOrdinary(newest.get(socket));
    }
    newest.set(socket, response);
  });

  /** Node accepts one connection per turn of its event loop. Connections still in the queue would be reset. */
  async function acceptQueued(patience: AbortSignal): Promise<void> {
    // Starts in the timer phase, so that each wait includes a poll phase for sockets.
    await sleepUnmocked(0);
    let before: number;
    do {
      before = accepted;
      await sleepUnmocked(0);
    } while (accepted > before && !patience.aborted);
  }

  async function endQuiet(quietMs: number, over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      const bytesBefore = new Map([...newest.keys()].map((socket) => [socket, socket.bytesRead]));
      await sleepUnmocked(quietMs, over);
      // In a busy process timers fire late, before sockets are read.
      await sleepUnmocked(0);
      for (const [socket, response] of newest) {
        const isAnswered = response?.writableFinished ?? true;
        if (isAnswered && socket.bytesRead === bytesBefore.get(socket)) socket.destroy();
      }
    }
  }

  return {
    async end(quietMs) {
      isEnding = true;
      for (const response of newest.values()) makeLast(response);
      const [late, over] = [new AbortController(), new AbortController()];
      void sleepUnmocked(MAX_ACCEPT_MS, over.signal).then(() => late.abort());
      void sleepUnmocked(MAX_END_MS, over.signal).then(() => server.closeAllConnections());
      await acceptQueued(late.signal);
      void endQuiet(quietMs, over.signal);
      // `close` would end idle connections at once.
      server.closeIdleConnections = () => undefined;
      await new Promise<void>((resolve) => {
        server.close(() => resolve());
      });
      over.abort();
    },
  };
}

function makeLast(response: ServerResponse | undefined): void {
  if (response && !response.headersSent) response.setHeader('Connection', 'close');
}

function makeOrdinary(response: ServerResponse | undefined): void {
  if (response && !response.headersSent) response.removeHeader('Connection');
}
