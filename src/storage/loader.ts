import {
  type MerchantAccount,
  type MerchantStore,
  registerMerchant,
} from '../control/merchant-store.ts';
import { type MerchantRow, SANDBOX_TABLES } from '../control/sandbox-tables.ts';
import { addFamilies, type World } from '../products/world.ts';
import { addEntry, type JournalEntry, restoreEntry } from '../world/journal.ts';
import {
  type Change,
  KeyedTable,
  type Line,
  RecordTable,
  type Table,
  type Tables,
} from '../world/tables.ts';
import { createWorldCore, WORLD_TABLES } from '../world/world.ts';
import { checkRow, SAVED_TABLES, SAVED_VALUES } from './rows.ts';

/** Puts what was kept into a sandbox. */
export interface Loader {
  /**
   * Throws an `Error` that says what is wrong with a line. The rows of one that names its place in a log are checked at
   * the end, if they are still there then: most are replaced or deleted by later ones.
   */
  load(line: Line, place?: number): void;
  /** Checks what was not checked yet. Throws an `Error` that names its line. */
  checkRest(): void;
  /** Throws an `Error` where a World lacks what none is without. */
  finish(): void;
}

/** Empties a sandbox, for what was kept of it. */
export function createLoader(store: MerchantStore): Loader {
  for (const id of store.merchants.keys()) loadRow(store.tables, store.merchants.name, id, null);
  store.byId.clear();
  store.byKey.clear();
  /** The places of rows that were not checked, by table and key. */
  const unchecked = new Map<Table<unknown>, Map<string, number>>();

  const loadUnchecked = (table: Table<unknown>, change: Change, place: number): void => {
    const [, key, value] = change;
    const places = unchecked.get(table) ?? new Map<string, number>();
    unchecked.set(table, places);
    if (value === null) places.delete(key);
    else places.set(key, place);
    try {
      table.load(key, value ?? undefined);
    } catch (error) {
      // It is so wrong that it can't be put into its table.
      checkRow(change);
      throw error;
    }
    table.settle(key);
  };

  return {
    load({ merchant: id, replaced, changes }, place) {
      const merchant = id === undefined ? undefined : store.byId.get(id);
      if (id !== undefined && !merchant) throw new Error(`there is no merchant ${id}`);
      if (merchant && replaced) {
        for (const table of tablesOf(merchant)) unchecked.delete(table);
        Object.assign(merchant, { world: undefined });
      }
      for (const change of changes) {
        const world = merchant && worldOf(store, merchant);
        const table = world?.tables.byName.get(change[0]);
        if (table instanceof KeyedTable && place !== undefined) {
          loadUnchecked(table, change, place);
          continue;
        }
        checkRow(change);
        if (world) loadWorldRow(world, change, store.maxJournalBytes);
        else loadSandboxRow(store, change);
      }
    },
    checkRest() {
      for (const [table, places] of unchecked) {
        for (const [key, place] of places) {
          try {
            checkRow([table.name, key, table.get(key)]);
          } catch (error) {
            throw new Error(`line ${place}: ${(error as Error).message}`);
          }
        }
      }
    },
    finish() {
      for (const merchant of store.byId.values()) if (merchant.hasWorld) requireWhole(merchant);
    },
  };
}

const tablesOf = (merchant: MerchantAccount): Iterable<Table<unknown>> =>
  merchant.hasWorld ? merchant.world.tables.byName.values() : [];

/** The World that rows are put into: nothing of it comes from the fixtures. */
function worldOf(store: MerchantStore, merchant: MerchantAccount): World {
  if (!merchant.hasWorld) {
    const world = addFamilies(createWorldCore(store, {}), store.priceList);
    Object.assign(merchant, { world, keptWorld: world });
  }
  return merchant.world;
}

function loadSandboxRow(store: MerchantStore, [table, key, value]: Change): void {
  if (table === SANDBOX_TABLES.values && key === SAVED_VALUES.anonymousRequests) {
    store.anonymousRequests = value as number;
    return;
  }
  loadRow(store.tables, table, key, value);
  if (table === SANDBOX_TABLES.merchants) loadMerchant(store, key, value as MerchantRow | null);
}

function loadMerchant(store: MerchantStore, key: string, row: MerchantRow | null): void {
  if (row && String(row.id) !== key) throw new Error(`merchants "${key}": id: got ${row.id}`);
  const known = store.byId.get(Number(key));
  if (known) store.byKey.delete(known.api_key);
  if (!row) store.byId.delete(Number(key));
  else if (!known) registerMerchant(store, row);
  else {
    known.row = row;
    store.byKey.set(row.api_key, known);
  }
}

function loadWorldRow(world: World, [table, key, value]: Change, maxJournalBytes: number): void {
  if (table === SAVED_TABLES.journal) {
    addEntry(world.journal, restoreEntry(value as JournalEntry), maxJournalBytes);
  } else if (table === SAVED_TABLES.assumed) {
    world.assumption_counts.set(key, value as number);
  } else if (table === WORLD_TABLES.values && key === SAVED_VALUES.requests) {
    world.requests = value as number;
  } else loadRow(world.tables, table, key, value);
}

function loadRow({ byName }: Tables, name: string, key: string, value: unknown): void {
  const table = byName.get(name);
  if (!table) throw new Error(`${name} ${JSON.stringify(key)}: is not a row of this owner`);
  requireOwnKey(table, key, value);
  table.load(key, value ?? undefined);
  table.settle(key);
}

/** A record says itself under which key it stands, and is not deleted. */
function requireOwnKey(table: Table<unknown>, key: string, value: unknown): void {
  if (!(table instanceof RecordTable)) return;
  const own = value === null ? 'nothing' : JSON.stringify(table.keyOf(value));
  if (own !== JSON.stringify(key)) {
    throw new Error(`${table.name} ${JSON.stringify(key)}: expected its record, got ${own}`);
  }
}

function requireWhole({ id, world }: MerchantAccount): void {
  for (const name of ['merchant_id', 'clock', 'chance', 'fault_chance']) {
    if (!world.tables.byName.get(WORLD_TABLES.values)?.has(name)) {
      throw new Error(`the World of merchant ${id} has no ${name}`);
    }
  }
}
