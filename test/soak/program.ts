import { once } from 'node:events';
import { request } from 'node:http';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { Command, newFolder, PROGRAM } from '../node/command.ts';

/** How long the event loop of a program was blocked, in milliseconds. */
export interface Turns {
  /** The longest turn. */
  readonly longest: number;
  /** The longest work in a turn, without garbage collection. */
  readonly longestOwn: number;
  /** The 99.9th percentile of the work in a turn, without garbage collection. */
  readonly mostOwn: number;
  readonly longestPause: number;
}

/** The built command with measurements. */
export interface Program {
  readonly command: Command;
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** The turns since the last request. */
  turns(): Promise<Turns>;
  /** The bytes of the resident set. */
  rss(): Promise<number>;
  /** The bytes of the heap in use after a garbage collection. */
  heap(): Promise<number>;
}

const PROBE = resolve('test/soak/probe.mjs');

/** Launches the command with a heap of some MiB. It is killed after the test. */
export function launch(
  args: readonly string[],
  heap = 512,
  { flags = [], probe = newProbe() }: { flags?: readonly string[]; probe?: string } = {},
): Command {
  const line = ['--expose-gc', ...flags, `--import=${PROBE}`, PROGRAM, '--port', '0', '--json'];
  const command = new Command(
    [...line, ...args],
    { PROBE_SOCKET: probe },
    `--max-old-space-size=${heap}`,
  );
  onTestFinished(async () => {
    await command.stop('SIGKILL');
  });
  return command;
}

const newProbe = (): string => join(newFolder(), 'probe');

/** Launches the command, and waits until it listens. */
export async function start(
  args: readonly string[],
  heap?: number,
  flags?: readonly string[],
): Promise<Program> {
  const socketPath = newProbe();
  const command = launch(args, heap, { flags: flags ?? [], probe: socketPath });
  const { url, port, pid } = JSON.parse(await command.started());
  const ask = async (path: string) => {
    const [answer] = await once(request({ socketPath, path, agent: false }).end(), 'response');
    return JSON.parse((await answer.setEncoding('utf8').toArray()).join(''));
  };
  return {
    command,
    url,
    port,
    pid,
    turns: () => ask('/turns'),
    rss: () => ask('/rss'),
    heap: () => ask('/heap'),
  };
}

/** Prints a named figure. */
export const tell = (what: string, figure: string): void => console.log(`${what}: ${figure}`);

export const inMiB = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
