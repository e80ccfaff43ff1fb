import type { Output } from './output.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** The environment of this process: nothing else reads it. */
export const readEnvironment = (): Environment => process.env;

/** Node's stream to a terminal, as far as its documentation leaves it out. */
interface TerminalStream {
  readonly _handle?: { setBlocking?(isBlocking: boolean): void };
}

/**
 * The standard output of this process, for a log: what goes wrong there from the first line on is told to
 * whoever writes, and to nobody else.
 */
export function openStandardOutput(stream = process.stdout): {
  readonly output: Output;
  isAbandoned(): boolean;
} {
  let isLog = false;
  let isAbandoned = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // Whoever read what is printed has seen enough: `… openapi | head`.
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
 * The standard output of somebody else's program, for a log: it stays as that has it. What goes wrong with a line
 * is told to whoever wrote it and, as with lines of the console, to nobody else.
 */
export const shareStandardOutput = (stream = process.stdout): Output =>
  outputTo(
    stream,
    (text, done) => {
      stream.once('error', ignore);
      try {
        stream.write(text, (error) => {
          // The stream tells of it after this.
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

/** Node writes to a terminal with the whole process waiting, and one that was stopped (Ctrl+S) takes nothing. */
function unblock(stream: NodeJS.WriteStream): void {
  if (stream.isTTY && process.platform !== 'win32') {
    (stream as TerminalStream)._handle?.setBlocking?.(false);
  }
}
