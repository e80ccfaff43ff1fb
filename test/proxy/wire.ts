import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** What came over a connection: every byte, and how it ended. */
export interface Heard {
  readonly bytes: Buffer;
  readonly text: string;
  /** `end`: closed in order; `reset`: broken off. */
  readonly ended: 'end' | 'reset';
}

/** Sends bytes to a port as they are and reads until the connection ends. */
export function speak(port: number, ...pieces: readonly (string | Buffer)[]): Promise<Heard> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let ended: Heard['ended'] = 'end';
    const socket = connect(port, '127.0.0.1', () => {
      for (const piece of pieces) socket.write(piece);
    });
    socket.on('data', (chunk) => chunks.push(chunk));
    socket.on('error', () => {
      ended = 'reset';
    });
    socket.on('close', () => {
      const bytes = Buffer.concat(chunks);
      resolve({ bytes, text: bytes.toString('latin1'), ended });
    });
  });
}

/** A connection that stays open, and what came over it so far. */
export function connection(port: number): {
  socket: Socket;
  until(text: string, times?: number): Promise<string>;
} {
  const socket = connect(port, '127.0.0.1');
  let heard = '';
  let wake: () => void = () => undefined;
  socket.on('data', (chunk) => {
    heard += chunk.toString('latin1');
    wake();
  });
  socket.on('close', () => wake());
  socket.on('error', () => undefined);
  return {
    socket,
    async until(text, times = 1) {
      while (heard.split(text).length <= times && !socket.destroyed) {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
      return heard;
    },
  };
}

export const portOf = (url: string): number => Number(new URL(url).port);

const stops: (() => void)[] = [];

/** Stops every server that `rawServer` started. */
export function stopRawServers(): void {
  for (const stop of stops.splice(0)) stop();
}

/**
 * A server that answers bytes, to each request head that it reads; what it was sent is kept.
 *
 * @param end what it waits for before it answers
 */
export async function rawServer(
  answer: (socket: Socket, heard: string) => void,
  end = '\r\n\r\n',
): Promise<{ url: string; heard: string[] }> {
  const heard: string[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    let all = '';
    socket.on('data', (chunk) => {
      all += chunk.toString('latin1');
      if (!all.includes(end)) return;
      heard.push(all);
      answer(socket, all);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  stops.push(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, heard };
}
