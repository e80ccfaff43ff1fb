import { once } from 'node:events';
import { request } from 'node:http';
import { join, resolve } from 'node:path';
import { onTestFinished } from 'vitest';
import { Command, newFolder, PROGRAM } from '../node/command.ts';

/** How long the event loop of a program stood still, in milliseconds. */
export interface Turns {
  /** The longest time in which nobody else had a turn. */
  readonly longest: number;
  /** The longest it worked, without what V8 took to collect garbage. */
  readonly longestOwn: number;
  /** What 99.9 % of all turns worked at the most, without that. */
  readonly mostOwn: number;
  readonly longestPause: number;
}

/** The command as it was built, under measurement. */
export interface Program {
  readonly command: Command;
  readonly url: string;
  readonly port: number;
  readonly pid: number;
  /** How its turns were since this was asked before. */
  turns(): Promise<Turns>;
  /** How many bytes it takes. */
  rss(): Promise<number>;
  /** How many of them are in use, once garbage was collected. */
  heap(): Promise<number>;
}

const PROBE = resolve('test/soak/probe.mjs');

/** A command that is about to start, with that many MiB of heap. It ends with the test. */
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

/** Starts the command, and waits until it listens. */
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

/** Shows a figure, with a head that says what it is of. */
export const tell = (what: string, figure: string): void => console.log(`${what}: ${figure}`);

export const inMiB = (bytes: number): string => `${Math.round(bytes / 2 ** 20)} MiB`;
