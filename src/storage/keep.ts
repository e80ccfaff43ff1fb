/* Keeps a sandbox in a state file and its log: restores it, stores changes, saves checkpoints. */

import { followFixtures } from '../control/fixture-change.ts';
import type { MerchantAccount, MerchantStore } from '../control/merchant-store.ts';
import type { World } from '../products/world.ts';
import { attachStorage, type Storage, startRun } from '../world/kept-worlds.ts';
import { SANDBOX_TABLES } from '../world/merchants.ts';
import { type Change, NotStoredError, rowsOf } from '../world/tables.ts';
import {
  fileEnd,
  fileHeader,
  inOneGroup,
  type LastLine,
  logHeader,
  type Part,
  type StateFiles,
  writeLine,
} from './lines.ts';
import { restoreState, type StatePosition } from './restore.ts';
import { SAVED_VALUES, savedRows } from './rows.ts';

/** A state that is stored in files. */
export interface KeptState {
  /** Writes a last checkpoint and empties the log. */
  save(): Promise<void>;
}

/**
 * Restores a sandbox from its files, if they exist, and stores its changes in them from now on. Throws `StateError` and
 * leaves the files as they were if they can't be used.
 *
 * @param warn prints a warning
 */
export async function keepState(
  store: MerchantStore,
  files: StateFiles,
  warn: (line: string) => void,
): Promise<KeptState> {
  const position = await restoreState(store, files, warn);
  const isChanged = followFixtures(store);
  const log = createLog(store, files, position, warn);
  if (isChanged || position?.isTorn || position?.isFormer) await log.save();
  // Fails now if the log can't be written, before there is anything to lose.
  log.begin();
  attachStorage(store, log);
  if (position?.isUnclean) store.tables.transact(() => startRun(store));
  return { save: log.end };
}

interface Log extends Storage {
  /** Writes the first line if the log is empty. An empty log means that the last stop saved everything. */
  begin(): void;
  save(): Promise<void>;
  end(): Promise<void>;
}

