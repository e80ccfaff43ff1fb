/* Opens a state file for one sandbox alone: locks it, restores it, and saves changes there. */

import { createHash } from 'node:crypto';
import { type BigIntStats, lstatSync, readlinkSync, realpathSync, unlinkSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, dirname, join, resolve } from 'node:path';
import { keepState } from '../control/stored-worlds.ts';
import type { SandboxCore } from '../sandbox/core.ts';
import { StateError } from '../storage/lines.ts';
import { sleepUnmocked } from '../world/clock.ts';
import { FileError } from './errors.ts';
import { requireWritableFolder } from './files.ts';
import { openStateFile, statOf } from './state-file.ts';

/** The state of a sandbox that is kept in a file. */
export interface OpenStateFile {
  /** Saves everything and releases the file. If that fails, throws `FileError` with what is lost, if anything. */
  save(): Promise<void>;
  /** Releases the file without saving. */
  release(): Promise<void>;
}

/**
 * Restores a sandbox from a file and its log, if they exist, and saves its changes there. On failure throws `FileError`
 * and leaves both files untouched.
 */
export async function keepStateIn(
  path: string,
  { store }: Pick<SandboxCore, 'store'>,
  warn: (line: string) => void,
): Promise<OpenStateFile> {
  const file = followLinks(path);
  requireWritableFolder(file);
  const unlock = await lockFile(file, warn);
  try {
    const place = openStateFile(file);
    const release = async () => {
      store.storage = undefined;
      place.close();
      await unlock();
    };
    try {
      const kept = await keepState(store, place, (line) => warn(`${file}: ${line}`));
      return {
        release,
        async save() {
          try {
            await kept.save();
          } catch (error) {
            throw new FileError(file, (error as Error).message);
          } finally {
            await release();
          }
        },
      };
    } catch (error) {
      place.close();
      if (!(error instanceof StateError)) throw error;
      throw new FileError(error.part === 'log' ? place.log : file, error.message);
    }
  } catch (error) {
    await unlock();
    throw error;
  }
}

/**
 * Resolves symbolic links, even to a file that does not exist yet. Throws `FileError` for a link to itself.
 */
function followLinks(path: string): string {
  const whole = resolve(path);
  try {
    return realpathSync(whole);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ELOOP') {
      throw new FileError(path, 'is a symbolic link to itself');
    }
  }
  if (statOf(whole, lstatSync)?.isSymbolicLink()) {
    return followLinks(resolve(dirname(whole), readlinkSync(whole)));
  }
  const folder = dirname(whole);
  return statOf(folder) ? join(realpathSync(folder), basename(whole)) : whole;
}

type Unlock = () => Promise<void>;

/**
 * Locks a file by listening on a socket next to it. A socket without a listener is stale: its program was killed. (A
 * file with a process id would not do: ids repeat in containers.) Throws `FileError` if another sandbox has the lock.
 */
async function lockFile(file: string, warn: (line: string) => void): Promise<Unlock> {
  const lock = lockOf(file);
  try {
    const server = await take(file, lock);
    return () => new Promise((resolve) => server.close(() => resolve()));
  } catch (error) {
    if (error instanceof FileError) throw error;
    // Some folders cannot hold sockets, such as those that a container shares with another system.
    warn(
      `${lock}: could not be created (${(error as NodeJS.ErrnoException).code}). Do not start another sandbox on ${basename(file)}: nothing prevents it.`,
    );
    return async () => undefined;
  }
}

/** The longest socket path that all systems accept. A longer one is cut without an error. */
const MAX_SOCKET_PATH = 100;

/** The path of a file's lock: next to it, or in the folder of temporary files if that path is too long. */
function lockOf(file: string): string {
  const lock = `${file}.lock`;
  if (Buffer.byteLength(lock) <= MAX_SOCKET_PATH) return lock;
  const digest = createHash('sha256').update(file).digest('hex').slice(0, 32);
  return join(tmpdir(), `${digest}.lock`);
}

const LISTENS_WITHIN_MS = 20;

async function take(file: string, lock: string): Promise<Server> {
  for (;;) {
    try {
      return await listen(lock);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
    const found = lstatSync(lock, { throwIfNoEntry: false, bigint: true });
    if (found && !found.isSocket()) throw new FileError(lock, 'is not a lock; remove it');
    if (await isAnswered(lock)) throw inUse(file);
    // A program that is just taking the lock has made its socket and listens in a moment.
    await sleepUnmocked(LISTENS_WITHIN_MS);
    if (await isAnswered(lock)) throw inUse(file);
    if (found) removeStale(file, lock, found);
  }
}

const inUse = (file: string): FileError =>
  new FileError(file, 'is in use by another sandbox. Stop that sandbox, or use another file.');

/**
 * Removes a socket that nobody listens on, unless another program has replaced it by its own. Nothing may wait between
 * the comparison and the removal.
 */
function removeStale(file: string, lock: string, stale: BigIntStats): void {
  const now = lstatSync(lock, { throwIfNoEntry: false, bigint: true });
  // Systems use the number of a removed file again, so the time of its creation counts too.
  if (now?.ino !== stale.ino || now.mtimeNs !== stale.mtimeNs) return;
  try {
    unlinkSync(lock);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw new FileError(file, `its lock could not be removed: ${(error as Error).message}`);
  }
}

function listen(path: string): Promise<Server> {
  return new Promise((resolve, reject) => {
    const server = createServer((connection) => connection.destroy());
    server.once('error', reject);
    server.listen(path, () => resolve(server.unref()));
  });
}

function isAnswered(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const connection = connect(path);
    connection.once('connect', () => {
      connection.destroy();
      resolve(true);
    });
    connection.once('error', ({ code }: NodeJS.ErrnoException) => {
      // Other errors may come from a busy listener, or from missing permission.
      resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT');
    });
  });
}
