import { randomBytes } from 'node:crypto';
import { closeSync, lstatSync, openSync, renameSync, rmSync } from 'node:fs';
import { connect, createServer, type Server } from 'node:net';
import { basename, dirname } from 'node:path';
import { FileError } from './errors.ts';

/** Gives a lock back. */
export type Unlock = () => Promise<void>;

/** The longest path that every system takes for a socket. */
const MAX_SOCKET_PATH = 100;

/**
 * Takes a file for this process alone, by a socket beside it that is listened on. One that nobody answers on
 * was left by a program that was killed; a number of a process would tell nothing, as in containers all have
 * the same. Throws `FileError` where another sandbox has the file.
 */
export async function lockFile(file: string, warn: (line: string) => void): Promise<Unlock> {
  const socket = `${file}.lock`;
  const { path, release } = shortPath(socket);
  try {
    const server = await take(file, socket, path);
    return async () => {
      await new Promise<void>((resolve) => server.close(() => resolve()));
      release();
    };
  } catch (error) {
    release();
    if (error instanceof FileError) throw error;
    // Some folders, such as those that a container shares with another system, hold no sockets.
    warn(
      `${socket}: can't be made (${(error as NodeJS.ErrnoException).code}), so that nothing keeps another sandbox off ${basename(file)}`,
    );
    return async () => undefined;
  }
}

async function take(file: string, socket: string, path: string): Promise<Server> {
  for (;;) {
    try {
      return await listen(path);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
    }
    const found = lstatSync(socket, { throwIfNoEntry: false });
    if (found && !found.isSocket())
      throw new FileError(socket, 'is in the way of a lock; remove it');
    if (await isAnswered(path)) throw inUse(file);
    await removeStale(file, path);
  }
}

const inUse = (file: string): FileError =>
  new FileError(file, 'is in use by another sandbox; stop that one, or take another file');

/** Two may find the same stale socket: whoever took the new one of the other away puts it back. */
async function removeStale(file: string, path: string): Promise<void> {
  const aside = `${path}.${randomBytes(4).toString('hex')}`;
  try {
    renameSync(path, aside);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return;
    throw new FileError(file, `its lock can't be removed: ${(error as Error).message}`);
  }
  if (await isAnswered(aside)) {
    renameSync(aside, path);
    throw inUse(file);
  }
  rmSync(aside, { force: true });
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
      // Whoever is too busy to answer is there; who may not ask can't tell.
      resolve(code !== 'ECONNREFUSED' && code !== 'ENOENT');
    });
  });
}

/** A path to a socket that is short enough: where its own is not, one by way of its open folder. */
function shortPath(socket: string): { readonly path: string; release(): void } {
  if (Buffer.byteLength(socket) <= MAX_SOCKET_PATH || process.platform !== 'linux') {
    return { path: socket, release: () => undefined };
  }
  const folder = openSync(dirname(socket), 'r');
  return {
    path: `/proc/self/fd/${folder}/${basename(socket)}`,
    release: () => closeSync(folder),
  };
}