function createLog(
  store: MerchantStore,
  files: StateFiles,
  position: StatePosition | undefined,
  warn: (line: string) => void,
): Log {
  const { id = files.newId() } = position ?? {};
  let last = position?.lastLine ?? 0;
  /** The last line of the file. */
  let end: LastLine | undefined = position?.end;
  let failure: string | undefined;
  let saving: Promise<void> | undefined;
  let isWanted = false;
  /** The size of the log that triggers a save. After a failed save it is higher, so that the next waits. */
  let savedFrom = files.maxLogBytes;
  /** Why the last save failed; undefined if it did not. */
  let saveFailure: string | undefined;
  /** What another program took away, until a save has replaced it. */
  const lost = new Set<Part>();

  const { time } = store;
  const firstLine = (number: number): string =>
    writeLine(files, number, logHeader(id, time.latest));

  function* numbered(contents: Iterable<object>): Generator<string, void> {
    if (files.size('log') === 0) yield firstLine(last);
    for (const content of contents) {
      last += 1;
      yield writeLine(files, last, content);
    }
  }

  const append = (contents: Iterable<object>): void => {
    const before = last;
    try {
      recover();
      files.append(numbered(contents));
      failure = undefined;
    } catch (error) {
      last = before;
      failure = `The change could not be saved, so it was not made: ${(error as Error).message}`;
      throw new NotStoredError(failure);
    }
  };

  const recover = (): void => {
    for (const part of files.findLost()) {
      if (part === 'log' || !lost.has('file')) {
        warn(`the ${part} was removed, replaced or changed; writing it again`);
      }
      // A log that was only removed or replaced is whole again.
      const isLost = part === 'file' || files.size('log') === 0;
      if (isLost) lost.add(part);
      // A running save does not store what an emptied log held.
      if (isLost && part === 'log') requestSave();
    }
    if (lost.size > 0 && !saving) requestSave();
  };

  /** Says why a save failed, and what is lost. */
  const describeFailure = ({ message }: Error): string => {
    let taken: readonly Part[] = [];
    try {
      taken = files.findLost().filter((part) => part === 'file' || files.size('log') === 0);
    } catch {
      // The log was taken away, and there is no place for another one.
      taken = ['file', 'log'];
    }
    for (const part of taken) lost.add(part);
    const parts = [...lost].map((part) => (part === 'file' ? 'the file' : 'its log')).join(' and ');
    const state =
      parts === ''
        ? 'the file and its log are complete'
        : lost.size > 1
          ? `${parts} were removed, replaced or changed, and what was in them is lost`
          : `${parts} was removed, replaced or changed, and what was in it is lost`;
    return `could not save a checkpoint; ${state}: ${message}`;
  };

  const save = async (isLast = false): Promise<void> => {
    const worlds = worldsOf(store);
    recordNotes(worlds);
    const bytes = files.size('log');
    const from = last;
    // Taken at the same moment as the Worlds, so that every World has its merchant.
    const rows = [...rowsOf(store.tables)];
    const lostBefore = [...lost];
    let written: LastLine | undefined;
    function* lines(): Generator<string, void> {
      written = yield* fileLines(from, rows, worlds, isLast);
    }
    await files.replaceFile(lines());
    end = written;
    for (const part of [...lostBefore, 'file'] as const) lost.delete(part);
    for (const [merchant, world] of worlds) {
      if (merchant.hasWorld && merchant.world === world) merchant.keptWorld = world;
    }
    await files.cutLog(bytes, isLast && last === from ? '' : firstLine(from));
    noteLog();
    savedFrom = files.maxLogBytes;
    saveFailure = undefined;
  };

  /** The lines of the file, one per row. Rows that change while it is written are in the log too. */
  function* fileLines(
    from: number,
    rows: readonly Change[],
    worlds: readonly SavedWorld[],
    isLast: boolean,
  ): Generator<string, LastLine> {
    let place = 0;
    const line = (content: object): string => writeLine(files, ++place, content);
    const row = (merchant: number | undefined, change: Change): string =>
      line({ ...(merchant !== undefined && { merchant }), changes: [change] });
    const anonymous: Change = [
      SANDBOX_TABLES.values,
      SAVED_VALUES.anonymousRequests,
      store.anonymousRequests,
    ];
    yield line(fileHeader(id, from));
    for (const each of [...rows, anonymous]) yield row(undefined, each);
    for (const [merchant, world] of worlds) {
      for (const each of savedRows(world)) yield row(merchant.id, each);
    }
    recordNotes(worlds);
    const end = fileEnd({ log_lines: last, at: time.latest }, !isLast && files.size('log') > 0);
    yield line(end);
    return { ...end, line: place };
  }

  /**
   * Notes in the file that the log has begun, so that a start after a crash sees whether the log is missing. Not
   * earlier: a crash between the two would look the same.
   */
  const noteLog = (): void => {
    if (end?.log !== 0 || files.size('log') === 0) return;
    const noted = fileEnd(end, true);
    try {
      files.overwriteEnd(writeLine(files, end.line, noted));
      end = { ...noted, line: end.line };
    } catch {
      // The next checkpoint notes it.
    }
  };

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
        saveFailure = describeFailure(error);
        if (saveFailure !== before) warn(saveFailure);
      })
      .finally(() => {
        saving = undefined;
        if (isWanted) requestSave();
      });
  };

  return {
    write(lines) {
      append(inOneGroup(lines, time.latest));
      const isLong = files.size('log') > Math.max(savedFrom, files.size('file'));
      // A running save shortens the log.
      if (isLong && !saving) requestSave();
    },
    requestSave,
    problem() {
      try {
        recover();
        if (failure !== undefined) files.tryAppend();
        failure = undefined;
      } catch (error) {
        failure = (error as Error).message;
      }
      return failure ?? (lost.size > 0 ? saveFailure : undefined);
    },
    begin() {
      if (files.size('log') === 0) files.append([firstLine(last)]);
      else files.tryAppend();
      noteLog();
    },
    save,
    async end() {
      while (saving) {
        // The last save below covers every request.
        isWanted = false;
        await saving;
      }
      // Set, so that no other save starts.
      saving = Promise.resolve()
        .then(() => save(true))
        .catch((error: Error) => {
          throw new Error(describeFailure(error), { cause: error });
        });
      await saving;
    },
  };
}

type SavedWorld = readonly [merchant: MerchantAccount, world: World];

/** Records changes made by reads, such as expired purchases, which the file may contain in part. */
function recordNotes(worlds: readonly SavedWorld[]): void {
  for (const [, world] of worlds) world.tables.transact(() => undefined);
}

/** The Worlds that exist. Merchants without one have nothing to store. */
const worldsOf = ({ byId }: MerchantStore): SavedWorld[] =>
  [...byId.values()].flatMap((merchant): SavedWorld[] =>
    merchant.hasWorld ? [[merchant, merchant.world]] : [],
  );
