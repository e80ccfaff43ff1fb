import { type ChildProcess, spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { run } from '../../src/command/cli.ts';
import { type Said, terminalTo } from '../support/terminal.ts';

export const PROGRAM = resolve('bin/micro-insurance-sandbox.cjs');

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The command as a shell starts it, in an empty environment. */
export class Command {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  #out = '';
  #err = '';

  constructor(
    args: readonly string[],
    environment: Record<string, string> = {},
    program = PROGRAM,
    input: 'ignore' | 'pipe' = 'ignore',
  ) {
    this.process = spawn(process.execPath, [program, ...args], {
      env: { PATH: process.env.PATH, ...environment },
      stdio: [input, 'pipe', 'pipe'],
    });
    this.process.stdout?.on('data', (chunk) => {
      this.#out += chunk;
    });
    this.process.stderr?.on('data', (chunk) => {
      this.#err += chunk;
    });
    this.ended = once(this.process, 'close').then(([code]) => ({
      code,
      out: this.#out,
      err: this.#err,
    }));
  }

  /** Its standard error so far. */
  get err(): string {
    return this.#err;
  }

  /** Its output when it began to listen. */
  async started(): Promise<string> {
    while (!this.#out.includes('\n')) {
      const ended = await Promise.race([this.ended, once(this.process.stdout as never, 'data')]);
      if ('code' in ended) throw new Error(`It ended with ${ended.code}: ${ended.err}`);
    }
    return this.#out;
  }

  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.process.kill(signal);
    return this.ended;
  }
}

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'sandbox-'));

/** The first address of this machine in a text. */
export const urlIn = (said: string): string =>
  /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] as string;

/** A command that serves in this process. */
export interface ServingCommand {
  /** Its output so far. */
  readonly said: Said;
  /** Its address, once it is printed. */
  readonly url: string;
  stop(): Promise<Ended>;
}

/** Starts the command in this process on a free port. */
export async function serveHere(
  args: readonly string[] = [],
  environment: Record<string, string> = {},
): Promise<ServingCommand> {
  const said = { out: '', err: '' };
  const signals = new EventEmitter();
  const serving = once(signals, 'serving');
  const stopped = once(signals, 'stop');
  const terminal = terminalTo(said, {
    environment,
    async stopped() {
      signals.emit('serving');
      await stopped;
    },
  });
  const [command, ...flags] = args[0]?.startsWith('-') ? ['', ...args] : args;
  const ended = run([...(command ? [command] : []), '--port', '0', ...flags], terminal);
  const stop = async () => {
    signals.emit('stop');
    return { code: await ended, ...said };
  };
  onTestFinished(() => void stop());
  await Promise.race([serving, ended]);
  return {
    said,
    stop,
    get url() {
      // With a log of JSON lines, the greeting is on standard error.
      return urlIn(said.out) ?? urlIn(said.err);
    },
  };
}
