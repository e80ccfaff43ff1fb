import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Runs a command as one who pastes it into a terminal, and answers what it printed. */
export async function pasteIntoShell(command: string): Promise<string> {
  const { stdout } = await promisify(execFile)('bash', ['-c', command], { timeout: 20_000 });
  return stdout;
}
