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
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { crc32 } from 'node:zlib';
import type { Part, StateFiles } from '../storage/lines.ts';
import { atOnce, runCooperatively, takeTurn } from '../world/clock.ts';
import { FileError, fileProblem } from './errors.ts';
import { isTemporary, temporaryPath } from './state-names.ts';

const OWNER_ONLY = 0o600;
/** Bytes to read or copy at once. */
const PIECE_BYTES = 1024 * 1024;
/** Characters to format and write at once; fewer, because formatting takes longer than copying. */
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
  requireFile(file);
  requireFile(log);
  removeLeftovers(file);
  const hadLog = statOf(log) !== undefined;
  let handle = openLog(log);
  let size = fstatSync(handle).size;
  let saved = statOf(file);
  /** The new file while it replaces the old one. */
  let renewed: Stats | undefined;
  /** Whether the log may end in half a line. */
  let isTorn = false;
  /** How often another program emptied the log. */
  let emptied = 0;
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

  const append = (lines: Iterable<string>): void => {
    try {
      requireOpen();
      if (isTorn) truncate(size);
      isTorn = true;
      let written = 0;
      for (const text of inPieces(lines)) {
        written += writeBytes(handle, Buffer.from(text), size + written);
      }
      isTorn = false;
      isBegun = true;
      size += written;
    } catch (error) {
      throw new FileError(log, fileProblem(error, 'written'));
    }
  };

  /** Replaces the log with a first line and the old log from `from` on. */
  function* renewLog(from: number, firstLine: string): Generator<void, void> {
    const fresh = temporaryPath(file);
    const emptiedBefore = emptied;
    let target: number | undefined;
    try {
      requireOpen();
      target = openFresh(fresh);
      let written = writeBytes(target, Buffer.from(firstLine), 0);
      // Lines may be appended during the copy, so the last piece is copied without a pause.
      for (let at = from; at < size; at += PIECE_BYTES) {
        written += copy(handle, target, at, Math.min(at + PIECE_BYTES, size), written);
        if (at + PIECE_BYTES < size) yield;
        requireOpen();
        if (emptied !== emptiedBefore) throw new Error('another program emptied the log');
      }
      renameSync(fresh, log);
      // Closing deletes the old log, which is slow if it is large.
      closeInBackground(handle);
      handle = target;
      size = written;
      isTorn = false;
    } catch (error) {
      if (target !== undefined) closeSync(target);
      rmSync(fresh, { force: true });
      throw new FileError(log, fileProblem(error, 'written'));
    }
  }

  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    closeSync(handle);
    // A start that was refused leaves a missing log missing.
    if (!hadLog && !isBegun && size === 0) rmSync(log, { force: true });
  };

  return {
    file,
    log,
    maxLogBytes: 16 * 1024 * 1024,
    exists: (part) => (part === 'file' ? saved !== undefined : hadLog),
    size: (part) => (part === 'file' ? (saved?.size ?? 0) : size),

    async *read(part) {
      const rest = yield* readLines(part === 'file' ? file : log);
      if (part === 'log' && rest.length > 0) {
        isTorn = true;
        size -= rest.length;
      }
      return rest.toString();
    },

    append,
    tryAppend() {
      const before = size;
      append([PROBE]);
      truncate(before);
    },

    async replaceFile(pieces) {
      const fresh = temporaryPath(file);
      try {
        // Not only after everything is written.
        requireFile(file);
        const target = await open(fresh, 'wx', OWNER_ONLY);
        try {
          for (const piece of inPieces(pieces)) {
            await target.appendFile(piece);
            await takeTurn();
          }
          await target.sync();
          renewed = await target.stat();
        } finally {
          await target.close();
        }
        requireOpen();
        // Deleting a large old file is slow.
        await rename(fresh, file);
        saved = renewed;
      } catch (error) {
        await rm(fresh, { force: true });
        if (error instanceof FileError) throw error;
        throw new FileError(file, fileProblem(error, 'written'));
      } finally {
        renewed = undefined;
      }
    },

    overwriteEnd(line) {
      const found = statOf(file);
      if (!found || !isUnchanged(found, saved)) throw new FileError(file, 'is another file');
      const bytes = Buffer.from(line);
      const target = openSync(file, constants.O_RDWR);
      try {
        writeBytes(target, bytes, found.size - bytes.length);
      } finally {
        closeSync(target);
      }
    },

    async cutLog(bytes, firstLine) {
      if (firstLine === '' && size === bytes) truncate(0);
      else await runCooperatively(renewLog(bytes, firstLine));
    },

    findLost() {
      requireOpen();
      const lost: Part[] = [];
      const opened = fstatSync(handle);
      if (!isSameFile(statOf(log), opened)) {
        atOnce(renewLog(0, ''));
        lost.push('log');
      } else if (opened.size < size) {
        emptied += 1;
        truncate(0);
        lost.push('log');
      }
      // The next append cuts what another program added.
      if (opened.size > size) isTorn = true;
      const found = statOf(file);
      if (!isUnchanged(found, saved) && !isUnchanged(found, renewed)) lost.push('file');
      return lost;
    },

    checksum: crc32,
    newId: () => randomBytes(8).toString('hex'),
    close,
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

const isSameFile = (one: Stats | undefined, other: Stats | undefined): boolean =>
  one !== undefined && one.ino === other?.ino && one.dev === other.dev;

/** Does not compare times: some mounts round them later. */
const isUnchanged = (one: Stats | undefined, other: Stats | undefined): boolean =>
  isSameFile(one, other) && one?.size === other?.size;

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

/** Reads lines in batches. Returns the bytes after the last line break, which may end within a character. */
async function* readLines(path: string): AsyncGenerator<readonly string[], Buffer> {
  let rest: Buffer[] = [];
  let length = 0;
  let isBegun = false;
  for await (const piece of createReadStream(path, { highWaterMark: PIECE_BYTES })) {
    const bytes = piece as Buffer;
    const end = bytes.lastIndexOf(NEWLINE) + 1;
    if (end > 0) {
      isBegun = true;
      yield textOf([...rest, bytes.subarray(0, end - 1)]).split('\n');
      rest = [];
      length = 0;
    }
    rest.push(bytes.subarray(end));
    length += bytes.length - end;
    // The first line of a state is never this long.
    if (!isBegun && length > PIECE_BYTES) break;
  }
  return Buffer.concat(rest);
}

const NEWLINE = 10;

const textOf = (pieces: readonly Buffer[]): string =>
  pieces.length === 1 ? (pieces[0] as Buffer).toString() : Buffer.concat(pieces).toString();

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

const openFresh = (fresh: string): number =>
  openSync(fresh, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, OWNER_ONLY);

/** Removes temporary files of a program that was killed. The caller must hold the lock. */
function removeLeftovers(file: string): void {
  for (const name of readdirSync(dirname(file))) {
    if (isTemporary(file, name)) rmSync(join(dirname(file), name), { force: true });
  }
}

function writeBytes(handle: number, bytes: Buffer, position: number): number {
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(handle, bytes, written, bytes.length - written, position + written);
  }
  return written;
}

/** Copies part of a file to a position in another file. Returns the number of bytes. */
function copy(source: number, target: number, from: number, to: number, position: number): number {
  const bytes = Buffer.alloc(to - from);
  const count = readSync(source, bytes, 0, bytes.length, from);
  return writeBytes(target, bytes.subarray(0, count), position);
}
