/* Writes a state: every change into the log before its call is answered, and checkpoints into the file. */

import type { Storage } from '../world/kept-worlds.ts';
import { NotStoredError } from '../world/tables.ts';
import { headerLine, type StateFiles, type StoredLine, textOf } from './lines.ts';
import type { StatePosition } from './read-state.ts';

/** What is stored. */
interface Source {
  /** The time of the sandbox. */
  now(): number;
  /** Everything as it is now, whatever changes later. */
  checkpoint(): Checkpoint;
}

export interface Checkpoint {
  readonly lines: readonly StoredLine[];
  /** Called when they are in the file. */
  onSaved(): void;
}

export interface StateLog extends Storage {
  /** Begins a log. Throws if it can't be written. */
  begin(): void;
  /** Writes a checkpoint, and removes from the log what it includes. Other calls go on meanwhile. */
  save(): Promise<void>;
  /** Writes the last checkpoint and empties the log. */
  end(): Promise<void>;
}

/**
 * Creates the log of a state.
 *
 * @param position where it was left; undefined for a new state
 * @param warn prints a warning
 */
export function createLog(
  files: StateFiles,
  { now, checkpoint }: Source,
  position: StatePosition | undefined,
  warn: (line: string) => void,
): StateLog {
  const id = position?.id ?? files.newId();
  /** The number of lines that the log ever had. */
  let logged = position?.logged ?? 0;
  /** Why the last line could not be stored. */
  let failure: string | undefined;
  let saving: Promise<void> | undefined;
  let isWanted = false;
  /** The size of the log that triggers a save. After a failed save it is higher, so that the next waits. */
  let savedFrom = files.maxLogBytes;
  /** Why the last save failed; undefined if it did not. */
  let saveFailure: string | undefined;

  const header = (logged: number): string => headerLine({ id, logged, at: now() });

  const save = async (isLast = false): Promise<void> => {
    const bytes = files.size('log');
    const included = logged;
    const { lines, onSaved } = checkpoint();
    await files.replaceFile(fileOf(lines, included));
    onSaved();
    const isAll = isLast && logged === included;
    await files.cutLog(bytes, isAll ? '' : header(included));
    savedFrom = files.maxLogBytes;
    saveFailure = undefined;
  };

  function* fileOf(lines: readonly StoredLine[], included: number): Generator<string, void> {
    yield headerLine({ id, logged: included, at: now(), lines: lines.length });
    for (const line of lines) yield textOf(line);
  }

  const described = ({ message }: Error): string =>
    `could not save a checkpoint; the file and its log are complete: ${message}`;

  const requestSave = (): void => {
    isWanted = true;
    if (saving) return;
    saving = Promise.resolve()
      .then(() => {
        isWanted = false;
        return save();
      })
      .catch((error: Error) => {
        savedFrom = files.size('log') + files.maxLogBytes;
        const before = saveFailure;
        saveFailure = described(error);
        if (saveFailure !== before) warn(saveFailure);
      })
      .finally(() => {
        saving = undefined;
        if (isWanted) requestSave();
      });
  };

  return {
    write(lines) {
      const at = now();
      const stored = lines.map((line): StoredLine => ({ at, ...line }));
      const head = files.size('log') === 0 ? header(logged) : '';
      try {
        files.append(head + textOf(stored.length === 1 ? (stored[0] as StoredLine) : stored));
        failure = undefined;
      } catch (error) {
        failure = `The change could not be saved, so it was not made: ${(error as Error).message}`;
        throw new NotStoredError(failure);
      }
      logged += 1;
      const size = files.size('log');
      // A running save shortens the log. The size of the file is asked for last, because that reads the disk.
      if (size > savedFrom && !saving && size > files.size('file')) requestSave();
    },
    requestSave,
    problem() {
      try {
        if (failure !== undefined) files.tryAppend();
        failure = undefined;
      } catch (error) {
        failure = (error as Error).message;
      }
      return failure;
    },
    begin() {
      if (files.size('log') === 0) files.append(header(logged));
      else files.tryAppend();
    },
    save,
    async end() {
      while (saving) {
        // The last save below covers every request.
        isWanted = false;
        await saving;
      }
      // Set before it begins, so that no other save starts.
      saving = Promise.resolve()
        .then(() => save(true))
        .catch((error: Error) => {
          throw new Error(described(error), { cause: error });
        });
      await saving;
    },
  };
}
