/* The connections of a server: how it listens, takes turns and closes. */

import type { Server, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { nextTurn, sleepUnmocked } from '../world/clock.ts';
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

/** A closing server cuts the connections that remain after this time. */
const MAX_END_MS = 900;
/** How often a closing server looks for connections that have become idle. */
const LOOK_MS = 10;

/**
 * Tracks the connections of a server. The result stops listening, sends the responses to requests that have arrived, and
 * closes all connections.
 */
export function trackConnections(server: Server): () => Promise<void> {
  /** The latest response of each connection; undefined before its first request. */
  const newest = new Map<Socket, ServerResponse | undefined>();
  server.on('connection', (socket: Socket) => {
    newest.set(socket, undefined);
    socket.once('close', () => newest.delete(socket));
  });
  server.prependListener('request', ({ socket }, response) => newest.set(socket, response));
  return async () => {
    const closed = new AbortController();
    // Node's own method, which `close` calls, cuts responses that are still being sent.
    server.closeIdleConnections = () => undefined;
    server.close(() => closed.abort());
    void sleepUnmocked(MAX_END_MS, closed.signal).then(() => server.closeAllConnections());
    while (!closed.signal.aborted) {
      await sleepUnmocked(LOOK_MS, closed.signal);
      // Sockets are read after timers: a request that has arrived is seen first.
      await nextTurn();
      for (const [socket, response] of newest) {
        if (response?.writableFinished ?? true) socket.destroy();
      }
    }
  };
}
