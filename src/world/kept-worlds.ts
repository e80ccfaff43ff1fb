/* Stores every change of a sandbox and its Worlds before the call that made it is answered. */

import type { MerchantOf } from './merchant.ts';
import { type Line, NotStoredError, rowsOf, type Tables } from './tables.ts';
import type { WorldCore } from './world.ts';

/** Stores changes. */
export interface Storage {
  /** Stores all lines, or none and throws `NotStoredError`. */
  write(lines: readonly Line[]): void;
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
    store.storage?.write(changes.length > 0 ? [{ changes }, ...more] : more);
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
    store.storage.write([isKept ? { merchant: id, changes } : worldLine(id, world)]);
    merchant.keptWorld = world;
  };
}

/** The line that stores a whole World in place of the previous one. */
export const worldLine = (merchant: number, { tables }: Pick<WorldCore, 'tables'>): Line => ({
  merchant,
  replaced: true,
  changes: [...rowsOf(tables)],
});

/**
 * Stores a new World whose policies were bought, so that it stays as it is under other fixtures at the next start. If
 * that fails, they are bought again.
 */
export function keepBoughtWorld({ storage }: Stored, merchant: MerchantOf<WorldCore>): void {
  // It may be removed while they are bought.
  if (merchant.removed || typeof merchant.config.records !== 'object') return;
  const { world } = merchant;
  try {
    storage?.write([worldLine(merchant.id, world)]);
    merchant.keptWorld = world;
  } catch (error) {
    if (!(error instanceof NotStoredError)) throw error;
  }
}
