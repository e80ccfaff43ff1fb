/* A World as one document, and back: the rows that a state file would keep, and the history. */

import { z } from '@hono/zod-openapi';
import { findHighNumbers } from '../products/record-validation.ts';
import { priceListOf, settledNow, type World } from '../products/world.ts';
import { HistoryStep, historySteps, loadHistory } from '../storage/history.ts';
import { InvalidRow, rowsOf, type StoredTable, storedTables } from '../storage/rows.ts';
import { documentOf, putRows, readTables, SNAPSHOT_VERSION } from '../storage/snapshot.ts';
import type * as wire from '../types/control-wire.ts';
import { runCooperatively } from '../world/clock.ts';
import { MAX_HISTORY_STEPS } from '../world/history.ts';
import { entriesOf } from '../world/journal.ts';
import { MAX_READ_DEPTH } from '../world/json.ts';
import { keepBoughtWorld } from '../world/kept-worlds.ts';
import { numberOfRequest, replaceWorlds, resetWorld } from '../world/merchants.ts';
import type { Change } from '../world/tables.ts';
import { WORLD_TABLES } from '../world/world.ts';
import { worldCall } from './call.ts';
import { ControlError } from './control-error.ts';
import { EXAMPLE, namedInput } from './fields.ts';
import { dropSamePrices, PRICE_LIST } from './fixture-change.ts';
import { jsonOf } from './json.ts';
import { buyStartPolicies, type MerchantAccount, type MerchantStore } from './merchant-store.ts';
import { MerchantState, NewMerchant, refuseRecords, showMerchant } from './merchants.ts';
import {
  CALL_TABLES,
  COUNTS,
  type StoredWorld,
  storedWorld,
  worldTables,
} from './stored-tables.ts';
import { createEmptyWorld, REQUIRED_VALUES, startClock } from './stored-worlds.ts';

/** The size limit of a snapshot to restore, in bytes, unless the host has a lower one. */
export const MAX_SNAPSHOT_BYTES = 64 * 1024 * 1024;

// `restoreWorld` validates the content, because it can name the place.
export const Snapshot = namedInput(
  'Snapshot',
  `A whole World as one JSON document, version ${SNAPSHOT_VERSION}.`,
  () => ({
    version: z.int().meta({ description: 'The version of the format.', const: SNAPSHOT_VERSION }),
    world: z
      .record(z.string(), z.unknown())
      .describe(
        'The whole World, table by table: a list of records, or an object of values by key. The content is internal and may change between versions.',
      ),
    test: z
      .record(z.string(), z.unknown())
      .optional()
      .describe('The failed test that a test kit saved it for: name, attempt, file, line, error.'),
  }),
  {
    version: SNAPSHOT_VERSION,
    world: {
      [WORLD_TABLES.values]: {
        merchant_id: 3,
        clock: { mode: 'frozen', at: Date.parse(EXAMPLE.now) },
      },
    },
  },
);

export const Reset = namedInput(
  'Reset',
  'What the World starts with. Default: as its merchant was created.',
  () => ({ records: NewMerchant().shape.records }),
  { records: { [EXAMPLE.familyKey]: 40 } },
);

const TOO_LARGE = 'This World is too large for a snapshot: it takes more than 512 MB.';

/** The calls that reset, save and restore a World. */
export const snapshotCalls = {
  reset: worldCall({
    operationId: 'resetWorld',
    summary: 'Reset a World',
    description:
      'Resets the World to its fixtures: records, clock, numbering, random state, faults and journal. Running calls finish in the old World. With `records` it starts with those instead, until the next reset.',
    route: 'POST /reset',
    body: Reset,
    isOptional: true,
    output: MerchantState,
    isSilent: true,
    run({ body }, merchant, store) {
      resetMerchant(store, merchant, body);
      keepBoughtWorld(store, merchant);
    },
    async serve({ body }, merchant, store) {
      resetMerchant(store, merchant, body);
      await runCooperatively(buyStartPolicies(store, merchant.row));
      keepBoughtWorld(store, merchant);
      return showMerchant(merchant);
    },
  }),
  snapshot: worldCall({
    operationId: 'getSnapshot',
    summary: 'Get a snapshot of a World',
    description:
      'Returns the whole World as one document: records, clock, pending purchases, numbering, random state, faults, journal, and the history that rewinding needs. PUT restores it.',
    route: 'GET /snapshot',
    output: Snapshot,
    conflict: TOO_LARGE,
    run: (_, { world }) => takeSnapshot(world),
    serve: (_, { world }) =>
      new Response(snapshotText(world), {
        headers: { 'content-type': 'application/json' },
      }),
  }),
  restore: worldCall({
    operationId: 'putSnapshot',
    summary: 'Restore a World from a snapshot',
    description:
      'Replaces the World. It then responds exactly as the saved World would, with request ids of its own merchant. An invalid snapshot, or one of another version, returns 422 and changes nothing.',
    route: 'PUT /snapshot',
    body: Snapshot,
    maxBytes: ({ host }) => host.limits?.maxSnapshotBytes ?? MAX_SNAPSHOT_BYTES,
    maxDepth: MAX_READ_DEPTH,
    output: MerchantState,
    argument: (snapshot) => jsonOf(snapshot, MAX_READ_DEPTH),
    isSilent: true,
    run({ body }, merchant, store) {
      restoreWorld(store, merchant, body);
      return showMerchant(merchant);
    },
  }),
};

