import type { Socket } from 'node:net';
import type { AskedCall } from './call.ts';

/** Connections to a service that end with a client's. */
const tied = new WeakSet<Socket>();

/** How many calls of each client's connection are under way. */
const busy = new WeakMap<Socket, number>();

/** Tells whether there is a connection; when the service closes it, the client's, if it is idle, is closed too. */
export function watchConnection({ incoming, outgoing, upstream }: AskedCall): () => boolean {
  const client = incoming.socket;
  let isConnected = false;
  upstream.on('socket', (socket) => {
    if (tied.has(socket)) {
      isConnected = true;
      return;
    }
    tied.add(socket);
    socket.once('encrypted' in socket ? 'secureConnect' : 'connect', () => {
      isConnected = true;
    });
    socket.once('close', () => {
      if (!tied.has(socket)) return;
      if (outgoing.writableFinished && !busy.has(client)) client.destroySoon();
    });
  });
  busy.set(client, (busy.get(client) ?? 0) + 1);
  outgoing.once('close', () => {
    const left = (busy.get(client) ?? 1) - 1;
    if (left === 0) busy.delete(client);
    else busy.set(client, left);
  });
  return () => isConnected;
}

/** Keeps the client's connection when that to the service ends: what the proxy answers itself says keep-alive. */
export function keepClientOpen({ upstream }: AskedCall): void {
  if (upstream.socket) tied.delete(upstream.socket);
}
