import type { Server, ServerResponse } from 'node:http';
import { type AddressInfo, Server as NetServer, type Socket } from 'node:net';
import { waitReally } from '../world/clock.ts';
import { ListenError } from './errors.ts';

/** Rejects with `ListenError` where the port or the address can't be had. */
export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) => {
      reject(new ListenError(whyNot(error, port, host), port, host, error));
    });
    server.listen(port, host, resolve);
  });
}

function whyNot(error: NodeJS.ErrnoException, port: number, host: string): string {
  switch (error.code) {
    case 'EADDRINUSE':
      return `Port ${port} of ${host} is taken; another sandbox or proxy may be running. Choose another port, or 0 for a free one.`;
    case 'EACCES':
      return `Port ${port} of ${host} is not open to this user; choose one above 1023.`;
    case 'EADDRNOTAVAIL':
    case 'ENOTFOUND':
      return `This machine has no address ${host} to listen on.`;
    default:
      return `Can't listen on port ${port} of ${host}: ${error.message}`;
  }
}

/** Where a server answers, as a client on this machine writes it. */
export function addressOf(server: Server): { readonly url: string; readonly port: number } {
  const { address, family, port } = server.address() as AddressInfo;
  const isAll = address === '0.0.0.0' || address === '::';
  const host = isAll ? '127.0.0.1' : family === 'IPv6' ? `[${address}]` : address;
  return { url: `http://${host}:${port}`, port };
}

/** When the last connection of a closing server is cut, whatever its client does. */
const MAX_END_MS = 900;

/** How long connections that queued are taken, if there is no end of them. */
const MAX_ACCEPT_MS = 400;

interface Connections {
  /** Stops listening and ends every connection: a busy one after an answer that says so, others once they are quiet. */
  end(quietMs: number): Promise<void>;
}

/**
 * Keeps the connections of a server in mind, so that a busy client is told of the end of its connection instead of
 * meeting it: its next request may be on its way while the server believes the connection to be idle.
 */
export function trackConnections(server: Server): Connections {
  /** The newest response of each, also while earlier ones wait before it; undefined until there is a request. */
  const newest = new Map<Socket, ServerResponse | undefined>();
  let accepted = 0;
  let isEnding = false;
  server.on('connection', (socket: Socket) => {
    accepted++;
    newest.set(socket, undefined);
    socket.once('close', () => newest.delete(socket));
  });
  // Before the listener that answers.
  server.prependListener('request', ({ socket }, response) => {
    if (isEnding) {
      makeLast(response);
      // A client that does not wait for answers has several requests under way: only the last answer ends it.
      makeOrdinary(newest.get(socket));
    }
    newest.set(socket, response);
  });

  /** Node accepts one connection in each turn of its event loop; those that still queue would be reset. */
  async function acceptQueued(patience: AbortSignal): Promise<void> {
    // From here on each wait begins with the timers of a turn, so that the sockets have theirs before it is over.
    await waitReally(0);
    let before: number;
    do {
      before = accepted;
      await waitReally(0);
    } while (accepted > before && !patience.aborted);
  }

  async function endQuiet(quietMs: number, over: AbortSignal): Promise<void> {
    while (!over.aborted) {
      const bytesBefore = new Map([...newest.keys()].map((socket) => [socket, socket.bytesRead]));
      await waitReally(quietMs, over);
      // A busy process comes to a timer late, and before it reads what came meanwhile.
      await waitReally(0);
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
      void waitReally(MAX_ACCEPT_MS, over.signal).then(() => late.abort());
      void waitReally(MAX_END_MS, over.signal).then(() => server.closeAllConnections());
      await acceptQueued(late.signal);
      void endQuiet(quietMs, over.signal);
      // The close of node:http would end at once what is idle.
      await new Promise<void>((resolve) => {
        NetServer.prototype.close.call(server, () => resolve());
      });
      over.abort();
      // It is called for what else it does: it looks no longer for requests that take too long.
      server.close();
    },
  };
}

function makeLast(response: ServerResponse | undefined): void {
  if (response && !response.headersSent) response.setHeader('Connection', 'close');
}

function makeOrdinary(response: ServerResponse | undefined): void {
  if (response && !response.headersSent) response.removeHeader('Connection');
}
