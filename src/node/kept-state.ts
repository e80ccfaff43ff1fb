import type { OpenSandbox } from '../open-sandbox.ts';
import { keepState } from '../state/keep.ts';
import { StateError } from '../state/place.ts';
import { FileError, readJsonFile, requireWritableFolder } from './files.ts';
import { followLinks, openStateFile } from './state-file.ts';
import { lockFile } from './state-lock.ts';

const MAX_SHOWN_BYTES = 64 * 1024 * 1024;

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
  opened: OpenSandbox,
  warn: (line: string) => void,
): Promise<KeptState> {
  const file = followLinks(path);
  requireWritableFolder(file);
  const unlock = await lockFile(file, warn);
  try {
    const place = openStateFile(file);
    const release = async () => {
      // What is changed from here on is kept nowhere.
      opened.store.log = undefined;
      place.close();
      await unlock();
    };
    try {
      const kept = await keepState(opened, place, (line) => warn(`${place.log}: ${line}`));
      return {
        release,
        async save() {
          try {
            await kept.end();
          } catch (error) {
            const why = error instanceof Error ? error.message : String(error);
            throw new FileError(
              file,
              `the state could not be written anew, but it and its log hold all of it: ${why}`,
            );
          } finally {
            await release();
          }
        },
      };
    } catch (error) {
      place.close();
      if (!(error instanceof StateError)) throw error;
      // Of a document that people can look at, the line and the column are told.
      if (error.cause instanceof SyntaxError && place.documentSize() < MAX_SHOWN_BYTES) {
        readJsonFile(file);
      }
      throw new FileError(error.part === 'log' ? place.log : file, error.message);
    }
  } catch (error) {
    await unlock();
    throw error;
  }
}
