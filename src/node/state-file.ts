import { randomBytes } from 'node:crypto';
import {
  close as closeInBackground,
  closeSync,
  fstatSync,
  ftruncateSync,
  renameSync,
  rmSync,
  type Stats,
} from 'node:fs';
import { open, rename, rm } from 'node:fs/promises';
import { crc32 } from 'node:zlib';
import type { Part, StateFiles } from '../storage/files.ts';
import { atOnce, inTurns, takeTurn } from '../world/clock.ts';
import { FileError } from './errors.ts';
import {
  copy,
  freshName,
  inPieces,
  isSameFile,
  isUnchanged,
  OWNER_ONLY,
  openFresh,
  openLog,
  PIECE_BYTES,
  readLines,
  reasonOf,
  removeLeftovers,
  requireFile,
  statOf,
  writeWhole,
} from './state-disk.ts';

/** A state in a file, and its log in one beside it. Both are for their owner alone. */
export interface StateFile extends StateFiles {
  readonly file: string;
  readonly log: string;
  close(): void;
}

/** What is written, and taken back, to find out whether lines could be. */
const PROBE = ' '.repeat(4096);

/** Opens the two. Throws `FileError` where one is no file, or can't be read or written. */
export function openStateFile(file: string): StateFile {
  const log = `${file}.log`;
  requireFile(file);
  requireFile(log);
  removeLeftovers(file);
  let handle = openLog(log);
  let size = fstatSync(handle).size;
  let saved = statOf(file);
  /** What is about to take the place of the file, or has just done so. */
  let renewed: Stats | undefined;
  /** Whether there is more in the log than belongs there: a line by half. */
  let isTorn = false;
  /** How often another program emptied the log. */
  let emptied = 0;
  let isClosed = false;

  const truncate = (to: number): void => {
    isTorn = true;
    size = to;
    ftruncateSync(handle, to);
    isTorn = false;
  };

  /** What was closed may be another sandbox's by now, and the number of its handle another file's. */
  const requireOpen = (): void => {
    if (isClosed) throw new Error('is closed');
  };

  const append = (lines: Iterable<string>): void => {
    try {
      requireOpen();
      if (isTorn) truncate(size);
      isTorn = true;
      let written = 0;
      for (const text of inPieces(lines)) {
        written += writeWhole(handle, Buffer.from(text), size + written);
      }
      isTorn = false;
      size += written;
    } catch (error) {
      throw new FileError(log, reasonOf(error));
    }
  };

  /** Has a new log go on after a line, with what stands in the old one behind `from`. */
  function* renewLog(from: number, firstLine: string): Generator<void, void> {
    const fresh = freshName(file);
    const emptiedBefore = emptied;
    let target: number | undefined;
    try {
      requireOpen();
      target = openFresh(fresh);
      let written = writeWhole(target, Buffer.from(firstLine), 0);
      // Lines go on coming while the rest is copied; the last of it is copied before another can come.
      for (let at = from; at < size; at += PIECE_BYTES) {
        written += copy(handle, target, at, Math.min(at + PIECE_BYTES, size), written);
        if (at + PIECE_BYTES < size) yield;
        requireOpen();
        if (emptied !== emptiedBefore) throw new Error('was emptied meanwhile');
      }
      renameSync(fresh, log);
      // With it the old one is let go, which takes a while where it is large.
      closeInBackground(handle);
      handle = target;
      size = written;
      isTorn = false;
    } catch (error) {
      if (target !== undefined) closeSync(target);
      rmSync(fresh, { force: true });
      throw new FileError(log, reasonOf(error));
    }
  }

  const close = (): void => {
    if (isClosed) return;
    isClosed = true;
    closeSync(handle);
  };

  return {
    file,
    log,
    maxLogBytes: 16 * 1024 * 1024,
    exists: (part) => (part === 'file' ? saved !== undefined : size > 0),
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
      const fresh = freshName(file);
      try {
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
        // Letting a large file go takes a while.
        await rename(fresh, file);
        saved = renewed;
      } catch (error) {
        await rm(fresh, { force: true });
        throw new FileError(file, reasonOf(error));
      } finally {
        renewed = undefined;
      }
    },

    async cutLog(bytes, firstLine) {
      if (firstLine === '' && size === bytes) truncate(0);
      else await inTurns(renewLog(bytes, firstLine));
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
      // What another program added goes with the next line.
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
