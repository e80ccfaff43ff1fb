/* Writes the log of a command to standard output, without ever delaying a response. */

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
/** How long `end` waits for a reader. */
const MAX_END_MS = 250;

/**
 * Formats and writes items in the next turn of the event loop. A reader that is too slow misses lines and gets their
 * number. A closed pipe ends the log.
 */
export function createLineWriter<T>(output: Output, maker: LineMaker<T>): LineWriter<T> {
  let items: T[] = [];
  /** Characters that have not left this process yet. */
  let waiting = 0;
  let leftOut = 0;
  let isOver = false;
  let onIdle: () => void = () => undefined;

  function writeItems(): void {
    let text = '';
    for (const item of items) {
      // Once one item is left out, so are the following ones, until the reader has the lines before.
      if (leftOut > 0) leftOut++;
      else {
        const line = maker.lineOf(item);
        const before = waiting + text.length;
        if (before > 0 && before + line.length > MAX_WAITING) leftOut = 1;
        else text += line;
      }
    }
    items = [];
    if (text !== '') write(text);
  }

  function write(text: string): void {
    waiting += text.length;
    const sent = (error?: Error | null): void => {
      waiting -= text.length;
      if (error) close();
      else if (waiting > 0) return;
      else if (leftOut === 0) onIdle();
      else {
        const count = leftOut;
        leftOut = 0;
        write(maker.notShown(count));
      }
    };
    try {
      output.write(text, sent);
    } catch (error) {
      // Node 20 throws if a file cannot be written.
      sent(error as Error);
    }
  }

  function close(): void {
    if (isOver) return;
    isOver = true;
    items = [];
    maker.onClosed?.();
    onIdle();
  }

  return {
    add(item) {
      if (!isOver && items.push(item) === 1) void nextTurn().then(writeItems);
    },
    async end() {
      writeItems();
      const late = new AbortController();
      const idle = new Promise<void>((resolve) => {
        onIdle = resolve;
      });
      if (waiting > 0) await Promise.race([idle, sleepUnmocked(MAX_END_MS, late.signal)]);
      late.abort();
      if (waiting > 0) output.abandon();
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
export function openStandardOutput(): { readonly output: Output; isAbandoned(): boolean } {
  const stream = process.stdout;
  let isLog = false;
  let isAbandoned = false;
  stream.on('error', (error: NodeJS.ErrnoException) => {
    // The reader has closed the pipe: `… openapi | head`.
    if (error.code !== 'EPIPE' && !isLog) throw error;
  });
  const output: Output = {
    isTerminal: stream.isTTY === true,
    get columns() {
      return stream.isTTY ? stream.columns : undefined;
    },
    write(text, done) {
      if (!isLog) unblock(stream);
      isLog = true;
      stream.write(text, done);
    },
    abandon() {
      isAbandoned = true;
    },
  };
  return { output, isAbandoned: () => isAbandoned };
}

/** Resolves when everything written to these streams has left this process, or cannot leave it. */
export async function whenWritten(...streams: readonly NodeJS.WriteStream[]): Promise<void> {
  for (const stream of streams) {
    if (stream.writableLength > 0) await new Promise((resolve) => stream.write('', resolve));
  }
}

/** Node's writes to a terminal block the process, even forever if the terminal is stopped (Ctrl+S). */
function unblock(stream: NodeJS.WriteStream): void {
  if (stream.isTTY && process.platform !== 'win32') {
    (stream as TerminalStream)._handle?.setBlocking?.(false);
  }
}
