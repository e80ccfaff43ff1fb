import type { OpenSandbox } from '../open-sandbox.ts';
import { StateError } from '../storage/files.ts';
import { keepState } from '../storage/keep.ts';
import { FileError } from './errors.ts';
import { requireWritableFolder } from './files.ts';
import { followLinks } from './state-disk.ts';
import { openStateFile } from './state-file.ts';
import { lockFile } from './state-lock.ts';

/** The state of a sandbox that is kept in a file. */
export interface KeptState {
  /** Writes all of it, and lets the file go. Throws `FileError` where it can't be written; nothing is lost then. */
  save(): Promise<void>;
  /** Lets the file go as it is. */
  release(): Promise<void>;
}

/**
 * Makes a sandbox what a file and its log hold, if they are there, and keeps it in them from then on. Throws
 * `FileError`, with both as they were, where that can't be.
 */
export async function keepStateIn(
  path: string,
  { store }: OpenSandbox,
  warn: (line: string) => void,
): Promise<KeptState> {
  const file = followLinks(path);
  requireWritableFolder(file);
  const unlock = await lockFile(file, warn);
  try {
    const place = openStateFile(file);
    const release = async () => {
      // What is changed from here on is kept nowhere.
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
            const why = error instanceof Error ? error.message : String(error);
            throw new FileError(file, `could not be saved; it and its log are complete: ${why}`);
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
