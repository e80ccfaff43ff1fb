import type { Terminal } from '../command.ts';
import { PROGRAM } from '../help.ts';
import { printable } from '../log-line.ts';

/**
 * Works, then saves the results: also when the work fails, when nobody catches an error, and when the process exits
 * before the work is done.
 *
 * @param save called once; it must be synchronous
 * @returns whether the work succeeded
 */
export async function savingAtEnd(
  terminal: Terminal,
  work: () => Promise<void>,
  save: () => void,
): Promise<boolean> {
  const tell = (error: unknown) => {
    const message = printable(error instanceof Error ? error.message : String(error));
    terminal.err(`${PROGRAM}: the proxy stopped on an unexpected error: ${message}\n`);
  };
  const onUncaught = (error: unknown) => {
    tell(error);
    // The listener of `exit` saves.
    process.exit(1);
  };
  process.once('exit', save).once('uncaughtException', onUncaught);
  try {
    await work();
    return true;
  } catch (error) {
    tell(error);
    return false;
  } finally {
    process.off('exit', save).off('uncaughtException', onUncaught);
    save();
  }
}
