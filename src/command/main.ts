/* The command as a process: its arguments, streams, signals and exit code. */

import type { Terminal } from '../node/command.ts';
import { openStandardInput } from '../node/input.ts';
import { loadClassesLate } from '../node/late-classes.ts';
import { openStandardOutput, whenWritten } from '../node/output.ts';
import { readEnvironment } from '../world/platform.ts';
import { run } from './cli.ts';

/**
 * The program: runs the command of this process's arguments, which nothing else reads, and ends the process.
 *
 * @param onServing called once a server is running
 */
export async function main({ onServing }: { onServing?: () => void } = {}): Promise<void> {
  loadClassesLate();
  const environment = readEnvironment();
  const { output, isAbandoned } = openStandardOutput();
  // If nobody reads it, nobody can be told. The exit code still says how it went.
  process.stderr.on('error', () => undefined);
  let isDone = false;
  const terminal: Terminal = {
    environment,
    get colours() {
      return output.isTerminal && !environment.NO_COLOR;
    },
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    output,
    get errColumns() {
      return process.stderr.isTTY ? process.stderr.columns : undefined;
    },
    get input() {
      return openStandardInput();
    },
    stopped: () =>
      new Promise((resolve) => {
        onServing?.();
        const stop = () => {
          if (isDone) process.exit();
          resolve();
        };
        // SIGHUP is sent when the terminal closes. The listeners stay: otherwise a second signal would end the process before
        // it has finished stopping.
        for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP']) process.on(signal, stop);
      }),
  };
  process.exitCode = await run(process.argv.slice(2), terminal);
  isDone = true;
  if (!isAbandoned()) await whenWritten(process.stdout, process.stderr);
  // A connection that another program keeps open must not keep this process alive.
  process.exit();
}
