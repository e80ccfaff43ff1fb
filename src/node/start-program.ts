/* Starts another program, or says in one line why it cannot be started. */

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { getSystemErrorMap } from 'node:util';
import { printable } from '../world/printable.ts';

/** Starts a program. Rejects if it cannot be started: `spawn` throws some of these errors and emits others. */
export async function startProgram(
  command: string,
  args: readonly string[],
  options: SpawnOptions,
): Promise<ChildProcess> {
  const child = spawn(command, args, options);
  await once(child, 'spawn');
  return child;
}

const MAX_SHOWN = 200;

/** One line that says why a program cannot be started: `startProgram` rejected with this error. */
export function startProblem(error: unknown, command: string): string {
  const { errno = 0, message } = error as NodeJS.ErrnoException;
  const reason = getSystemErrorMap().get(errno)?.[1] ?? message;
  const name = command.length > MAX_SHOWN ? `${command.slice(0, MAX_SHOWN)}…` : command;
  const shell = /\s/.test(command) ? ` For a shell command, write sh -c '${name}'.` : '';
  return printable(`${name} cannot be started: ${reason}.${shell}`);
}
