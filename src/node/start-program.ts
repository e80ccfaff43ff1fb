/* Starts another program, or says in one line why it cannot be started. */

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';
import { printable } from '../world/printable.ts';
import { truncate } from '../world/problem-texts.ts';
import { beginningOf } from './files.ts';
import { statOf } from './state-file.ts';

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

/**
 * One line that says why a program cannot be started.
 *
 * @param error why `startProgram` rejected
 * @param path the folders in which programs are looked up
 */
export function startProblem(error: unknown, command: string, path: string | undefined): string {
  const name = command.length > MAX_SHOWN ? `${command.slice(0, MAX_SHOWN)}…` : command;
  const shell = /\s/.test(command) ? ` For a shell command, write sh -c '${name}'.` : '';
  return printable(`${name} cannot be started: ${reasonOf(error, command, path)}.${shell}`);
}

function reasonOf(error: unknown, command: string, path: string | undefined): string {
  const { code, message } = error as NodeJS.ErrnoException;
  const [file] = filesOf(command, path);
  switch (code) {
    case 'ENOENT':
      return file === undefined ? 'no such program' : withoutInterpreter(file);
    case 'EACCES':
      return statOf(command)?.isDirectory() ? 'it is a folder' : 'permission denied';
    case 'ENOTDIR':
      return 'its path leads through a file';
    case 'ENAMETOOLONG':
      return 'its name is too long';
    case 'ELOOP':
      return 'its path has too many symbolic links';
    case 'E2BIG':
      return 'its arguments and its environment are too long';
    default:
      return message;
  }
}

/** The files that a command may mean, in the order in which the system tries them. */
const filesOf = (command: string, path = ''): string[] =>
  (command.includes('/') ? [command] : path.split(delimiter).map((folder) => join(folder, command)))
    // Opening a pipe would wait for its writer.
    .filter((file) => statOf(file)?.isFile());

/** Systems report a missing interpreter as a missing program. */
function withoutInterpreter(file: string): string {
  const interpreter = /^#![ \t]*([^ \t\n]+)/.exec(beginningOf(file, MAX_FIRST_LINE))?.[1];
  return interpreter === undefined
    ? 'the file exists, but its loader does not'
    : `the file exists, but its interpreter ${truncate(interpreter)} does not`;
}

/** The longest first line that systems read. */
const MAX_FIRST_LINE = 256;
