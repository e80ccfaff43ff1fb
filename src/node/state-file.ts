import { createHash, randomBytes } from 'node:crypto';
import {
  accessSync,
  close as closeInBackground,
  closeSync,
  constants,
  createReadStream,
  fstatSync,
  ftruncateSync,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  writeSync,
} from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { nextTurn } from '../core/clock.ts';
import type { StatePlace } from '../state/place.ts';
import { FileError } from './files.ts';

/** A state in a file, and its log in one beside it. Both are for their owner alone. */
export interface StateFile extends StatePlace {
  readonly file: string;
  readonly log: string;
  close(): void;
}

const OWNER_ONLY = 0o600;
/** How much is read at once. */
const PIECE_BYTES = 256 * 1024;
/** What is written, and taken back, to find out whether lines could be. */
const PROBE = ' '.repeat(4096);

/** How many links one may lead to by way of another. */
const MAX_LINKS = 40;

/**
 * The file that a path means: symbolic links are followed, also to a file that is not there yet. Throws
 * `FileError` where they lead nowhere.
 */
export function followLinks(path: string, links = MAX_LINKS): string {
  const whole = resolve(path);
  if (statOf(whole)) return realpathSync(whole);
  if (statOf(whole, lstatSync)?.isSymbolicLink()) {
    if (links === 0) throw new FileError(path, 'is a symbolic link that leads to itself');
    return followLinks(resolve(dirname(whole), readlinkSync(whole)), links - 1);
  }
  const folder = dirname(whole);
  return statOf(folder) ? join(realpathSync(folder), basename(whole)) : whole;
}

/** What is there; undefined where nothing is, or nothing can be. */
function statOf(path: string, read: typeof statSync | typeof lstatSync = statSync) {
  try {
    return read(path);
  } catch {
    return undefined;
  }
}

/** Opens the two. Throws `FileError` where one is no file, or can't be read or written. */
export function openStateFile(file: string): StateFile {
  const log = `${file}.log`;
  requireFile(file);
  requireFile(log);
  removeLeftovers(file);
  let handle = openLog(log);
  let size = fstatSync(handle).size;
  let documentSize = statOf(file)?.size ?? 0;
  /** Whether there is more in the log than belongs there: a line by half. */
  let isTorn = false;
  let isClosed = false;

  const append = (text: string): void => {
    // Another file may have the number of a handle that was closed.
    if (isClosed) throw new FileError(log, 'is closed');
    const bytes = Buffer.from(text);
    try {
      if (isTorn) ftruncateSync(handle, size);
      isTorn = true;
      writeWhole(handle, bytes, size);
      isTorn = false;
    } catch (error) {
      throw new FileError(log, reasonOf(error));
    }
    size += bytes.length;
  };

  const takeBack = (to: number): void => {
    size = to;
    isTorn = true;
    ftruncateSync(handle, size);
    isTorn = false;
  };

  return {
    file,
    log,
    maxLogBytes: 16 * 1024 * 1024,
    outlivesProgram: false,
    readDocument: () =>
      statOf(file) ? createReadStream(file, { highWaterMark: PIECE_BYTES }) : undefined,

    async *readLog() {
      let rest = '';
      let read = 0;
      size = 0;
      const utf8 = new TextDecoder();
      for await (const piece of createReadStream(log, { highWaterMark: PIECE_BYTES })) {
        const end = (piece as Buffer).lastIndexOf('\n');
        if (end !== -1) size = read + end + 1;
        read += (piece as Buffer).length;
        const lines = (rest + utf8.decode(piece as Buffer, { stream: true })).split('\n');
        rest = lines.pop() as string;
        yield* lines;
      }
      isTorn = read > size;
      return { isTorn };
    },

    append,
    tryAppend() {
      const before = size;
      append(PROBE);
      takeBack(before);
    },
    documentSize: () => documentSize,
    logSize: () => size,

    async replaceDocument(pieces) {
      const fresh = freshName(file);
      try {
        const target = await open(fresh, 'wx', OWNER_ONLY);
        try {
          for (const piece of pieces) await target.appendFile(piece);
          await target.sync();
          documentSize = (await target.stat()).size;
        } finally {
          await target.close();
        }
        // Letting a large file go takes a while.
        await rename(fresh, file);
      } catch (error) {
        await rm(fresh, { force: true });
        throw new FileError(file, reasonOf(error));
      }
    },

    async cutLog(bytes, header) {
      if (size === bytes && bytes < PIECE_BYTES) return takeBack(0);
      const fresh = freshName(file);
      try {
        const target = openSync(
          fresh,
          constants.O_RDWR | constants.O_CREAT | constants.O_EXCL,
          OWNER_ONLY,
        );
        let written = size === bytes ? 0 : writeWhole(target, Buffer.from(header), 0);
        // Lines go on coming while the rest is copied; the last of it is copied before another can come.
        for (let from = bytes; from < size; from += PIECE_BYTES) {
          written += copy(handle, target, from, Math.min(from + PIECE_BYTES, size), written);
          if (from + PIECE_BYTES < size) await nextTurn();
        }
        renameSync(fresh, log);
        // With it the old one is let go, which takes a while where it is large.
        closeInBackground(handle);
        handle = target;
        size = written;
      } catch (error) {
        rmSync(fresh, { force: true });
        throw new FileError(log, reasonOf(error));
      }
    },

    newId: () => randomBytes(8).toString('hex'),
    digest: (text) => createHash('sha256').update(text).digest('hex').slice(0, 16),
    close() {
      if (isClosed) return;
      isClosed = true;
      closeSync(handle);
    },
  };
}

/** Throws `FileError` where something is there that is no file, or can't be read. */
function requireFile(path: string): void {
  const found = statOf(path);
  if (!found) return;
  if (found.isDirectory()) throw new FileError(path, 'is a folder, not a file');
  if (!found.isFile()) throw new FileError(path, 'is no ordinary file');
  try {
    accessSync(path, constants.R_OK);
  } catch {
    throw new FileError(path, 'may not be read by this user');
  }
}

function openLog(log: string): number {
  try {
    return openSync(log, constants.O_RDWR | constants.O_CREAT, OWNER_ONLY);
  } catch (error) {
    throw new FileError(log, reasonOf(error));
  }
}

/** The name of a file that is to take the place of another. */
const freshName = (file: string): string => `${file}.${randomBytes(8).toString('hex')}.tmp`;

/** Removes what a program left that was killed while it wrote. Only who has the lock may. */
function removeLeftovers(file: string): void {
  const start = `${basename(file)}.`;
  for (const name of readdirSync(dirname(file))) {
    if (!name.startsWith(start) || !/^[0-9a-f]+\.tmp$/.test(name.slice(start.length))) continue;
    rmSync(join(dirname(file), name), { force: true });
  }
}

function writeWhole(handle: number, bytes: Buffer, position: number): number {
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(handle, bytes, written, bytes.length - written, position + written);
  }
  return written;
}

/** Copies part of a file to a place in another; returns how many bytes. */
function copy(source: number, target: number, from: number, to: number, position: number): number {
  const bytes = Buffer.alloc(to - from);
  const count = readSync(source, bytes, 0, bytes.length, from);
  return writeWhole(target, bytes.subarray(0, count), position);
}

function reasonOf(error: unknown): string {
  const { code, message } = error as NodeJS.ErrnoException;
  switch (code) {
    case 'ENOSPC':
    case 'EDQUOT':
      return 'there is no space left to write it';
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
      return 'may not be written by this user';
    default:
      return message;
  }
}
