import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';

export const PROGRAM = resolve('bin/micro-insurance-sandbox.cjs');

export interface Ended {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** The command as a shell starts it, in an environment that says nothing. */
export class Command {
  readonly process: ChildProcess;
  readonly ended: Promise<Ended>;
  #out = '';
  #err = '';

  constructor(
    args: readonly string[],
    environment: Record<string, string> = {},
    program = PROGRAM,
  ) {
    this.process = spawn(process.execPath, [program, ...args], {
      env: { PATH: process.env.PATH, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
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

  /** What it has said on standard error so far. */
  get err(): string {
    return this.#err;
  }

  /** What it said when it began to listen. */
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

/** Runs the command to its end. */
export const run = (
  args: readonly string[],
  environment?: Record<string, string>,
): Promise<Ended> => new Command(args, environment).ended;

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'sandbox-'));

/** The first address of this machine in a text. */
export const urlIn = (said: string): string =>
  /http:\/\/127\.0\.0\.1:\d+/.exec(said)?.[0] as string;

/** Ports below those that a system hands out itself, a few hundred to each process that runs tests. */
const PORTS = { from: 20_000, each: 400, processes: 25 };
let given = 0;

/** A port that nobody has, and that nobody gets who asks for any. */
export async function freePort(): Promise<number> {
  const { from, each, processes } = PORTS;
  const worker = Number(process.env.VITEST_POOL_ID ?? 0) % processes;
  for (;;) {
    const port = from + worker * each + (given++ % each);
    if (await isFree(port)) return port;
  }
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer().listen(port, '127.0.0.1');
  const isListening = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  if (isListening) await once(server.close(), 'close');
  return isListening;
}
