/* A World as one document, and back: the rows that a state file would keep, and the history. */

import { OpenAPIHono, z } from '@hono/zod-openapi';
import { jsonBody } from '../api/request.ts';
import type { ControlEnv } from '../control/access.ts';
import { ControlError } from '../control/control-error.ts';
import { streamedRule } from '../control/faults.ts';
import { EXAMPLE } from '../control/fields.ts';
import { dropSamePrices, loadPrices, rowOfPrices } from '../control/fixture-change.ts';
import { snapshotEntryJson } from '../control/journal-entry.ts';
import { type BodyLimits, done, streamJson } from '../control/json.ts';
import type { MerchantAccount, MerchantStore } from '../control/merchant-store.ts';
import { MerchantState, showMerchant } from '../control/merchants.ts';
import { overWorld } from '../control/route.ts';
import type * as wire from '../control-wire.ts';
import { priceDocument, settledNow, type World } from '../products/world.ts';
import { runCooperatively } from '../world/clock.ts';
import { countSteps } from '../world/history.ts';
import { inputObject } from '../world/input-object.ts';
import { listEntries } from '../world/journal.ts';
import { inOnePiece, listed, type Streamed, streamed, streamedEntries } from '../world/json.ts';
import { replaceWorlds, resetWorld } from '../world/merchants.ts';
import { formatIssues, isPlainObject, truncate } from '../world/problem-texts.ts';
import { recordOf } from '../world/record-of.ts';
import type { Table } from '../world/tables.ts';
import { WORLD_TABLES } from '../world/world.ts';
import { checkWorld } from './check-world.ts';
import { historyRows, loadHistory, stepsNow } from './history-rows.ts';
import { createEmptyWorld, loadWorldRow, startClock } from './load-rows.ts';
import {
  formsOfWorld,
  placed,
  type RowReading,
  readRow,
  SAVED_TABLES,
  SAVED_VALUES,
  SNAPSHOT_TABLES,
  UNKNOWN,
} from './rows.ts';

/** The version of snapshots that this sandbox writes and reads. */
export const SNAPSHOT_VERSION = 2;

/** The size limit of a snapshot to restore, in bytes, unless the host has a lower one. */
const MAX_SNAPSHOT_BYTES = 64 * 1024 * 1024;
/** Deeper than usual, because snapshots contain nested bodies of the merchant API. */
export const MAX_SNAPSHOT_DEPTH = 150;

// `readWorld` validates the content, because it can name every place.
export const Snapshot = inputObject({
  version: z.int().meta({ description: 'The version of the format.', const: SNAPSHOT_VERSION }),
  world: recordOf(z.string(), z.unknown()).meta({
    description:
      'The whole World, table by table: a list of records, or an object of values by key. The content is internal and may change between versions.',
  }),
})
  .openapi('Snapshot')
  .meta({
    description: `A whole World as one JSON document, version ${SNAPSHOT_VERSION}.`,
    examples: [
      {
        version: SNAPSHOT_VERSION,
        world: {
          [WORLD_TABLES.values]: {
            merchant_id: 3,
            clock: { mode: 'frozen', at: Date.parse(EXAMPLE.now) },
          },
        },
      },
    ],
  });

const limitsOfSnapshot = ({ merchants }: ControlEnv['Bindings']): BodyLimits => ({
  maxBytes: merchants.host.limits?.maxSnapshotBytes ?? MAX_SNAPSHOT_BYTES,
  maxDepth: MAX_SNAPSHOT_DEPTH,
});

/** The routes that reset, save and restore a World. */
export const snapshot = () =>
  new OpenAPIHono<ControlEnv>()
    .openapi(
      overWorld({
        operationId: 'resetWorld',
        summary: 'Reset a World',
        description:
          'Resets the World to its fixtures: records, clock, numbering, random state, faults and journal. Running calls finish in the old World.',
        method: 'post',
        path: '/reset',
        responses: { 200: done(MerchantState) },
      }),
      (c) => {
        const { merchant } = c.var;
        resetWorld(c.env.merchants, merchant);
        return c.json(showMerchant(merchant), 200);
      },
    )
    .openapi(
      overWorld({
        operationId: 'getSnapshot',
        summary: 'Get a snapshot of a World',
        description:
          'Returns the whole World as one document: records, clock, pending purchases, numbering, random state, faults, journal, and the history that rewinding needs. PUT restores it.',
        method: 'get',
        path: '/snapshot',
        responses: { 200: done(Snapshot) },
      }),
      (c) => streamJson<wire.Snapshot>(snapshotOf(c.var.merchant.world)),
    )
    .openapi(
      overWorld(
        {
          operationId: 'putSnapshot',
          summary: 'Restore a World from a snapshot',
          description:
            'Replaces the World. It then responds exactly as the saved World would, with request ids of its own merchant. An invalid snapshot, or one of another version, returns 422 and changes nothing.',
          method: 'put',
          path: '/snapshot',
          request: jsonBody(Snapshot),
          responses: {
            200: done(MerchantState),
          },
        },
        limitsOfSnapshot,
      ),
      async (c) => {
        const { merchant } = c.var;
        await runCooperatively(restoreWorld(c.env.merchants, merchant, c.req.valid('json')));
        return c.json(showMerchant(merchant), 200);
      },
    );

