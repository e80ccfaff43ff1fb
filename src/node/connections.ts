import type { Server, ServerResponse } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';
import { waitReally } from '../world/clock.ts';

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
