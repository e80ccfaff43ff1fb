/* The sandbox of a container, as a health check finds it. */

import { basename } from 'node:path';
import { beginningOf } from './files.ts';

/** The command line of the first process, with a zero byte after each word. In a container that is the sandbox. */
const FIRST_PROCESS = '/proc/1/cmdline';
const MAX_BYTES = 4096;

/** The `--port` with which the sandbox of this container was started, if any. */
export const containerPort = (commandLine = beginningOf(FIRST_PROCESS, MAX_BYTES)) =>
  portFlag(commandLine.split('\0'));

function portFlag(words: readonly string[]): string | undefined {
  const isProgram = (word: string) => /^micro-insurance-sandbox(\.cjs)?$/.test(basename(word));
  const flags = words.slice(words.findIndex(isProgram) + 1);
  if (flags.length === words.length) return undefined;
  const ports = flags.flatMap((flag, place) => {
    const [name, value] = flag.split('=', 2);
    if (name === '-p' || name === '--port') return value ?? flags[place + 1] ?? [];
    return /^-p\d+$/.test(flag) ? flag.slice('-p'.length) : [];
  });
  return ports.at(-1);
}
