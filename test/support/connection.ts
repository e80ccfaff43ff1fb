import { connect } from 'node:net';

/** A connection to a port of this machine, and what it has received, one character per byte. */
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
