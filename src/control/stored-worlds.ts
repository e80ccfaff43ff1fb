/* A sandbox and its Worlds as rows, and back: what keeps them in a state file. */

import { addFamilies, type World } from '../products/world.ts';
import { StateError, type StateFiles, type StoredLine } from '../storage/lines.ts';
import { type Checkpoint, createLog } from '../storage/log.ts';
import { readState } from '../storage/read-state.ts';
import { loadRow, rowsOf } from '../storage/rows.ts';
import { createWorldTime, readWorldTime } from '../world/clock.ts';
import { attachStorage } from '../world/kept-worlds.ts';
import type { MerchantRow } from '../world/merchant.ts';
import { registerMerchant, SANDBOX_TABLES } from '../world/merchants.ts';
import { sortRows } from '../world/tables.ts';
import type { Instant } from '../world/time.ts';
import { createWorldCore, WORLD_TABLES } from '../world/world.ts';
import { followFixtures } from './fixture-change.ts';
import type { MerchantAccount, MerchantStore } from './merchant-store.ts';
import { sandboxTables, storedWorld, worldTables } from './stored-tables.ts';

/** A World to load rows into. Nothing in it comes from the fixtures. */
export function createEmptyWorld({
  settings,
  time,
  priceList,
}: Pick<MerchantStore, 'settings' | 'time' | 'priceList'>): World {
  const core = createWorldCore({ settings, time: createWorldTime(time) }, {});
  return addFamilies(core, priceList);
}

/** Starts the clock of a World now, at the moment that its row says. */
export function startClock(world: World): void {
  const { mode, at } = world.clock;
  world.clock = { mode, at, since: readWorldTime(world.time) };
}

/** A World has no default for these values. */
export const REQUIRED_VALUES = ['merchant_id', 'clock', 'random', 'fault_random'] as const;

/** Everything that a sandbox is now, a line for each row. Merchants whose World was never used have none. */
function checkpointOf(store: MerchantStore): Checkpoint {
  const lines: StoredLine[] = rowsOf(sandboxTables(), store).map((row) => ({ changes: [row] }));
  const worlds = new Map<MerchantAccount, World>();
  for (const merchant of store.byId.values()) {
    if (!merchant.hasWorld) continue;
    const { id, world } = merchant;
    worlds.set(merchant, world);
    const rows = rowsOf(worldTables(), storedWorld(world));
    for (const row of rows) lines.push({ merchant: id, changes: [row] });
  }
  const onSaved = () => {
    for (const [merchant, world] of worlds) {
      if (merchant.hasWorld && merchant.world === world) merchant.keptWorld = world;
    }
  };
  return { lines, onSaved };
}

/** Removes everything of a sandbox that a state has. */
function emptySandbox(store: MerchantStore): void {
  for (const id of [...store.merchants.keys()]) store.merchants.load(id, undefined);
  store.byId.clear();
  store.byKey.clear();
}

/** Loads a stored line. Throws an `Error` that names the row. */
export function loadLine(store: MerchantStore, line: StoredLine): void {
  const { merchant: id, replaced, changes, at } = line;
  if (id === undefined) {
    for (const change of changes) {
      loadRow(sandboxTables(), store, change);
      const [table, key] = change;
      if (table === SANDBOX_TABLES.merchants) loadMerchant(store, key, store.merchants.get(key));
    }
    return;
  }
  const merchant = store.byId.get(id);
  if (!merchant) throw new Error(`unknown merchant ${id}`);
  if (replaced) Object.assign(merchant, { world: undefined });
  for (const change of changes) {
    if (!merchant.hasWorld) {
      const world = createEmptyWorld(store);
      Object.assign(merchant, { world, keptWorld: world });
    }
    loadRow(worldTables(), storedWorld(merchant.world, { store, merchant }), change);
  }
  if (merchant.hasWorld && at !== undefined) reachTime(merchant.world, at);
}

/** Moves the time of a World forward to at least this moment. */
function reachTime({ time }: World, at: Instant): void {
  time.latest = Math.max(time.latest, at);
}

function loadMerchant(store: MerchantStore, key: string, row: MerchantRow | undefined): void {
  const known = store.byId.get(Number(key));
  if (known) store.byKey.delete(known.api_key);
  if (!row) store.byId.delete(Number(key));
  else if (!known) registerMerchant(store, row);
  else {
    known.row = row;
    store.byKey.set(row.api_key, known);
  }
}

/**
 * Completes the Worlds whose rows are loaded. Throws an `Error` that names a World which lacks something.
 *
 * @param at the last time of the sandbox, behind which no clock goes back
 */
export function completeWorlds(store: MerchantStore, at: Instant): void {
  for (const merchant of store.byId.values()) {
    if (!merchant.hasWorld) {
      merchant.reached = at;
      continue;
    }
    const { id, world } = merchant;
    const values = world.tables.byName.get(WORLD_TABLES.values);
    const missing = REQUIRED_VALUES.find((name) => !values?.has(name));
    if (missing !== undefined) {
      const what = `${WORLD_TABLES.values}.${missing}`;
      throw new Error(`the World of merchant ${id}: ${what}: is missing`);
    }
    if (world.clock.since === undefined) startClock(world);
    reachTime(world, at);
    // What came back by a rewind stands at the end of the log.
    sortRows(world.tables);
  }
}

/** A state that is stored in files. */
interface KeptState {
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
  if (files.size('file') > 0) emptySandbox(store);
  const position = await readState(files, (line) => loadLine(store, line), warn);
  try {
    if (position) completeWorlds(store, position.at);
  } catch (error) {
    throw new StateError('file', (error as Error).message);
  }
  const isChanged = followFixtures(store);
  const source = { now: () => store.time.latest, checkpoint: () => checkpointOf(store) };
  const log = createLog(files, source, position, warn);
  if (isChanged) await log.save();
  // Fails now if the log can't be written, before there is anything to lose.
  log.begin();
  attachStorage(store, log);
  // The requests since the last save have used numbers too.
  if (position?.isUnclean) store.tables.transact(() => ++store.run);
  return { save: log.end };
}