/**
 * Resets a World to its fixtures or to the given records, whose policies are bought when it is first used. Throws 422
 * and changes nothing if it cannot have these records.
 */
function resetMerchant(
  store: MerchantStore,
  merchant: MerchantAccount,
  { records }: wire.Reset,
): void {
  const { config, created_with = config } = merchant.row;
  refuseRecords(store, records, created_with.clock);
  resetWorld(store, merchant, records);
}

/** The name of the table that only snapshots have: a restart ends the history. */
const HISTORY = 'history';

const historyTable: StoredTable<StoredWorld> = {
  name: HISTORY,
  values: HistoryStep,
  keyOf: ({ id }: { readonly id: number }) => String(id),
  most: MAX_HISTORY_STEPS,
};

const snapshotTables = () => storedTables([...worldTables().values(), historyTable]);

/** The snapshot of a World as it is now. It shares objects with the World. */
function snapshotOf(world: World) {
  // First, because it deletes expired purchases.
  const at = settledNow(world);
  const rows = rowsOf(worldTables(), storedWorld(world));
  const history = historySteps(world).map((step): Change => [HISTORY, String(step.id), step]);
  const values: Change[] = [[WORLD_TABLES.values, PRICE_LIST, priceListOf(world)]];
  for (const row of rows) {
    const [table, key] = row;
    const isValue = table === WORLD_TABLES.values;
    if (isValue && key === 'clock') values.push([table, key, { mode: world.clock.mode, at }]);
    // The time of a World is the time of its machine, which no snapshot takes along.
    else if (!isValue || (key !== COUNTS.time && key !== PRICE_LIST)) values.push(row);
  }
  return {
    version: SNAPSHOT_VERSION,
    world: documentOf(snapshotTables(), [...values, ...history]),
  };
}

/** The snapshot of a World, which shares nothing with it. */
export const takeSnapshot = (world: World): wire.Snapshot => JSON.parse(snapshotText(world));

/** The text of a snapshot. Throws 409 for a World that no text can hold. */
function snapshotText(world: World): string {
  try {
    return JSON.stringify(snapshotOf(world));
  } catch (error) {
    if (!(error instanceof RangeError)) throw error;
    throw new ControlError(409, TOO_LARGE);
  }
}

/** Replaces the World of a merchant by that of a snapshot. Throws 422 with the place of a problem, and changes nothing. */
function restoreWorld(
  store: MerchantStore,
  merchant: MerchantAccount,
  { version, world: document }: z.output<ReturnType<typeof Snapshot>>,
): void {
  if (version !== SNAPSHOT_VERSION) {
    throw new ControlError(
      422,
      `version: this sandbox reads snapshots of version ${SNAPSHOT_VERSION}, not ${version}. Take a new snapshot.`,
    );
  }
  const world = createEmptyWorld(store);
  try {
    readWorld(document, storedWorld(world, { store, merchant }));
  } catch (error) {
    if (!(error instanceof InvalidRow)) throw error;
    throw new ControlError(422, `Invalid snapshot, nothing was restored: ${error.message}`);
  }
  dropSamePrices(store, world);
  // Calls of this merchant keep their ids to themselves; the saved calls keep those of the other.
  const before = world.merchant_id !== merchant.id && merchant.hasWorld ? merchant.world : world;
  const saved = entriesOf(world.journal).map(({ id }) => numberOfRequest(id));
  world.requests = Math.max(world.requests, before.requests, ...saved);
  startClock(world);
  replaceWorlds(store, new Map([[merchant, world]]));
  store.storage?.requestSave();
}

/** Reads the `world` of a snapshot into an empty World. Throws `InvalidRow`. */
function readWorld(document: unknown, holder: StoredWorld): void {
  const { [HISTORY]: steps = [], ...tables } = readTables(snapshotTables(), document);
  for (const [name, rows] of Object.entries(tables)) putRows(worldTables(), name, rows, holder);
  refuseHighNumbers(tables);
  const place = `world.${WORLD_TABLES.values}`;
  const values = tables[WORLD_TABLES.values] as Readonly<Record<string, unknown>>;
  const needed = [...REQUIRED_VALUES, PRICE_LIST, COUNTS.steps];
  const missing = needed.find((name) => !Object.hasOwn(values, name));
  if (missing !== undefined)
    throw new InvalidRow(place, { path: [missing], message: 'is missing' });
  if (Object.hasOwn(values, COUNTS.time))
    throw new InvalidRow(place, { path: [COUNTS.time], message: 'is unknown' });
  const count = values[COUNTS.steps] as number;
  loadHistory(worldTables(), holder, holder.world.history, count, steps as unknown[]);
}

/** Nobody counts on from the numbers in bodies, which these tables have. */
const WITH_BODIES: readonly string[] = [WORLD_TABLES.faults, CALL_TABLES.journal];

function refuseHighNumbers(tables: object): void {
  for (const [name, rows] of Object.entries(tables)) {
    const [problem] = WITH_BODIES.includes(name) ? [] : findHighNumbers(rows, [name]);
    if (problem) throw new InvalidRow('world', problem);
  }
}
