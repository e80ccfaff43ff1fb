/* What is done with the files of a state, a step each. */

import { randomBytes } from 'node:crypto';
import {
  accessSync,
  constants,
  createReadStream,
  lstatSync,
  openSync,
  readdirSync,
  readlinkSync,
  readSync,
  realpathSync,
  rmSync,
  type Stats,
  statSync,
  writeSync,
} from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { FileError } from './errors.ts';

export const OWNER_ONLY = 0o600;
/** How much is read, and copied, at once. */
export const PIECE_BYTES = 1024 * 1024;
/** How many characters are made and written at once; making them takes longer than reading or copying. */
const PIECE_LENGTH = 256 * 1024;
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
export function statOf(path: string, read: typeof statSync | typeof lstatSync = statSync) {
  try {
    return read(path);
  } catch {
    return undefined;
  }
}

export const isSameFile = (one: Stats | undefined, other: Stats | undefined): boolean =>
  one !== undefined && one.ino === other?.ino && one.dev === other.dev;

/** Times are not compared: some mounts round them later on. */
export const isUnchanged = (one: Stats | undefined, other: Stats | undefined): boolean =>
  isSameFile(one, other) && one?.size === other?.size;

/** Joins short texts to pieces that are worth a write. */
export function* inPieces(texts: Iterable<string>): Generator<string, void> {
  let piece = '';
  for (const text of texts) {
    piece += text;
    if (piece.length < PIECE_LENGTH) continue;
    yield piece;
    piece = '';
  }
  if (piece !== '') yield piece;
}

/** The lines of a file, many at a time; answers what stands behind the last end of one, which may end within a letter. */
export async function* readLines(path: string): AsyncGenerator<readonly string[], Buffer> {
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
    // No state begins with a line of this length: it need not be read to its end.
    if (!isBegun && length > PIECE_BYTES) break;
  }
  return Buffer.concat(rest);
}

const NEWLINE = 10;

const textOf = (pieces: readonly Buffer[]): string =>
  pieces.length === 1 ? (pieces[0] as Buffer).toString() : Buffer.concat(pieces).toString();

/** Throws `FileError` where something is there that is no file, or can't be read. */
export function requireFile(path: string): void {
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

export function openLog(log: string): number {
  try {
    return openSync(log, constants.O_RDWR | constants.O_CREAT, OWNER_ONLY);
  } catch (error) {
    throw new FileError(log, reasonOf(error));
  }
}

export const openFresh = (fresh: string): number =>
  openSync(fresh, constants.O_RDWR | constants.O_CREAT | constants.O_EXCL, OWNER_ONLY);

/** The name of a file that is to take the place of another. */
export const freshName = (file: string): string => `${file}.${randomBytes(8).toString('hex')}.tmp`;

/** Removes what a program left that was killed while it wrote. Only who has the lock may. */
export function removeLeftovers(file: string): void {
  const start = `${basename(file)}.`;
  for (const name of readdirSync(dirname(file))) {
    if (!name.startsWith(start) || !/^[0-9a-f]+\.tmp$/.test(name.slice(start.length))) continue;
    rmSync(join(dirname(file), name), { force: true });
  }
}

export function writeWhole(handle: number, bytes: Buffer, position: number): number {
  let written = 0;
  while (written < bytes.length) {
    written += writeSync(handle, bytes, written, bytes.length - written, position + written);
  }
  return written;
}

/** Copies part of a file to a place in another; returns how many bytes. */
export function copy(
  source: number,
  target: number,
  from: number,
  to: number,
  position: number,
): number {
  const bytes = Buffer.alloc(to - from);
  const count = readSync(source, bytes, 0, bytes.length, from);
  return writeWhole(target, bytes.subarray(0, count), position);
}

export function reasonOf(error: unknown): string {
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
