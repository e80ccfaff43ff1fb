import { createRoute, OpenAPIHono, z } from '@hono/zod-openapi';
import { clockAt, readTime, type Time } from '../core/clock.ts';
import {
  addEntry,
  createJournal,
  listEntries,
  presentEntry,
  restoreEntry,
} from '../core/journal.ts';
import type { Settings } from '../core/settings.ts';
import { jsonBody } from '../http/request.ts';
import type { ProductFamily } from '../products/family.ts';
import { anyFamilies, settledNow, stateOf, type World } from '../products/world.ts';
import { type ControlEnv, overWorld } from './access.ts';
import { ControlError } from './control-error.ts';
import { EXAMPLE } from './examples.ts';
import {
  type MerchantAccount,
  type MerchantStore,
  replaceWorld,
  resetWorld,
} from './merchant-store.ts';
import { MerchantState, showMerchant } from './merchants.ts';
import { BODY_PROBLEMS, CHANGE_PROBLEMS, problems } from './problems.ts';
import { inputObject, parseJsonBody } from './request.ts';
import { done } from './responses.ts';
import { type FamilyDump, validateWorldDump, type WorldDump } from './snapshot-validation.ts';

/** The version of the snapshot document this sandbox writes, and the only one it reads. */
export const SNAPSHOT_VERSION = 1;

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

/** A snapshot of a World with very many records is larger than any request of the merchant API. */
const MAX_SNAPSHOT_BYTES = 256 * 1024 * 1024;
/** A snapshot holds bodies of the merchant API, which are nested themselves. */
export const MAX_SNAPSHOT_DEPTH = 150;

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
      (c) => c.json(takeSnapshot(c.var.merchant.world), 200),
    )
    .openapi(
      createRoute({
        operationId: 'putSnapshot',
        summary: 'Put a World back as a snapshot holds it',
        description:
          'Every answer is then the one the saved World would give. A document that is broken in any place, or of another version, changes nothing.',
        method: 'put',
        path: '/snapshot',
        ...overWorld(parseJsonBody({ maxBytes: MAX_SNAPSHOT_BYTES, maxDepth: MAX_SNAPSHOT_DEPTH })),
        request: jsonBody(Snapshot),
        responses: {
          200: done(MerchantState),
          ...problems(401, ...BODY_PROBLEMS, ...CHANGE_PROBLEMS),
        },
      }),
      (c) => {
        const { merchant } = c.var;
        restoreWorld(c.env.merchants, merchant, c.req.valid('json'));
        return c.json(showMerchant(merchant), 200);
      },
    );

/** The World as a document; the World goes on without it. */
export function takeSnapshot(world: World): TakenSnapshot {
  const now = settledNow(world);
  const dump = {
    merchant_id: world.merchant_id,
    clock: { mode: world.clock.mode, now: new Date(now).toISOString() },
    chance: { state: world.chance.state },
    fault_chance: { state: world.fault_chance.state },
    sequences: world.sequences,
    expired_tokens: [...world.expired_tokens],
    faults: world.faults,
    journal: listEntries(world.journal).map(presentEntry),
    assumed: [...world.assumption_counts],
    products: [...world.products.values()],
    families: Object.fromEntries(
      anyFamilies.map((family) => [family.key, dumpFamily(world, family)]),
    ),
  };
  return { version: SNAPSHOT_VERSION, world: structuredClone(dump) };
}

function dumpFamily(world: World, family: ProductFamily): FamilyDump {
  const state = stateOf(world, family);
  return {
    records: family.dumpRecords(state),
    pending: [...state.tokens.pending].map(([token, { initiated_at, details }]) => ({
      token,
      initiated_at: new Date(initiated_at).toISOString(),
      details,
    })),
    used: [...state.tokens.used],
  };
}

/** Puts a World back as a snapshot holds it, or changes nothing and throws 422 naming the places. */
export function restoreWorld(
  { settings, time }: Pick<MerchantStore, 'settings' | 'time'>,
  merchant: MerchantAccount,
  saved: Snapshot,
): void {
  replaceWorld(merchant, readSnapshot(saved, settings, time));
}

/** The World a document describes. Throws 422 on another version, and on a document broken in any place. */
export function readSnapshot({ version, world }: Snapshot, settings: Settings, time: Time): World {
  if (version !== SNAPSHOT_VERSION) {
    throw new ControlError(
      422,
      `version: this sandbox reads snapshots of version ${SNAPSHOT_VERSION}, not ${version}; take a new one.`,
    );
  }
  const { dump, problems } = validateWorldDump(world);
  if (!dump) refuseBroken(problems);
  return worldFrom(dump, settings, time);
}

/** How many problems of a document are named. */
const MAX_PROBLEMS = 50;

function refuseBroken(problems: readonly string[]): never {
  const errors = problems
    .slice(0, MAX_PROBLEMS)
    .map((problem) => `world.${problem}`.replace(/^world\.the document:/, 'world:'));
  throw new ControlError(422, `The snapshot is broken, nothing was restored: ${errors[0]}`, {
    errors,
  });
}

function worldFrom(dump: WorldDump, settings: Settings, time: Time): World {
  const journal = createJournal();
  for (const entry of dump.journal) addEntry(journal, restoreEntry(entry));
  const { merchant_id, chance, fault_chance, sequences, faults } = dump;
  return {
    merchant_id,
    settings,
    time,
    clock: clockAt(dump.clock.mode, Date.parse(dump.clock.now), readTime(time)),
    chance,
    fault_chance,
    sequences,
    expired_tokens: new Map(dump.expired_tokens),
    faults,
    journal,
    assumption_counts: new Map(dump.assumed),
    products: new Map(dump.products.map((product) => [product.id, product])),
    ...Object.fromEntries(
      anyFamilies.map((family) => [family.key, stateFrom(family, dump.families[family.key])]),
    ),
  };
}

function stateFrom(family: ProductFamily, dump: FamilyDump | undefined) {
  const { records, pending, used } = dump as FamilyDump;
  const state = family.createState(records);
  for (const { token, initiated_at, details } of pending) {
    state.tokens.pending.set(token, { initiated_at: Date.parse(initiated_at), details });
  }
  for (const token of used) state.tokens.used.add(token);
  return state;
}
