import { connect, type Socket } from 'node:net';

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
