/* Reads a state file and its log. */

import {
  type Header,
  isHalfHeader,
  type Part,
  readChanges,
  readHeader,
  StateError,
  type StateFiles,
  type StoredLine,
  type TextLine,
} from './lines.ts';

/** What was read of a state. */
export interface StatePosition {
  readonly id: string;
  /** The number of lines that its log ever had. */
  readonly logged: number;
  /** The last time of the sandbox. */
  readonly at: number;
  /** Whether the sandbox ended without a save. */
  readonly isUnclean: boolean;
}

/**
 * Reads the file, then the changes of its log. Returns undefined if there is no state. Throws `StateError` with the place
 * and leaves both as they were if they are invalid. A last line that was not written completely is dropped, and told.
 *
 * @param load loads a line; throws an `Error` if it is invalid
 * @param warn prints a warning
 */
export async function readState(
  files: StateFiles,
  load: (line: StoredLine) => void,
  warn: (line: string) => void,
): Promise<StatePosition | undefined> {
  if (files.size('file') === 0) {
    if (files.size('log') === 0) return undefined;
    throw new StateError('log', 'has changes, but its state file is missing or empty');
  }
  const file = await readFile(files, load);
  if (files.size('log') === 0) return { ...file, isUnclean: false };
  return { id: file.id, isUnclean: true, ...(await readLog(files, file, load, warn)) };
}

async function readFile(files: StateFiles, load: (line: StoredLine) => void): Promise<Header> {
  let header: Header | undefined;
  let lines = 0;
  await eachLine(files, 'file', ({ text, isWhole }) => {
    if (!header) header = readHeader(text);
    else {
      if (!isWhole) throw new Error('is cut off');
      if (lines === header.lines) throw new Error('comes after the end of the state');
      for (const line of readChanges(text)) load(line);
      lines += 1;
    }
  });
  if (header && lines === header.lines) return header;
  throw new StateError('file', `ends after line ${lines + 1}; the rest is missing`);
}

async function readLog(
  files: StateFiles,
  file: Header,
  load: (line: StoredLine) => void,
  warn: (line: string) => void,
): Promise<Pick<StatePosition, 'logged' | 'at'>> {
  let { at } = file;
  /** The end of the last line that is whole, and the number of lines up to it. */
  let read: { readonly end: number; readonly logged: number } | undefined;
  await eachLine(files, 'log', ({ text, end, isWhole }) => {
    if (!isWhole && (read || isHalfHeader(text))) return;
    if (!read) {
      const header = readHeader(text);
      if (header.id !== file.id) throw new Error('belongs to another state file');
      if (header.logged > file.logged) throw new Error('earlier lines are missing');
      read = { end, logged: header.logged };
      return;
    }
    const lines = readChanges(text);
    read = { end, logged: read.logged + 1 };
    // The file includes earlier lines.
    if (read.logged > file.logged) for (const line of lines) load(line);
    at = lines.at(-1)?.at ?? at;
  });
  const { end, logged } = read ?? { end: 0, logged: file.logged };
  if (end < files.size('log')) {
    warn('the last line of its log is incomplete; that change was not made');
    files.endLogAt(end);
  }
  // The file includes all of it. The next line begins a new log.
  if (logged <= file.logged) files.endLogAt(0);
  return { logged: Math.max(logged, file.logged), at };
}

/** Takes the lines of a file. Throws `StateError` with the place of one that is refused. */
async function eachLine(
  files: StateFiles,
  part: Part,
  take: (line: TextLine) => void,
): Promise<void> {
  let place = 0;
  for await (const lines of files.read(part)) {
    for (const line of lines) {
      place += 1;
      try {
        take(line);
      } catch (error) {
        const { message } = error as Error;
        throw new StateError(part, place === 1 ? message : `line ${place}: ${message}`);
      }
    }
  }
}
