/* Stores every change of a sandbox and its Worlds before the call that made it is answered. */

import type { MerchantOf } from './merchant.ts';
import { type Change, type Line, NotStoredError, rowsOf, type Tables } from './tables.ts';
import type { WorldCore } from './world.ts';

/** Stores changes. */
export interface Storage {
  /** Stores all lines, or none and throws `NotStoredError`. */
  write(lines: Iterable<Line>): void;
  /** Requests a checkpoint, because much has changed. */
  requestSave(): void;
  /** Tries to write again. Returns why the last line could not be stored; undefined if it is stored. */
  problem(): string | undefined;
}

/** What has a storage, if anything is stored. */
interface Stored {
  storage: Storage | undefined;
}

/** Stores all changes of a sandbox from now on. */
export function attachStorage(
  store: Stored & {
    readonly tables: Tables;
    readonly byId: ReadonlyMap<number, MerchantOf<WorldCore>>;
  },
  storage: Storage,
): void {
  store.storage = storage;
  store.tables.recorder = (changes, more) => {
    if (store.storage) store.storage.write(linesOf(changes, more));
  };
  for (const merchant of store.byId.values()) {
    if (merchant.hasWorld) connectWorld(store, merchant, merchant.world);
  }
}

/** Stores the changes of a World from now on. */
export function connectWorld(
  store: Stored,
  merchant: MerchantOf<WorldCore>,
  world: WorldCore,
): void {
  world.tables.recorder = (changes) => {
    // A call may still run in a World that was replaced; its changes are not stored.
    if (!store.storage || merchant.removed || merchant.world !== world) return;
    const { id } = merchant;
    const isKept = merchant.keptWorld === world;
    store.storage.write(isKept ? [{ merchant: id, changes }] : worldLines(id, world));
    merchant.keptWorld = world;
  };
}

function* linesOf(changes: readonly Change[], more: Iterable<Line>): Generator<Line, void> {
  if (changes.length > 0) yield { changes };
  yield* more;
}

/** Rows per line when a whole World is stored. */
const ROWS_PER_LINE = 500;

/** The lines that store a whole World in place of the previous one. */
export function* worldLines(
  merchant: number,
  { tables }: Pick<WorldCore, 'tables'>,
): Generator<Line, void> {
  let changes: Change[] = [];
  let replaced: true | undefined = true;
  for (const row of rowsOf(tables)) {
    changes.push(row);
    if (changes.length < ROWS_PER_LINE) continue;
    yield { merchant, replaced, changes };
    replaced = undefined;
    changes = [];
  }
  yield { merchant, replaced, changes };
}

/**
 * Stores a new World whose policies were bought, so that it stays as it is under other fixtures at the next start. If
 * that fails, they are bought again.
 */
export function keepBoughtWorld({ storage }: Stored, merchant: MerchantOf<WorldCore>): void {
  if (typeof merchant.config.records !== 'object') return;
  const { world } = merchant;
  try {
    storage?.write(worldLines(merchant.id, world));
    merchant.keptWorld = world;
  } catch (error) {
    if (!(error instanceof NotStoredError)) throw error;
  }
}
