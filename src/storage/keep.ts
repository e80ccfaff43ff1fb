import { followFixtures } from '../control/fixture-change.ts';
import {
  attachStorage,
  type MerchantAccount,
  type MerchantStore,
  type Storage,
  startRun,
} from '../control/merchant-store.ts';
import { SANDBOX_TABLES } from '../control/sandbox-tables.ts';
import type { World } from '../products/world.ts';
import { type Change, NotStoredError, rowsOf, transact } from '../world/tables.ts';
import { fileHeader, inOneGroup, logHeader, type StateFiles, writeLine } from './lines.ts';
import { restoreState } from './restore.ts';
import { SAVED_VALUES, savedRows } from './rows.ts';

/** A state that is kept in files. */
export interface KeptState {
  /** Writes the file anew, for the last time, and empties the log. */
  save(): Promise<void>;
}

/**
 * Makes a sandbox what its files hold, if they are there, and keeps there from now on what changes. Throws `StateError`,
 * and leaves the files as they were, where that can't be.
 *
 * @param warn takes a line for whoever runs the sandbox
 */
export async function keepState(
  store: MerchantStore,
  files: StateFiles,
  warn: (line: string) => void,
): Promise<KeptState> {
  const standing = await restoreState(store, files, warn);
  const isChanged = followFixtures(store);
  const log = createLog(store, files, standing?.id ?? files.newId(), standing?.lastLine ?? 0, warn);
  if (isChanged || standing?.isTorn) await log.save();
  // That it can't be written is found out now, and not when there is something to lose.
  log.begin();
  attachStorage(store, log);
  if (standing?.isUnclean) transact(store, () => startRun(store));
  return { save: log.end };
}

interface Log extends Storage {
  /** Writes the first line of an empty log: one that has none was saved, and nothing came after it. */
  begin(): void;
  save(): Promise<void>;
  end(): Promise<void>;
}

function createLog(
  store: MerchantStore,
  files: StateFiles,
  id: string,
  lastLine: number,
  warn: (line: string) => void,
): Log {
  let last = lastLine;
  let failure: string | undefined;
  let saving: Promise<void> | undefined;
  let isWanted = false;
  /** A save that failed is not tried again at once. */
  let savedFrom = files.maxLogBytes;
  /** Whether it was told that the file is not the one that was saved. */
  let isLossTold = false;

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
      failure = `The change can't be kept, so it was not made: ${(error as Error).message}`;
      throw new NotStoredError(failure);
    }
  };

  const recover = (): void => {
    for (const part of files.findLost()) {
      if (part === 'log' || !isLossTold) {
        warn(`the ${part} was removed, replaced or changed; it is written anew`);
      }
      if (part === 'file') isLossTold = true;
      // A save that is under way puts the file back. What stood in a log that was emptied needs another one.
      if (part === 'file' ? !saving : files.size('log') === 0) requestSave();
    }
  };

  const save = async (isLast = false): Promise<void> => {
    const worlds = worldsOf(store);
    recordNotes(worlds);
    const bytes = files.size('log');
    const from = last;
    // Taken at the same moment as the Worlds: each of these has a merchant.
    const rows = [...rowsOf(store.tables)];
    await files.replaceFile(fileLines(from, rows, worlds));
    isLossTold = false;
    for (const [merchant, world] of worlds) {
      if (merchant.hasWorld && merchant.world === world) merchant.keptWorld = world;
    }
    await files.cutLog(bytes, isLast && last === from ? '' : firstLine(from));
    savedFrom = files.maxLogBytes;
  };

  /** Everything, a row a line. Rows change meanwhile: then a line of the log says so. */
  function* fileLines(
    from: number,
    rows: readonly Change[],
    worlds: readonly SavedWorld[],
  ): Generator<string, void> {
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
    yield line({ log_lines: last, at: time.latest, end: true });
  }

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
        const state = isLossTold ? '' : ', the file and its log are complete';
        warn(`could not be saved${state}: ${error.message}`);
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
      // A save that is under way makes it short.
      if (isLong && !saving) requestSave();
    },
    requestSave,
    problem() {
      if (failure === undefined) return undefined;
      try {
        recover();
        files.tryAppend();
        failure = undefined;
      } catch (error) {
        failure = (error as Error).message;
      }
      return failure;
    },
    begin() {
      if (files.size('log') === 0) files.append([firstLine(last)]);
      else files.tryAppend();
    },
    save,
    async end() {
      while (saving) {
        // This one does what was asked for meanwhile.
        isWanted = false;
        await saving;
      }
      // Nothing else is saved from here on.
      saving = Promise.resolve().then(() => save(true));
      await saving;
    },
  };
}

type SavedWorld = readonly [merchant: MerchantAccount, world: World];

/** Writes down what a look at a World has changed, such as purchases that expired, and the file may hold in part. */
function recordNotes(worlds: readonly SavedWorld[]): void {
  for (const [, world] of worlds) transact(world, () => undefined);
}

/** The Worlds that have been made: there is nothing to keep of others. */
const worldsOf = ({ byId }: MerchantStore): SavedWorld[] =>
  [...byId.values()].flatMap((merchant): SavedWorld[] =>
    merchant.hasWorld ? [[merchant, merchant.world]] : [],
  );
