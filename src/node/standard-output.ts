import type { Output } from './output.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of this process. Nothing else reads it. */
export const readEnvironment = (): Environment => process.env;

/** The undocumented part of Node's stream to a terminal. */
interface TerminalStream {
  readonly _handle?: { setBlocking?(isBlocking: boolean): void };
}

/**
 * The standard output of the command. Once a log is written to it, write errors go to the log alone.
 */
export function openStandardOutput(stream = process.stdout): {
  readonly output: Output;
  isAbandoned(): boolean;
} {
  let isLog = false;
  let isAbandoned = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // The reader has closed the pipe: `… openapi | head`.
    if (error.code !== 'EPIPE' && !isLog) throw error;
  });
  const write: Output['write'] = (text, done) => {
    if (!isLog) unblock(stream);
    isLog = true;
    stream.write(text, done);
  };
  const abandon = () => {
    isAbandoned = true;
  };
  return { output: outputTo(stream, write, abandon), isAbandoned: () => isAbandoned };
}

/**
 * The standard output of the program that embeds the sandbox. Write errors go to the log alone, as with the console.
 */
export const shareStandardOutput = (stream = process.stdout): Output =>
  outputTo(
    stream,
    (text, done) => {
      stream.once('error', ignore);
      try {
        stream.write(text, (error) => {
          // The stream emits the error after this callback.
          if (error && stream.listenerCount('error') === 0) stream.once('error', ignore);
          done(error);
        });
      } finally {
        stream.removeListener('error', ignore);
      }
    },
    ignore,
  );

const outputTo = (
  stream: NodeJS.WriteStream,
  write: Output['write'],
  abandon: () => void,
): Output => ({
  get isTerminal() {
    return stream.isTTY === true;
  },
  get columns() {
    return stream.isTTY ? stream.columns : undefined;
  },
  write,
  abandon,
});

const ignore = () => {};

/** Node's writes to a terminal block the process, for ever if the terminal is stopped (Ctrl+S). */
function unblock(stream: NodeJS.WriteStream): void {
  if (stream.isTTY && process.platform !== 'win32') {
    (stream as TerminalStream)._handle?.setBlocking?.(false);
  }
}
