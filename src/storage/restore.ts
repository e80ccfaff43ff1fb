/* Reads a state file and its log back into a sandbox. */

import type { z } from '@hono/zod-openapi';
import type { MerchantStore } from '../control/merchant-store.ts';
import { runCooperatively } from '../world/clock.ts';
import type { Instant } from '../world/time.ts';
import { currentLine } from './former-rows.ts';
import {
  Changes,
  FileEnd,
  FileHeader,
  FORMAT,
  isHalfLine,
  type LastLine,
  LogHeader,
  Row,
  readContent,
  readLine,
  StateError,
  type StateFiles,
} from './lines.ts';
import { createLoader, type Loader } from './load-rows.ts';
import { noStateReason, readEach, readHeader } from './read-lines.ts';

/** The position of a restored state. */
export interface StatePosition {
  readonly id: string;
  /** The number of the last line of its log. */
  readonly lastLine: number;
  /** Whether the sandbox ended without a save. */
  readonly isUnclean: boolean;
  /** Whether the log ends within a group of lines, so that no line may follow. */
  readonly isTorn: boolean;
  /** Whether a part has the former format, so that no line may follow. */
  readonly isFormer: boolean;
  /** The last line of the file. */
  readonly end: LastLine;
}

/**
 * Restores a sandbox: loads the rows of the file, then the changes of the log. Returns undefined if there is no state.
 * Throws `StateError` and leaves the files as they were if they are invalid.
 *
 * @param warn prints a warning
 */
export async function restoreState(
  store: MerchantStore,
  files: StateFiles,
  warn: (line: string) => void,
): Promise<StatePosition | undefined> {
  if (!files.exists('file')) {
    if (files.size('log') === 0) return undefined;
    throw new StateError(
      'log',
      'has changes, but its state file is missing; restore that file to keep them, or delete this log',
    );
  }
  const loader = createLoader(store);
  const file = await readFile(files, loader);
  const log = await readLog(files, loader, file, warn);
  const isWhole = log ? log.last >= file.end : file.end === file.start;
  if (!isWhole) {
    throw new StateError('log', `lacks lines that the state file needs, up to number ${file.end}`);
  }
  const isLost = !log && file.line.log === 1;
  if (isLost && !files.exists('log')) {
    throw new StateError(
      'log',
      'is missing, and had the changes since the last checkpoint; put it back, or create an empty file with this name to start without them',
    );
  }
  if (isLost) warn('its log is empty; the changes since the last checkpoint are lost');
  try {
    await runCooperatively(loader.finish(log?.at ?? file.at, file.isFormer));
  } catch (error) {
    throw new StateError('file', (error as Error).message);
  }
  const { last = file.end, isTorn = false } = log ?? {};
  return {
    id: file.id,
    lastLine: last,
    isUnclean: log !== undefined || isLost,
    isTorn,
    isFormer: file.isFormer || log?.isFormer === true,
    end: file.line,
  };
}

/** The log lines that a file includes: all up to `start`, and some up to `end`. */
interface FileStanding {
  readonly id: string;
  readonly start: number;
  readonly end: number;
  /** The time of the sandbox when it was written. */
  readonly at: Instant;
  readonly isFormer: boolean;
  /** Its last line. */
  readonly line: LastLine;
}

async function readFile(files: StateFiles, loader: Loader): Promise<FileStanding> {
  let header: z.output<typeof FileHeader> | undefined;
  let end: z.output<typeof FileEnd> | undefined;
  const { rest, lines } = await readEach(files, 'file', ({ number, content }, place) => {
    if (number !== place) throw new Error(`expected line number ${place}, got ${number}`);
    if (end) throw new Error('comes after the end of the state');
    if (!header) header = readHeader(FileHeader, content);
    else if (isEnd(content)) end = readContent(FileEnd, content);
    else loader.load(currentLine(header.format, readContent(Row, content)));
  });
  if (!header) throw new StateError('file', noStateReason(rest));
  if (rest !== '' || !end) {
    const where = rest === '' ? `after line ${lines}` : `within line ${lines + 1}`;
    throw new StateError('file', `ends ${where}; the rest is missing`);
  }
  return {
    id: header.id,
    start: header.log_lines,
    end: end.log_lines,
    at: end.at,
    isFormer: header.format !== FORMAT,
    line: end,
  };
}

const isEnd = (content: unknown): boolean => Object.hasOwn(content as object, 'end');

/** The position of the log. */
interface LogStanding {
  /** The number of its last line. */
  readonly last: number;
  readonly isTorn: boolean;
  readonly isFormer: boolean;
  /** The time of the sandbox when the last change was written. */
  readonly at: Instant;
}

async function readLog(
  files: StateFiles,
  loader: Loader,
  file: FileStanding,
  warn: (line: string) => void,
): Promise<LogStanding | undefined> {
  if (files.size('log') === 0) return undefined;
  let last: number | undefined;
  let { at } = file;
  let format: number = FORMAT;
  let group: z.output<typeof Changes>[] = [];
  const { rest, lines } = await readEach(files, 'log', ({ number, content }, place) => {
    if (last === undefined) {
      const { id, ...header } = readHeader(LogHeader, content);
      ({ format } = header);
      if (id !== file.id) throw new Error('belongs to another state file');
      if (number > file.start) {
        throw new Error(`earlier lines are missing, from number ${file.start}`);
      }
      last = number;
      return;
    }
    last += 1;
    if (number !== last) throw new Error(`expected line number ${last}, got ${number}`);
    const line = readContent(Changes, content);
    // The file includes this line.
    if (number <= file.start) return;
    group.push(line);
    if (line.more) return;
    for (const each of group) loader.load(currentLine(format, each), place);
    group = [];
    at = line.at;
  });
  try {
    loader.checkRest();
  } catch (error) {
    throw new StateError('log', (error as Error).message);
  }
  if (rest !== '' && readLine(files, rest.slice(0, -1))) {
    throw new StateError('log', `line ${lines + 1}: is damaged`);
  }
  if (lines === 0 && !isHalfLine(rest)) throw new StateError('log', noStateReason(rest));
  if (rest !== '' || group.length > 0) {
    warn('the last line of its log is incomplete; that change was not made');
  }
  if (last === undefined) return undefined;
  return { last, isTorn: group.length > 0, isFormer: format !== FORMAT, at };
}
