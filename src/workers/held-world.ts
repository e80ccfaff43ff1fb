/* Loads the World of a Durable Object, and stores each change before its response leaves. */

import type { ObjectContext } from 'cloudflare:workers';
import { ControlError } from '../control/control-error.ts';
import { followFixtures } from '../control/fixture-change.ts';
import type { MerchantAccount, MerchantStore } from '../control/merchant-store.ts';
import { CALL_TABLES, countRows, journalRow } from '../control/stored-tables.ts';
import { completeWorlds, loadLine } from '../control/stored-worlds.ts';
import type { World } from '../products/world.ts';
import type { OpenSandbox } from '../sandbox/open-sandbox.ts';
import { wait } from '../world/clock.ts';
import { attachStorage, keepBoughtWorld, type Storage, worldLine } from '../world/kept-worlds.ts';
import type { MerchantRow } from '../world/merchant.ts';
import { isSandboxRow, registerMerchant } from '../world/merchants.ts';
import { type Change, type Line, NotStoredError, rowsOf } from '../world/tables.ts';
import { WORLD_TABLES } from '../world/world.ts';
import { openPart } from './deployment.ts';
import { whereRoomIs } from './room.ts';
import { openSqlRows, type SqlRows, storing } from './sql-rows.ts';

/** The journal continues in a full World. In a snapshot, each of its bytes takes up to six. */
const MAX_JOURNAL_BYTES = 1024 * 1024;
/** The history needs memory only. In a snapshot, each of its bytes takes up to three. */
const MAX_HISTORY_BYTES = 1024 * 1024;
/** The largest snapshot of such a World, in bytes. */
const MAX_SNAPSHOT_BYTES = 43 * 1024 * 1024;

/** A World in an object. Every change is stored before its response leaves. */
export interface HeldWorld {
  readonly opened: OpenSandbox;
  readonly merchant: MerchantAccount;
}

/**
 * Loads the World that an object has stored, or creates that of a merchant; undefined if there is neither. Throws
 * `ControlError` 503 if the rows cannot be read, and `NotStoredError` if they cannot be written.
 */
export function holdWorld(
  { storage }: ObjectContext,
  env: object,
  row: MerchantRow | undefined,
): HeldWorld | undefined {
  const rows = openSqlRows(storage);
  const isKept = rows.bytes > 0;
  if (!isKept && !row) return undefined;
  const opened = openPart(env, {
    limits: {
      maxSnapshotBytes: MAX_SNAPSHOT_BYTES,
      maxJournalBytes: MAX_JOURNAL_BYTES,
      maxHistoryBytes: MAX_HISTORY_BYTES,
    },
  });
  const { store } = opened;
  if (isKept) load(store, rows);
  else registerMerchant(store, row as MerchantRow);
  const isChanged = followFixtures(store);
  const merchant = merchantOf(store);
  const kept = storageOf(rows, merchant);
  attachStorage(store, kept);
  if (isChanged) kept.write([{ changes: [...rowsOf(store.tables)] }]);
  // Requests that were never stored have used numbers too.
  if (isKept) store.tables.transact(() => ++store.run);
  if (!isKept) keepBoughtWorld(store, merchant);
  keepJournal(store, merchant, rows);
  return { opened, merchant };
}

/** The merchant of an object, which is its only one. */
function merchantOf({ byId }: MerchantStore): MerchantAccount {
  for (const merchant of byId.values()) return merchant;
  throw new Error('there is no merchant');
}

function load(store: MerchantStore, rows: SqlRows): void {
  try {
    for (const change of rows.read()) {
      const merchant = isSandboxRow(change) ? undefined : merchantOf(store).id;
      loadLine(store, { merchant, changes: [change] });
    }
    // The World's time must not go back, even if this machine's clock is behind another's.
    completeWorlds(store, rows.latest);
  } catch (error) {
    const reason = (error as Error).message;
    throw new ControlError(503, `The stored data of this World cannot be read: ${reason}`);
  }
}

/** Stores each change as it happens, so there is nothing to save. */
const storageOf = (rows: SqlRows, merchant: MerchantAccount): Storage => ({
  write(lines) {
    if (!merchant.hasWorld) return storing(() => rows.write(lines, 0));
    const { world } = merchant;
    storing(() => rows.write(whereRoomIs(world, rows, lines), world.time.latest));
  },
  requestSave() {},
  problem: () => undefined,
});

/** Journal entries are stored in batches after this time, so that a read does not wait for the disk. */
const WRITTEN_AFTER_MS = 1000;

/**
 * Stores data outside transactions: the journal, the number of requests and the counts of assumptions. They survive an
 * eviction of the object. If the object is killed, the last second is lost.
 */
function keepJournal(store: MerchantStore, merchant: MerchantAccount, rows: SqlRows): void {
  let isWaiting = false;
  let counts: ReadonlyMap<string, number> = new Map();

  const lines = (world: World): Line[] => [
    // Otherwise the stored rows belong to another World.
    ...(merchant.keptWorld === world ? [] : [worldLine(merchant.id, world)]),
    { changes: [...journalChanges(world, rows), ...countChanges(world, rows, counts)] },
  ];

  const write = (): void => {
    isWaiting = false;
    const { storage } = store;
    if (!storage) return;
    const { world } = merchant;
    try {
      storage.write(lines(world));
    } catch (error) {
      // The next request tries again.
      if (error instanceof NotStoredError) return;
      throw error;
    }
    merchant.keptWorld = world;
    counts = new Map(world.assumption_counts);
  };

  store.activity.listeners.add(({ kind }) => {
    if (isWaiting || kind === 'control' || kind === 'page') return;
    isWaiting = true;
    void wait(WRITTEN_AFTER_MS, store.closing).then(write);
  });
}

/** The changes that update the stored journal. */
function* journalChanges(world: World, rows: SqlRows): Generator<Change, void> {
  const gone = new Set(rows.keys(CALL_TABLES.journal));
  for (const item of world.journal.items) {
    if (!gone.delete(String(item.id))) yield [CALL_TABLES.journal, ...journalRow(item)];
  }
  for (const id of gone) yield [CALL_TABLES.journal, id, null];
}

/** The changes that update the stored counts; `before` has the counts of the last update. */
function* countChanges(
  world: World,
  rows: SqlRows,
  before: ReadonlyMap<string, number>,
): Generator<Change, void> {
  for (const row of countRows(world)) yield [WORLD_TABLES.values, ...row];
  const kept = new Set(rows.keys(CALL_TABLES.assumed));
  for (const [list, count] of world.assumption_counts) {
    if (!kept.has(list) || before.get(list) !== count) yield [CALL_TABLES.assumed, list, count];
  }
}
