import { OpenAPIHono, z } from '@hono/zod-openapi';
import { jsonBody } from '../api/request.ts';
import type * as wire from '../control-wire.ts';
import { addFamilies, anyFamilies, settledNow, type World } from '../products/world.ts';
import { clockAt, createWorldTime, readWorldTime, runCooperatively } from '../world/clock.ts';
import { addEntry } from '../world/journal.ts';
import { inOnePiece, type Streamed, streamed } from '../world/json.ts';
import { replaceWorlds, resetWorld } from '../world/merchants.ts';
import { recordOf } from '../world/record-of.ts';
import { createWorldCore } from '../world/world.ts';
import type { ControlEnv } from './access.ts';
import { ControlError } from './control-error.ts';
import { EXAMPLE } from './fields.ts';
import { keepOwnPrices } from './fixture-change.ts';
import { restoreEntry } from './journal-entry.ts';
import { type BodyLimits, done, inputObject, streamJson } from './json.ts';
import type { MerchantAccount, MerchantStore } from './merchant-store.ts';
import { MerchantState, showMerchant } from './merchants.ts';
import { overWorld } from './route.ts';
import {
  createProblems,
  readDump,
  reviewRecords,
  reviewTokens,
  reviewWorld,
} from './snapshot-validation.ts';
import { dumpWorld, type WorldDump } from './world-dump.ts';

/** The version of snapshots that this sandbox writes and reads. */
const SNAPSHOT_VERSION = 1;

/** A World read from a snapshot. Its clock starts when it replaces the current World. */
interface RestoredWorld {
  readonly world: World;
  readonly clock: WorldDump['clock'];
}

/** Reads the `world` of a snapshot. Yields after each piece of work. Throws 422 with the places of all problems. */
function* readWorld(
  document: unknown,
  store: Pick<
    MerchantStore,
    'settings' | 'time' | 'priceList' | 'breaksConnections' | 'host' | 'maxJournalBytes'
  >,
  merchant: MerchantAccount,
): Generator<void, RestoredWorld> {
  const { settings, time } = store;
  const problems = createProblems();
  const dump = yield* readDump(document, problems);
  const products = new Map(dump.products.map((product) => [product.id, product]));
  reviewWorld(dump, store, problems);
  const { request = 0, ...sequences } = dump.sequences;
  const core = createWorldCore(
    { settings, time: createWorldTime(time) },
    {
      merchant_id: dump.merchant_id,
      chance: dump.chance.state,
      fault_chance: dump.fault_chance.state,
    },
  );
  const records = Object.fromEntries(
    anyFamilies.map(({ key }) => [key, dump.families[key]?.records as object]),
  );
  const world = addFamilies(core, { products, records });
  keepOwnPrices(world, store);
  for (const family of anyFamilies) {
    yield* reviewRecords(family, dump, world, problems);
    yield* reviewTokens(family, dump, world, problems);
  }
  problems.throwIfAny();

  world.requests = request;
  for (const [name, last] of Object.entries(sequences)) world.sequences.load(name, last);
  for (const [token, family] of dump.expired_tokens) world.expired_tokens.load(token, family);
  for (const rule of dump.faults) world.faults.load(rule.id, rule);
  for (const [list, count] of dump.assumed) world.assumption_counts.set(list, count);
  for (const entry of dump.journal) {
    addEntry(world.journal, restoreEntry(entry, merchant), store.maxJournalBytes);
    yield;
  }
  return { world, clock: dump.clock };
}

/** The size limit of a snapshot to restore, in bytes, unless the host has a lower one. */
const MAX_SNAPSHOT_BYTES = 64 * 1024 * 1024;
/** Deeper than usual, because snapshots contain nested bodies of the merchant API. */
export const MAX_SNAPSHOT_DEPTH = 150;

// `readWorld` validates the content, because it can name every place.
export const Snapshot = inputObject({
  version: z.int().meta({ description: 'The version of the format.', const: SNAPSHOT_VERSION }),
  world: recordOf(z.string(), z.unknown()).meta({
    description: 'The whole World. The content is internal and may change between versions.',
  }),
})
  .openapi('Snapshot')
  .meta({
    description: `A whole World as one JSON document, version ${SNAPSHOT_VERSION}.`,
    examples: [
      {
        version: SNAPSHOT_VERSION,
        world: { merchant_id: 3, clock: { now: EXAMPLE.now, mode: 'frozen' } },
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
          'Returns the whole World as one document: records, clock, pending purchases, numbering, random state, faults and journal. PUT restores it.',
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
export const snapshotOf = (world: World): Streamed =>
  streamed({ version: SNAPSHOT_VERSION, world: dumpWorld(world, settledNow(world)) });

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
  const { world: restored, clock } = yield* readWorld(world, store, merchant);
  if (merchant.removed) throw new ControlError(404, 'The merchant was removed during the restore.');
  // Calls of this merchant keep their ids to themselves; the saved calls keep those of the other.
  if (restored.merchant_id !== merchant.id && merchant.hasWorld) {
    restored.requests = Math.max(restored.requests, merchant.world.requests);
  }
  restored.clock = clockAt(clock.mode, Date.parse(clock.now), readWorldTime(restored.time));
  replaceWorlds(store, new Map([[merchant, restored]]));
  store.storage?.requestSave();
}