/** The snapshot of a World as it is now, streamed. Later changes do not affect it. */
export function snapshotOf(world: World): Streamed {
  // First, because it deletes expired purchases.
  const values = presentValues(world);
  const steps = stepsNow(world);
  const history = historyRows(world, steps);
  const rules = [...world.faults.values()];
  const entries = listEntries(world.journal);
  const presented: Readonly<Record<string, unknown>> = {
    [WORLD_TABLES.values]: {
      ...values,
      [SAVED_VALUES.steps]: (steps.at(-1)?.[0] ?? countSteps(world.history) - 1) + 1,
    },
    [WORLD_TABLES.faults]: listed(() => mapped(rules, streamedRule)),
    [SAVED_TABLES.journal]: listed(() => mapped(entries, snapshotEntryJson)),
    [SAVED_TABLES.assumed]: Object.fromEntries(world.assumption_counts),
    [SNAPSHOT_TABLES.history]: listed(() => history),
  };
  const tables = Array.from(formsOfWorld(), ([name, { keyOf }]) => [
    name,
    presented[name] ??
      rowsNow(world.tables.byName.get(name) as Table<unknown>, keyOf !== undefined),
  ]);
  return streamed({ version: SNAPSHOT_VERSION, world: streamed(Object.fromEntries(tables)) });
}

/** The single values of a World. Its clock shows `at` at the moment of restoring. */
function presentValues(world: World) {
  const now = settledNow(world);
  return {
    merchant_id: world.merchant_id,
    clock: { mode: world.clock.mode, at: now },
    random: world.random.state,
    fault_random: world.fault_random.state,
    price_list: priceDocument(world),
    [SAVED_VALUES.requests]: world.requests,
  };
}

/** The rows that a table has now: a list of records, or values by key. */
function rowsNow(table: Table<unknown>, isList: boolean): unknown {
  const values = [...table.values()];
  if (isList) return listed(() => values);
  const keys = [...table.keys()];
  return streamedEntries(() => mapped(keys, (key, place) => [key, values[place]] as const));
}

function* mapped<From, To>(
  elements: readonly From[],
  map: (element: From, position: number) => To,
): Generator<To, void> {
  for (let position = 0; position < elements.length; position++) {
    yield map(elements[position] as From, position);
  }
}

/** The snapshot as one object. */
export const takeSnapshot = (world: World): wire.Snapshot =>
  inOnePiece(snapshotOf(world)) as wire.Snapshot;

/**
 * Restores a World from a snapshot. Yields after each piece of work; the old World stays until the new one is complete.
 * Throws 422 with the places of all problems, and then changes nothing.
 */
export function* restoreWorld(
  store: MerchantStore,
  merchant: MerchantAccount,
  { version, world }: z.output<typeof Snapshot>,
): Generator<void, void> {
  if (version !== SNAPSHOT_VERSION) {
    throw new ControlError(
      422,
      `version: this sandbox reads snapshots of version ${SNAPSHOT_VERSION}, not ${version}. Take a new snapshot.`,
    );
  }
  const restored = yield* readWorld(world, store, merchant);
  if (merchant.removed) throw new ControlError(404, 'The merchant was removed during the restore.');
  // Calls of this merchant keep their ids to themselves; the saved calls keep those of the other.
  if (restored.merchant_id !== merchant.id && merchant.hasWorld) {
    restored.requests = Math.max(restored.requests, merchant.world.requests);
  }
  // Again, because reading takes time.
  startClock(restored);
  replaceWorlds(store, new Map([[merchant, restored]]));
  store.storage?.requestSave();
}

