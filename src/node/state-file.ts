/* A state file and its log on disk: opening, appending, replacing. */

import { randomBytes } from 'node:crypto';
import {
  accessSync,
  close as closeInBackground,
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  ftruncateSync,
  type lstatSync,
  openSync,
  readSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import type { StateFiles, TextLine } from '../storage/lines.ts';
import { FileError, fileProblem } from './errors.ts';

const OWNER_ONLY = 0o600;
/** Bytes to read at once. */
const PIECE_BYTES = 1024 * 1024;
/** Characters to format and write at once. */
const PIECE_LENGTH = 256 * 1024;

/** A state file and its log. Only their owner can read them. */
export interface StateFile extends StateFiles {
  readonly file: string;
  readonly log: string;
  close(): void;
}

/** Written and removed to test whether the log can be written. */
const PROBE = ' '.repeat(4096);

/** Opens the file and its log. Throws `FileError` if one is not a file, or cannot be read or written. */
export function openStateFile(file: string): StateFile {
  const log = `${file}.log`;
  /** The next version of either. */
  const fresh = `${file}.tmp`;
  requireFile(file);
  requireFile(log);
  const hadLog = statOf(log) !== undefined;
  let handle = openLog(log);
  // A program that was killed may have left it. Nobody else writes it, because the caller holds the lock.
  rmSync(fresh, { force: true });
  let size = fstatSync(handle).size;
  /** Whether the log may end in what counts for nothing. */
  let isTorn = false;
  let isClosed = false;
  /** Whether anything was written to the log. */
  let isBegun = false;

  const truncate = (to: number): void => {
    isTorn = true;
    size = to;
    ftruncateSync(handle, to);
    isTorn = false;
  };

  /** After `close`, another sandbox may own the files, and the handle's number may be another file's. */
  const requireOpen = (): void => {
    if (isClosed) throw new Error('the file is closed');
  };

  const append = (text: string): void => {
    try {
      requireOpen();
      if (isTorn) truncate(size);
      isTorn = true;
      const written = writeBytes(handle, Buffer.from(text), size);
      isTorn = false;
      isBegun = true;
      size += written;
    } catch (error) {
      throw new FileError(log, fileProblem(error, 'written'));
    }
  };

  /** Replaces the log with a text and the old log from `from` on: the few lines that were added during a save. */
  const renewLog = (from: number, text: string): void => {
    let target: number | undefined;
    try {
      requireOpen();
      target = openSync(fresh, 'wx+', OWNER_ONLY);
      const start = writeBytes(target, Buffer.from(text), 0);
      const rest = Buffer.alloc(size - from);
      readSync(handle, rest, 0, rest.length, from);
      writeBytes(target, rest, start);
      renameSync(fresh, log);
      // Closing deletes the old log, which is slow if it is large.
      closeInBackground(handle);
      handle = target;
      size = start + rest.length;
      isTorn = false;
    } catch (error) {
      if (target !== undefined) closeSync(target);
      rmSync(fresh, { force: true });
      throw new FileError(log, fileProblem(error, 'written'));
    }
  };

  return {
    file,
    log,
    maxLogBytes: 16 * 1024 * 1024,
    size: (part) => (part === 'file' ? (statOf(file)?.size ?? 0) : size),
    read: (part) => readLines(part === 'file' ? file : log),
    append,
    tryAppend() {
      const before = size;
      append(PROBE);
      truncate(before);
    },

    async replaceFile(texts) {
      try {
        // Not only after everything is written.
        requireFile(file);
        const target = await open(fresh, 'wx', OWNER_ONLY);
        try {
          for (const piece of inPieces(texts)) {
            await target.appendFile(piece);
          }
          await target.sync();
        } finally {
          await target.close();
        }
        requireOpen();
        // Deleting a large old file is slow.
        await rename(fresh, file);
      } catch (error) {
        await rm(fresh, { force: true });
        if (error instanceof FileError) throw error;
        throw new FileError(file, fileProblem(error, 'written'));
      }
    },

    endLogAt(bytes) {
      size = bytes;
      isTorn = true;
    },

    async cutLog(bytes, text) {
      if (text === '' && size === bytes) truncate(0);
      else renewLog(bytes, text);
    },

    newId: () => randomBytes(8).toString('hex'),

    close() {
      if (isClosed) return;
      isClosed = true;
      closeSync(handle);
      // A start that was refused leaves a missing log missing.
      if (!hadLog && !isBegun && size === 0) rmSync(log, { force: true });
    },
  };
}

/** The stats of a path; undefined if it does not exist or cannot be read. */
export function statOf(path: string, read: typeof statSync | typeof lstatSync = statSync) {
  try {
    return read(path);
  } catch {
    return undefined;
  }
}

/** Joins short texts into pieces large enough for a write. */
function* inPieces(texts: Iterable<string>): Generator<string, void> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

const NEWLINE = 10;

/** Reads lines in batches. */
async function* readLines(path: string): AsyncGenerator<readonly TextLine[], void> {
  /** The beginning of the next line, and where it stands. */
  let rest: Buffer[] = [];
  let length = 0;
  let start = 0;
  for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES })) {
    const bytes = piece as Buffer;
    const lines: TextLine[] = [];
    let from = 0;
    for (let to = bytes.indexOf(NEWLINE); to >= 0; to = bytes.indexOf(NEWLINE, from)) {
      const text = Buffer.concat([...rest, bytes.subarray(from, to)]).toString();
      start += length + to + 1 - from;
      lines.push({ text, end: start, isWhole: true });
      [rest, length, from] = [[], 0, to + 1];
    }
    rest.push(bytes.subarray(from));
    length += bytes.length - from;
    yield lines;
    // The first line of a state is never this long.
    if (start === 0 && length > PIECE_BYTES) break;
  }
  if (length === 0) return;
  const text = Buffer.concat(rest).toString();
  yield [{ text, end: start + length, isWhole: false }];
}

/** Throws `FileError` if the path exists but is not a readable file. */
function requireFile(path: string): void {
  const found = statOf(path);
  if (!found) return;
  if (found.isDirectory()) throw new FileError(path, 'is a folder, not a file');
  if (!found.isFile()) throw new FileError(path, 'is not a regular file');
  try {
    accessSync(path, constants.R_OK);
  } catch {
    throw new FileError(path, 'cannot be read: permission denied');
  }
}

function openLog(log: string): number {
  try {
    return openSync(log, constants.O_RDWR | constants.O_CREAT, OWNER_ONLY);
  } catch (error) {
    throw new FileError(log, fileProblem(error, 'written'));
  }
}

function writeBytes(handle: number, bytes: Buffer, position: number): number {
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(handle, bytes, written, bytes.length - written, position + written);
  }
  return written;
}
