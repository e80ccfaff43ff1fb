import { stored } from '../control/change.ts';
import { ControlError } from '../control/control-error.ts';
import {
  attachStorage,
  type MerchantAccount,
  type MerchantStore,
  registerMerchant,
  type Storage,
  startRun,
} from '../control/merchant-store.ts';
import { followFixtures, ownPricesRow } from '../control/price-lists.ts';
import { isSandboxRow, type MerchantRow } from '../control/sandbox-tables.ts';
import type { OpenSandbox } from '../open-sandbox.ts';
import { anyFamilies, stateOf, type World } from '../products/world.ts';
import { createLoader } from '../storage/loader.ts';
import { bytesOf } from '../world/json.ts';
import { type Line, NotStoredError, rowsOf, transact } from '../world/tables.ts';
import { openPart } from './deployment.ts';
import type { ObjectContext } from './engine.ts';
import { keepJournal } from './kept-journal.ts';
import { openSqlRows, type SqlRows } from './sql-rows.ts';

/** How many policies a World may hold, with purchases that are pending: an object has 128 MB of memory. */
const MAX_POLICIES = 20_000;
/** How much of a World may be kept, in bytes: policies may be of very many members, and fault rules have bodies. */
const MAX_KEPT_BYTES = 31 * 1024 * 1024;
/** How large fault rules may be in all: what was removed is free again at once. */
const MAX_FAULT_BYTES = 8 * 1024 * 1024;
/** The journal goes on in a full World: what it keeps is in the snapshot too, at up to six bytes for one. */
const MAX_JOURNAL_BYTES = 1024 * 1024;
/** How large a snapshot may be that is put back: as large as one that is taken can be. */
const MAX_SNAPSHOT_BYTES = 40 * 1024 * 1024;
/** A policy is at most this many times as large as its purchase: each member gets fields of its own. */
const BYTES_OF_POLICY = 3;

/** A World in an object, every change of which is kept before it is answered. */
export interface HeldWorld {
  readonly opened: OpenSandbox;
  readonly merchant: MerchantAccount;
}

/**
 * Wakes the World that an object keeps, or has it hold that of a merchant. Undefined where there is neither. Throws
 * `ControlError`: 503 where what is kept can't be read, 507 where nothing can be written.
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
    maxSnapshotBytes: MAX_SNAPSHOT_BYTES,
    maxFaultBytes: MAX_FAULT_BYTES,
    maxJournalBytes: MAX_JOURNAL_BYTES,
    whyFull: (world, { begins }) => whyFull(world, rows, begins),
  });
  const { store } = opened;
  if (isKept) load(store, rows);
  else registerMerchant(store, row as MerchantRow);
  const isChanged = followFixtures(store);
  const kept = storageOf(rows, store);
  attachStorage(store, kept);
  stored(() => {
    if (isChanged) kept.write(rowsToKeep(store));
    // Calls that were not written down had numbers, too.
    if (isKept) transact(store, () => startRun(store));
  });
  const merchant = merchantOf(store);
  keepJournal(store, merchant, rows);
  return { opened, merchant };
}

/** The one that an object has. */
const merchantOf = ({ byId }: MerchantStore): MerchantAccount =>
  byId.values().next().value as MerchantAccount;

function load(store: MerchantStore, rows: SqlRows): void {
  // The time that was shown once does not come again, though this machine's clock may be behind another's.
  store.time.latest = rows.latest;
  const loader = createLoader(store);
  try {
    for (const change of rows.read()) {
      const merchant = isSandboxRow(change) ? undefined : merchantOf(store).id;
      loader.load({ merchant, changes: [change] });
    }
    loader.finish();
  } catch (error) {
    const reason = (error as Error).message;
    throw new ControlError(503, `What is kept of this World can not be read: ${reason}`);
  }
}

/** Writes what a change changed; there is nothing that could be saved besides. */
const storageOf = (rows: SqlRows, { time }: MerchantStore): Storage => ({
  write(lines) {
    try {
      rows.write(lines, time.latest);
    } catch (error) {
      const reason = (error as Error).message;
      throw new NotStoredError(`The change can't be kept, so it was not made: ${reason}`);
    }
  },
  requestSave() {},
  problem: () => undefined,
});

/** What there is besides the World; of that, the price list alone may be another one. */
function* rowsToKeep(store: MerchantStore): Generator<Line, void> {
  yield { changes: [...rowsOf(store.tables)] };
  const { keptWorld } = merchantOf(store);
  if (keptWorld) yield { changes: [ownPricesRow(keptWorld)] };
}

function whyFull(world: World, { bytes: kept }: SqlRows, begins: boolean): string | undefined {
  let policies = 0;
  let pendingBytes = 0;
  for (const family of anyFamilies) {
    const { tokens } = stateOf(world, family);
    policies += family.policiesOf(stateOf(world, family)).size + tokens.pending.size;
    for (const { details } of tokens.pending.values()) pendingBytes += sizeOf(details);
  }
  // Pending purchases are kept already; verify makes more of them, and is not refused.
  const bytes = kept + pendingBytes * (BYTES_OF_POLICY - 1);
  const isFull = bytes >= MAX_KEPT_BYTES || (begins && policies >= MAX_POLICIES);
  if (!isFull) return undefined;
  return `A World holds at most ${MAX_POLICIES.toLocaleString('en')} policies and pending purchases here, or ${MAX_KEPT_BYTES >> 20} MiB of them and of fault rules; reset it, or buy with another key.`;
}

/** What is pending never changes, and is measured once. */
const sizes = new WeakMap<object, number>();

function sizeOf(details: object): number {
  const known = sizes.get(details) ?? bytesOf(JSON.stringify(details));
  sizes.set(details, known);
  return known;
}
