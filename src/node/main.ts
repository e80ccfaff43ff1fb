import { once } from 'node:events';
import { run } from './cli.ts';
import type { Terminal } from './command.ts';

/**
 * The program: the only place that reads this process's arguments and environment.
 *
 * @param onServed called after a sandbox was served and stopped: by then V8 has compiled what a start needs
 */
export async function main({ onServed }: { onServed?: () => void } = {}): Promise<void> {
  const environment = process.env;
  let asked = false;
  const terminal: Terminal = {
    environment,
    get colours() {
      return process.stdout.isTTY === true && !environment.NO_COLOR;
    },
    out: (text) => process.stdout.write(text),
    err: (text) => process.stderr.write(text),
    stopped: async () => {
      await Promise.race([once(process, 'SIGTERM'), once(process, 'SIGINT')]);
      asked = true;
    },
  };
  process.exitCode = await run(process.argv.slice(2), terminal);
  if (asked) onServed?.();
}