/** Reads the `world` of a snapshot. Throws 422 with the places of all problems. */
function* readWorld(
  document: unknown,
  store: MerchantStore,
  merchant: MerchantAccount,
): Generator<void, World> {
  const problems = createProblems();
  const world = createEmptyWorld(store);
  const { [SNAPSHOT_TABLES.history]: steps, ...tables } = readTables(document, problems);
  for (const [table, rows = {}] of Object.entries(tables)) {
    const positions = new Map<string, number>();
    for (const [at, row] of readRows(table, rows)) {
      yield;
      const place = `world.${table}.${at}`;
      const first = 'key' in row && positions.get(row.key);
      if ('problems' in row) problems.note(row.problems.map((line) => placed(place, line)));
      else if (typeof first === 'number') {
        const { key } = row;
        problems.note([`${place}: ${truncate(key)} is already used by world.${table}.${first}`]);
      } else {
        if (typeof at === 'number') positions.set(row.key, at);
        loadWorldRow(store, merchant, world, [table, row.key, row.value]);
      }
    }
  }
  problems.throwIfAny();
  if (world.clock) startClock(world);
  if (!rowOfPrices(world)) problems.note([`world.${WORLD_TABLES.values}.price_list: is missing`]);
  loadPrices(store, world);
  for (const line of checkWorld(world, store)) {
    if (line !== undefined) problems.note([`world.${line}`]);
    yield;
  }
  problems.throwIfAny();
  const hasSteps = Object.hasOwn(tables[WORLD_TABLES.values] as object, SAVED_VALUES.steps);
  for (const line of loadHistory(world, store, steps as readonly unknown[] | undefined, hasSteps)) {
    if (line !== undefined) problems.note([`world.${line}`]);
    yield;
  }
  problems.throwIfAny();
  dropSamePrices(store, world);
  return world;
}

const createTablesSchema = () =>
  z.strictObject(
    Object.fromEntries(
      Array.from(formsOfWorld(), ([name, { keyOf, most = Number.POSITIVE_INFINITY }]) => [
        name,
        optionalIf(
          name === SNAPSHOT_TABLES.history,
          z
            .custom<object>(keyOf ? Array.isArray : isPlainObject, {
              error: keyOf ? 'an array' : 'an object',
              abort: true,
            })
            .refine((rows) => Object.keys(rows).length <= most, {
              error: `at most ${most} elements`,
            }),
        ),
      ]),
    ),
  );

const optionalIf = (
  condition: boolean,
  schema: z.ZodType<object>,
): z.ZodType<object | undefined> => (condition ? schema.optional() : schema);

let tablesSchema: ReturnType<typeof createTablesSchema> | undefined;

/** The tables of a snapshot. Their rows are read one by one. Throws 422 if a table is missing or unknown. */
function readTables(
  document: unknown,
  problems: Problems,
): Readonly<Record<string, object | undefined>> {
  tablesSchema ??= createTablesSchema();
  const parsed = tablesSchema.safeParse(document);
  if (parsed.success) return parsed.data;
  problems.note(formatIssues(document, parsed.error).map((line) => placed('world', line)));
  return problems.refuse();
}

/** Reads the rows of a table, and removes those of a list. Each comes with its position in a list, or with its key. */
function* readRows(
  table: string,
  rows: object,
): Generator<readonly [at: number | string, row: RowReading], void> {
  if (Array.isArray(rows)) {
    for (const [position, value] of rows.entries()) {
      // Otherwise memory would hold a long list twice.
      rows[position] = undefined;
      yield [position, readRow(table, undefined, value)];
    }
    return;
  }
  for (const [key, value] of Object.entries(rows)) {
    // The time of a World is the time of its machine, which no snapshot takes along.
    const isTime = table === WORLD_TABLES.values && key === SAVED_VALUES.time;
    yield [key, isTime ? UNKNOWN : readRow(table, key, value)];
  }
}

/** The highest number of problems that are reported. */
const MAX_PROBLEMS = 50;

type Problems = ReturnType<typeof createProblems>;

/** Collects the problems of a snapshot, one line each with its place. */
function createProblems() {
  const errors: string[] = [];
  const refuse = (): never => {
    throw new ControlError(422, `Invalid snapshot, nothing was restored: ${errors[0]}`, { errors });
  };
  return {
    refuse,
    /** Adds lines. Throws 422 once there are too many. */
    note(lines: readonly string[]): void {
      for (const line of lines) {
        errors.push(line);
        if (errors.length === MAX_PROBLEMS) refuse();
      }
    },
    throwIfAny(): void {
      if (errors.length > 0) refuse();
    },
  };
}
