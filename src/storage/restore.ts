import type { z } from '@hono/zod-openapi';
import type { MerchantStore } from '../control/merchant-store.ts';
import { type Time, takeTurn } from '../world/clock.ts';
import type { Instant } from '../world/time.ts';
import { type Part, StateError, type StateFiles } from './files.ts';
import {
  Changes,
  FileEnd,
  FileHeader,
  FORMAT,
  isHalfLine,
  isOurs,
  LogHeader,
  type ReadLine,
  Row,
  readContent,
  readLine,
} from './lines.ts';
import { createLoader, type Loader } from './loader.ts';

/** How far a state has come. */
export interface Standing {
  readonly id: string;
  /** The number of the last line of its log. */
  readonly lastLine: number;
  /** Whether the sandbox ended without a save. */
  readonly isUnclean: boolean;
  /** Whether the log ends with some of the lines that count together: nothing may be added behind them. */
  readonly isTorn: boolean;
}

/**
 * Puts what files hold into a sandbox: the rows of the file, then what every line of the log changed. Undefined where
 * there is none. Throws `StateError`; the files are as they were then.
 *
 * @param warn takes a line for whoever runs the sandbox
 */
export async function restoreState(
  store: MerchantStore,
  files: StateFiles,
  warn: (line: string) => void,
): Promise<Standing | undefined> {
  if (!files.exists('file')) {
    if (files.size('log') === 0) return undefined;
    throw new StateError(
      'log',
      'holds changes of a state whose file is not there; put that back to keep them, or remove the log',
    );
  }
  const loader = createLoader(store);
  const file = await readFile(store, files, loader);
  const log = await readLog(store, files, loader, file, warn);
  const isWhole = log ? log.last >= file.end : file.end === file.start;
  if (!isWhole) throw new StateError('log', `lacks lines that the file needs: up to ${file.end}`);
  try {
    loader.finish();
  } catch (error) {
    throw new StateError('file', (error as Error).message);
  }
  const { last = file.end, isTorn = false } = log ?? {};
  return { id: file.id, lastLine: last, isUnclean: log !== undefined, isTorn };
}

/** Of which lines of its log a file holds the outcome: of all to `start`, and of some to `end`. */
interface FileStanding {
  readonly id: string;
  readonly start: number;
  readonly end: number;
}

async function readFile(
  { time }: MerchantStore,
  files: StateFiles,
  loader: Loader,
): Promise<FileStanding> {
  let header: z.output<typeof FileHeader> | undefined;
  let end: z.output<typeof FileEnd> | undefined;
  const { rest, lines } = await readEach(files, 'file', ({ number, content }, place) => {
    if (number !== place) throw new Error(`is line ${number} of another file, or was moved`);
    if (end) throw new Error('stands behind the end');
    if (!header) header = readHeader(FileHeader, content);
    else if (isEnd(content)) end = readContent(FileEnd, content);
    else loader.load(readContent(Row, content));
  });
  if (!header) throw new StateError('file', noStateReason(rest));
  if (rest !== '' || !end) {
    const where = rest === '' ? `after line ${lines}` : `within line ${lines + 1}`;
    throw new StateError('file', `ends ${where}: a part of it is missing`);
  }
  reachTime(time, end.at);
  return { id: header.id, start: header.log_lines, end: end.log_lines };
}

const isEnd = (content: unknown): boolean => Object.hasOwn(content as object, 'end');

/** How far the log goes; undefined where it has no whole line. */
interface LogStanding {
  /** The number of its last line. */
  readonly last: number;
  readonly isTorn: boolean;
}

async function readLog(
  { time }: MerchantStore,
  files: StateFiles,
  loader: Loader,
  file: FileStanding,
  warn: (line: string) => void,
): Promise<LogStanding | undefined> {
  if (!files.exists('log')) return undefined;
  let last: number | undefined;
  let group: z.output<typeof Changes>[] = [];
  const { rest, lines } = await readEach(files, 'log', ({ number, content }, place) => {
    if (last === undefined) {
      const { id, at } = readHeader(LogHeader, content);
      if (id !== file.id) throw new Error('is of another state');
      reachTime(time, at);
      if (number > file.start) throw new Error(`lines before it are missing: from ${file.start}`);
      last = number;
      return;
    }
    last += 1;
    if (number !== last) throw new Error(`expected line number ${last}, got ${number}`);
    const line = readContent(Changes, content);
    reachTime(time, line.at);
    // What the file holds already is not loaded once more.
    if (number <= file.start) return;
    group.push(line);
    if (line.more) return;
    for (const each of group) loader.load(each, place);
    group = [];
  });
  try {
    loader.checkRest();
  } catch (error) {
    throw new StateError('log', (error as Error).message);
  }
  if (rest !== '' && readLine(files, rest.slice(0, -1))) {
    throw new StateError('log', `line ${lines + 1}: is broken`);
  }
  if (lines === 0 && !isHalfLine(rest)) throw new StateError('log', noStateReason(rest));
  if (rest !== '' || group.length > 0) {
    warn('the last line of its log is there by half: that change was not made');
  }
  return last === undefined ? undefined : { last, isTorn: group.length > 0 };
}

/** The time that was shown once does not come again. */
function reachTime(time: Time, at: Instant): void {
  time.latest = Math.max(time.latest, at);
}

const NO_STATE = 'is not a state that this sandbox wrote';

/** Why a text that begins a file is no line of ours. */
function noStateReason(text: string): string {
  return formerFormat(text) ?? (isOurs(text) ? 'line 1: is broken' : NO_STATE);
}

/**
 * Reads the lines of a file in turns with other work. Answers how many there are, and what stands behind them. Throws
 * `StateError` with the place.
 */
async function readEach(
  files: StateFiles,
  part: Part,
  take: (line: ReadLine, place: number) => void,
): Promise<{ readonly rest: string; readonly lines: number }> {
  let place = 0;
  const batches = files.read(part);
  for (;;) {
    const { done, value } = await batches.next();
    if (done) return { rest: value, lines: place };
    for (const text of value) {
      place += 1;
      try {
        const line = readLine(files, text);
        if (line) take(line, place);
        else throw new Error('is broken');
      } catch (error) {
        const isForeign = place === 1 && !isOurs(text);
        const why = `line ${place}: ${(error as Error).message}`;
        throw new StateError(part, isForeign ? noStateReason(text) : why);
      }
    }
    await takeTurn();
  }
}

/** Says of a first line that it is of another format; undefined where it is of none. */
function readHeader<Header extends z.ZodType>(schema: Header, content: unknown): z.output<Header> {
  const { state, format } = content as Partial<Record<string, unknown>>;
  if (typeof state === 'string' && typeof format === 'number' && format !== FORMAT) {
    throw new Error(
      `was written in format ${format}, by another version; this one reads format ${FORMAT} alone`,
    );
  }
  return readContent(schema, content);
}

/** What version 0.1.0 wrote: one document, and a log of calls. */
function formerFormat(text: string): string | undefined {
  const isDocument = /^\s*\{\s*"version":\s*1,\s*"(log|sandbox)":/.test(text);
  const isLog = /^\{"log":1,"id":"/.test(text);
  if (!isDocument && !isLog) return undefined;
  const program = isLog ? /"program":"([^"]*)"/.exec(text)?.[1] : undefined;
  return `was written by version ${program ?? '0.1.0 or earlier'}, in a format that this one does not read`;
}
