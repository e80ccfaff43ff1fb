/* Loads rows into Worlds, and the rows of a whole sandbox into its merchants. */

import { loadPrices } from '../control/fixture-change.ts';
import { restoreEntry, type SavedEntry } from '../control/journal-entry.ts';
import type { MerchantAccount, MerchantStore } from '../control/merchant-store.ts';
import { addFamilies, type World } from '../products/world.ts';
import { clockAt, createWorldTime, readWorldTime } from '../world/clock.ts';
import { addEntry, listEntries } from '../world/journal.ts';
import type { MerchantRow } from '../world/merchant.ts';
import { registerMerchant, SANDBOX_TABLES } from '../world/merchants.ts';
import { type Change, KeyedTable, type Line, type Table, type Tables } from '../world/tables.ts';
import type { Instant } from '../world/time.ts';
import { createWorldCore, WORLD_TABLES } from '../world/world.ts';
import { checkWorld, highestNumber } from './check-world.ts';
import { checkRow, SAVED_TABLES, SAVED_VALUES } from './rows.ts';

/** A World to load rows into. Nothing in it comes from the fixtures. */
export function createEmptyWorld({
  settings,
  time,
  priceList,
}: Pick<MerchantStore, 'settings' | 'time' | 'priceList'>): World {
  const core = createWorldCore({ settings, time: createWorldTime(time) }, {});
  return addFamilies(core, priceList);
}

/** Loads a valid row into a World of a merchant. Throws an `Error` if its table is not one of a World. */
export function loadWorldRow(
  { maxJournalBytes }: Pick<MerchantStore, 'maxJournalBytes'>,
  merchant: MerchantAccount,
  world: World,
  [table, key, value]: Change,
): void {
  if (table === SAVED_TABLES.journal) {
    addEntry(world.journal, restoreEntry(value as SavedEntry, merchant), maxJournalBytes);
  } else if (table === SAVED_TABLES.assumed) {
    world.assumption_counts.set(key, value as number);
  } else if (table === WORLD_TABLES.values && key === SAVED_VALUES.requests) {
    world.requests = value as number;
  } else if (table === WORLD_TABLES.values && key === SAVED_VALUES.steps) {
    // All of them dropped, until `loadHistory` adds those that are kept.
    world.history.dropped = value as number;
  } else if (table === WORLD_TABLES.values && key === SAVED_VALUES.time) {
    reachTime(world, value as Instant);
  } else loadRow(world.tables, table, key, value);
}

function loadRow({ byName }: Tables, name: string, key: string, value: unknown): void {
  const table = byName.get(name);
  if (!table) throw new Error(`${name} ${JSON.stringify(key)}: this row does not belong here`);
  table.load(key, value ?? undefined);
  table.settle(key);
}

/** Moves the time of a World forward to at least this moment. */
function reachTime({ time }: World, at: Instant): void {
  time.latest = Math.max(time.latest, at);
}

/** Starts the clock of a World now, at the moment that its row says. */
export function startClock(world: World): void {
  const { mode, at } = world.clock;
  world.clock = clockAt(mode, at, readWorldTime(world.time));
}

/** A line, with the time of the sandbox when it was written if that is known. */
interface StoredLine extends Line {
  readonly at?: Instant;
}

/** Loads stored lines into a sandbox. */
export interface Loader {
  /**
   * Loads a line. Throws an `Error` if it is invalid. Rows of a line with a place in a log are validated at the end, if
   * they still exist: later rows replace or delete most of them.
   */
  load(line: StoredLine, place?: number): void;
  /** Validates the remaining rows. Throws an `Error` that names the line. */
  checkRest(): void;
  /**
   * Checks each World as a whole, in pieces. Throws an `Error` that names the World and the place.
   *
   * @param at the last time of the sandbox, behind which no clock goes back
   * @param isFormer whether the rows are of the former format, which stored the number of requests before the journal
   */
  finish(at: Instant, isFormer?: boolean): Generator<undefined, void>;
}

/** Empties a sandbox and returns a loader for its stored lines. */
export function createLoader(store: MerchantStore): Loader {
  for (const id of store.merchants.keys()) loadRow(store.tables, store.merchants.name, id, null);
  store.byId.clear();
  store.byKey.clear();
  /** The places of rows that are not validated yet, by table and key. */
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
      // Too invalid even to load. `checkRow` gives the better message.
      checkRow(change);
      throw error;
    }
    table.settle(key);
  };

  return {
    load({ merchant: id, replaced, changes, at }, place) {
      const merchant = id === undefined ? undefined : store.byId.get(id);
      if (id !== undefined && !merchant) throw new Error(`unknown merchant ${id}`);
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
        if (merchant && world) loadWorldRow(store, merchant, world, change);
        else loadSandboxRow(store, change);
      }
      if (merchant?.hasWorld && at !== undefined) reachTime(merchant.world, at);
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
    *finish(at, isFormer = false) {
      for (const merchant of store.byId.values()) {
        if (!merchant.hasWorld) {
          merchant.reached = at;
          continue;
        }
        const { id, world } = merchant;
        reachTime(world, at);
        loadPrices(store, world);
        if (isFormer) {
          const highest = highestNumber(listEntries(world.journal));
          world.requests = Math.max(world.requests, highest);
        }
        for (const problem of checkWorld(world, store)) {
          if (problem !== undefined) throw new Error(`the World of merchant ${id}: ${problem}`);
          yield;
        }
      }
    },
  };
}

const tablesOf = (merchant: MerchantAccount): Iterable<Table<unknown>> =>
  merchant.hasWorld ? merchant.world.tables.byName.values() : [];

function worldOf(store: MerchantStore, merchant: MerchantAccount): World {
  if (!merchant.hasWorld) {
    const world = createEmptyWorld(store);
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
  const known = store.byId.get(Number(key));
  if (known) store.byKey.delete(known.api_key);
  if (!row) store.byId.delete(Number(key));
  else if (!known) registerMerchant(store, row);
  else {
    known.row = row;
    store.byKey.set(row.api_key, known);
  }
}
