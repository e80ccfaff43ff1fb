/* Writes logs to standard output without ever delaying a response, with colours on terminals. */

import type { LogMode } from '../types/public.ts';
import { nextTurn, sleepUnmocked } from '../world/clock.ts';

/** Where a log is written. */
export interface Output {
  /** Whether it is a terminal. */
  readonly isTerminal: boolean;
  /** Width of the terminal. */
  readonly columns?: number | undefined;
  /** Calls back when the text has left this process, or with an error. */
  write(text: string, done: (error?: Error | null) => void): void;
  /** Lets the program end although nobody has read its output. */
  abandon(): void;
}

/** Settings of the request log. */
export interface LogOptions {
  readonly mode: LogMode;
  readonly output: Output;
  readonly colours: boolean;
}

/** Formats the lines of a log. */
export interface LineMaker<T> {
  lineOf(item: T): string;
  /** A line that says how many items were left out. */
  notShown(count: number): string;
  /** Called when writing is no longer possible. */
  onClosed?(): void;
}

/** Writes a line for each item. Adding an item never blocks. */
export interface LineWriter<T> {
  add(item: T): void;
  /** Stops writing. Resolves when everything is written, or after a while without a reader. */
  end(): Promise<void>;
}

/** Characters that may wait for a reader before lines are left out. */
const MAX_WAITING = 1024 * 1024;
/** Items that may wait to be formatted; more than sockets bring in one turn. */
const MAX_ITEMS = 1000;
/** How long `end` waits for a reader. */
const MAX_END_MS = 250;

/**
 * Formats and writes items in batches: the first in the next turn of the event loop, each further batch when the one
 * before has left. A reader that is too slow misses lines and gets their number. A closed pipe ends the log.
 */
export function createLineWriter<T>(output: Output, maker: LineMaker<T>): LineWriter<T> {
  let items: T[] = [];
  /** Lines of the next batch. */
  let waiting = '';
  /** Characters of the batch that is being written. */
  let underWay = 0;
  let leftOut = 0;
  let isPlanned = false;
  let isOver = false;
  let onIdle: () => void = () => undefined;

  function makeLines(): void {
    for (const item of items) {
      // Once one item is left out, so are the following ones, until a reader makes room.
      if (leftOut > 0) leftOut++;
      else {
        const line = maker.lineOf(item);
        const waits = waiting.length + underWay;
        if (waits > 0 && waits + line.length > MAX_WAITING) leftOut = 1;
        else waiting += line;
      }
    }
    items = [];
  }

  function send(): void {
    if (isOver || underWay > 0) return;
    makeLines();
    if (waiting === '') {
      onIdle();
      return;
    }
    const text = waiting;
    waiting = '';
    underWay = text.length;
    try {
      output.write(text, sent);
    } catch (error) {
      // Node 20 throws if a file cannot be written.
      sent(error as Error);
    }
  }

  function sent(error?: Error | null): void {
    underWay = 0;
    if (error) {
      close();
      return;
    }
    if (leftOut > 0) {
      waiting += maker.notShown(leftOut);
      leftOut = 0;
    }
    send();
  }

  function close(): void {
    if (isOver) return;
    isOver = true;
    items = [];
    waiting = '';
    maker.onClosed?.();
    onIdle();
  }

  return {
    add(item) {
      if (isOver) return;
      items.push(item);
      if (items.length >= MAX_ITEMS) makeLines();
      if (isPlanned) return;
      isPlanned = true;
      void nextTurn().then(() => {
        isPlanned = false;
        makeLines();
        send();
      });
    },
    async end() {
      const idle = new Promise<void>((resolve) => {
        onIdle = resolve;
      });
      send();
      const late = new AbortController();
      if (!isOver) await Promise.race([idle, sleepUnmocked(MAX_END_MS, late.signal)]);
      late.abort();
      if (underWay > 0) output.abandon();
      close();
    },
  };
}

/** The undocumented part of Node's stream to a terminal. */
interface TerminalStream {
  readonly _handle?: { setBlocking?(isBlocking: boolean): void };
}

/**
 * The standard output of the command. Once a log is written to it, only the log handles write errors.
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

/** Resolves when everything written to these streams has left this process, or cannot leave it. */
export async function whenWritten(...streams: readonly NodeJS.WriteStream[]): Promise<void> {
  for (const stream of streams) {
    if (stream.writableLength > 0) await new Promise((resolve) => stream.write('', resolve));
  }
}

/**
 * The standard output of a program that embeds the sandbox. Only the log handles write errors, as with the console.
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

/** Node's writes to a terminal block the process, even forever if the terminal is stopped (Ctrl+S). */
function unblock(stream: NodeJS.WriteStream): void {
  if (stream.isTTY && process.platform !== 'win32') {
    (stream as TerminalStream)._handle?.setBlocking?.(false);
  }
}
