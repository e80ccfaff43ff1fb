import { once } from 'node:events';
import { connect } from 'node:net';

/** Sends a text to a port, one byte per character, and returns everything received until the connection ends. */
export async function exchange(port: number, text: string): Promise<string> {
  const socket = connect(port, '127.0.0.1').setEncoding('latin1');
  let heard = '';
  socket.on('data', (chunk) => {
    heard += chunk;
  });
  socket.write(text, 'latin1');
  await once(socket, 'close');
  return heard;
}
