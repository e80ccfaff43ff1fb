import { type MerchantAccount, type MerchantStore, worldLines } from '../control/merchant-store.ts';
import type { World } from '../products/world.ts';
import { assumedRow, journalRow, requestsRow, SAVED_TABLES } from '../storage/rows.ts';
import { wait } from '../world/clock.ts';
import { listEntries } from '../world/journal.ts';
import { type Change, type Line, NotStoredError } from '../world/tables.ts';
import type { SqlRows } from './sql-rows.ts';

/** How long after a call its entry is written, with all that came meanwhile: a read need not wait for the disk. */
const WRITTEN_AFTER_MS = 1000;

/**
 * Keeps what is only shown of a World: its journal, how many calls there were, and how often answers rested on which
 * assumptions. Whoever looks at it later finds it, though the object was evicted; what is killed lacks the last second.
 */
export function keepJournal(store: MerchantStore, merchant: MerchantAccount, rows: SqlRows): void {
  let isWaiting = false;
  let counts: ReadonlyMap<string, number> = new Map();

  function* lines(world: World): Generator<Line, void> {
    // Rows are of a World that is kept.
    if (merchant.keptWorld !== world) yield* worldLines(merchant.id, world);
    yield { changes: [...journalChanges(world, rows), ...countChanges(world, rows, counts)] };
  }

  const write = (): void => {
    isWaiting = false;
    const { storage } = store;
    if (!storage) return;
    const { world } = merchant;
    try {
      storage.write(lines(world));
    } catch (error) {
      // Nothing was promised: the next call brings it along.
      if (error instanceof NotStoredError) return;
      throw error;
    }
    merchant.keptWorld = world;
    counts = new Map(world.assumption_counts);
  };

  merchant.listeners.add(() => {
    if (isWaiting) return;
    isWaiting = true;
    void wait(WRITTEN_AFTER_MS, store.host.closing).then(write);
  });
}

/** What makes the journal that is kept the one there is. */
function* journalChanges({ journal }: World, rows: SqlRows): Generator<Change, void> {
  const gone = new Set(rows.keys(SAVED_TABLES.journal));
  for (const entry of listEntries(journal)) {
    if (!gone.delete(entry.id)) yield journalRow(entry);
  }
  for (const id of gone) yield [SAVED_TABLES.journal, id, null];
}

/** The same for the counts; `before` is what they were when they were written. */
function* countChanges(
  world: World,
  rows: SqlRows,
  before: ReadonlyMap<string, number>,
): Generator<Change, void> {
  yield requestsRow(world);
  const kept = new Set(rows.keys(SAVED_TABLES.assumed));
  for (const [list, count] of world.assumption_counts) {
    if (!kept.has(list) || before.get(list) !== count) yield assumedRow(world, list);
  }
}
