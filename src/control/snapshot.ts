import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { createMiddleware } from 'hono/factory';
import { jsonBody } from '../api/request.ts';
import { addFamilies, anyFamilies, settledNow, type World } from '../products/world.ts';
import { clockAt, readTime, runCooperatively } from '../world/clock.ts';
import { addEntry, restoreEntry } from '../world/journal.ts';
import { inOnePiece, type Streamed, streamed } from '../world/json.ts';
import { createWorldCore } from '../world/world.ts';
import { type ControlEnv, overWorld } from './access.ts';
import { ControlError } from './control-error.ts';
import { EXAMPLE } from './fields.ts';
import { keepOwnPrices } from './fixture-change.ts';
import { done, inputObject, parseJsonBody, streamJson } from './json.ts';
import {
  type MerchantAccount,
  type MerchantStore,
  replaceWorlds,
  resetWorld,
} from './merchant-store.ts';
import { MerchantState, showMerchant } from './merchants.ts';
import { BODY_PROBLEMS, CHANGE_PROBLEMS, problems } from './problems.ts';
import {
  createProblems,
  readDump,
  reviewRecords,
  reviewTokens,
  reviewWorld,
} from './snapshot-validation.ts';
import { dumpWorld, type WorldDump } from './world-dump.ts';

/** The version of the snapshot document this sandbox writes, and the only one it reads. */
const SNAPSHOT_VERSION = 1;

/** A World that a document describes; its clock begins when it takes its place. */
interface RestoredWorld {
  readonly world: World;
  readonly clock: WorldDump['clock'];
}

/**
 * The World that the `world` of a snapshot describes, made piece by piece: it yields after each. A document
 * with anything wrong is refused with 422 and the places.
 */
function* readWorld(
  document: unknown,
  store: Pick<
    MerchantStore,
    'settings' | 'time' | 'priceList' | 'breaksConnections' | 'host' | 'maxJournalBytes'
  >,
): Generator<void, RestoredWorld> {
  const { settings, time } = store;
  const problems = createProblems();
  const dump = yield* readDump(document, problems);
  const products = new Map(dump.products.map((product) => [product.id, product]));
  reviewWorld(dump, store, problems);
  const { request = 0, ...sequences } = dump.sequences;
  const core = createWorldCore(
    { settings, time },
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
    addEntry(world.journal, restoreEntry(entry), store.maxJournalBytes);
    yield;
  }
  return { world, clock: dump.clock };
}

/** How large a snapshot may be that is put back, in bytes, where there is room for it. */
const MAX_SNAPSHOT_BYTES = 64 * 1024 * 1024;
/** It holds bodies of the merchant API, which are nested themselves. */
export const MAX_SNAPSHOT_DEPTH = 150;

// What a snapshot holds is checked in full by the rule that reads it, which can name every place.
export const Snapshot = inputObject({
  version: z.int().meta({ description: 'The form of `world`.', examples: [SNAPSHOT_VERSION] }),
  world: z.record(z.string(), z.unknown()).meta({
    description: "All the World remembers. What is inside is the sandbox's own affair.",
  }),
})
  .openapi('Snapshot')
  .meta({
    description: `A whole World as one document, version ${SNAPSHOT_VERSION}.`,
    examples: [
      {
        version: SNAPSHOT_VERSION,
        world: { merchant_id: 3, clock: { now: EXAMPLE.now, mode: 'frozen' } },
      },
    ],
  });
export type Snapshot = z.output<typeof Snapshot>;

/** A snapshot of the version this sandbox writes. */
export type TakenSnapshot = Snapshot & { readonly version: typeof SNAPSHOT_VERSION };

const parseSnapshot = createMiddleware<ControlEnv>((c, next) => {
  const { maxSnapshotBytes: maxBytes = MAX_SNAPSHOT_BYTES } = c.env.merchants.host;
  return parseJsonBody({ maxBytes, maxDepth: MAX_SNAPSHOT_DEPTH })(c, next);
});

/** A World whole: made anew, taken as a document, put back. */
export const snapshot = () =>
  new OpenAPIHono<ControlEnv>()
    .openapi(
      createRoute({
        operationId: 'resetWorld',
        summary: 'Make a World what the fixtures made it',
        description:
          'Records, clock, numbering, chance, faults and journal. Calls under way finish in the World they began with.',
        method: 'post',
        path: '/reset',
        ...overWorld(),
        responses: { 200: done(MerchantState), ...problems(401, ...CHANGE_PROBLEMS) },
      }),
      (c) => {
        const { merchant } = c.var;
        resetWorld(c.env.merchants, merchant);
        return c.json(showMerchant(merchant), 200);
      },
    )
    .openapi(
      createRoute({
        operationId: 'getSnapshot',
        summary: 'Take a World as one document',
        description:
          'Records, clock, pending purchases, numbering, chance, faults and journal. The World goes on as before; PUT takes the document back.',
        method: 'get',
        path: '/snapshot',
        ...overWorld(),
        responses: { 200: done(Snapshot), ...problems(401) },
      }),
      (c) => streamJson<Snapshot>(snapshotOf(c.var.merchant.world)),
    )
    .openapi(
      createRoute({
        operationId: 'putSnapshot',
        summary: 'Put a World back as a snapshot holds it',
        description:
          'Every answer is then the one the saved World would give. A document that is broken in any place, or of another version, changes nothing.',
        method: 'put',
        path: '/snapshot',
        ...overWorld(parseSnapshot),
        request: jsonBody(Snapshot),
        responses: {
          200: done(MerchantState),
          ...problems(401, ...BODY_PROBLEMS, ...CHANGE_PROBLEMS),
        },
      }),
      async (c) => {
        const { merchant } = c.var;
        await runCooperatively(restoreWorld(c.env.merchants, merchant, c.req.valid('json')));
        return c.json(showMerchant(merchant), 200);
      },
    );

/** The document of a World as it is at this moment; the World goes on without it. */
export const snapshotOf = (world: World): Streamed =>
  streamed({ version: SNAPSHOT_VERSION, world: dumpWorld(world, settledNow(world)) });

/** The same in one piece. */
export const takeSnapshot = (world: World): TakenSnapshot =>
  inOnePiece(snapshotOf(world)) as TakenSnapshot;

/**
 * Puts a World back as a snapshot holds it, piece by piece: it yields after each, and the old World goes on
 * until the new one is whole. Throws 422 naming the places, and changes nothing, where any is broken.
 */
export function* restoreWorld(
  store: MerchantStore,
  merchant: MerchantAccount,
  { version, world }: Snapshot,
): Generator<void, void> {
  if (version !== SNAPSHOT_VERSION) {
    throw new ControlError(
      422,
      `version: this sandbox reads snapshots of version ${SNAPSHOT_VERSION}, not ${version}; take a new one.`,
    );
  }
  const { world: restored, clock } = yield* readWorld(world, store);
  if (merchant.removed) throw new ControlError(404, 'The merchant was removed meanwhile.');
  restored.clock = clockAt(clock.mode, Date.parse(clock.now), readTime(store.time));
  replaceWorlds(store, new Map([[merchant, restored]]));
  store.storage?.requestSave();
}
