import * as z from 'zod/mini';
import { clockAt, readClock } from '../core/clock.ts';
import { formProblems } from '../core/form.ts';
import { createJournal, listExchanges, recordExchange } from '../core/journal.ts';
import { exchangeOf, presentExchange } from '../core/journal-entry.ts';
import type { Settings } from '../core/settings.ts';
import type { ProductFamily } from '../products/family.ts';
import { anyFamilies, settle, stateOf, type World } from '../products/world.ts';
import { ControlError } from './problems.ts';
import { SNAPSHOT_VERSION, type Snapshot } from './schemas/snapshot.ts';
import { type FamilyDump, type WorldDump, WorldForm } from './snapshot-form.ts';
import { reviewDump } from './snapshot-review.ts';

/** A snapshot of a World with very many records is larger than any request of the merchant API. */
export const MOST_SNAPSHOT_BYTES = 256 * 1024 * 1024;
/** A snapshot holds bodies of the merchant API, which are nested themselves. */
export const MOST_SNAPSHOT_LEVELS = 150;

/** A snapshot of the version this sandbox writes. */
export type TakenSnapshot = Snapshot & { readonly version: typeof SNAPSHOT_VERSION };

/** The World as a document; the World goes on without it. */
export function takeSnapshot(world: World): TakenSnapshot {
  const now = readClock(world.clock);
  settle(world, now);
  const dump = {
    merchant_id: world.merchant_id,
    clock: { mode: world.clock.mode, now: new Date(now).toISOString() },
    chance: { state: world.chance.state },
    fault_chance: { state: world.fault_chance.state },
    sequences: world.sequences,
    expired_tokens: [...world.expired_tokens],
    faults: world.faults,
    journal: listExchanges(world.journal).map(presentExchange),
    assumed: [...world.assumed],
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

/** The World a document describes. Refuses another version, and a document broken in any place. */
export function readSnapshot({ version, world }: Snapshot, settings: Settings): World {
  if (version !== SNAPSHOT_VERSION) {
    throw new ControlError(
      422,
      `version: this sandbox reads snapshots of version ${SNAPSHOT_VERSION}, not ${version}; take a new one.`,
    );
  }
  const parsed = z.safeParse(WorldForm(), world);
  if (!parsed.success) refuseBroken(formProblems(world, parsed.error));
  const dump = parsed.data as WorldDump;
  const problems = reviewDump(dump);
  if (problems.length > 0) refuseBroken(problems);
  return worldOf(dump, settings);
}

function worldOf(dump: WorldDump, settings: Settings): World {
  const journal = createJournal();
  for (const entry of dump.journal) recordExchange(journal, exchangeOf(entry));
  const { merchant_id, chance, fault_chance, sequences, faults } = dump;
  return {
    merchant_id,
    settings,
    clock: clockAt(dump.clock.mode, Date.parse(dump.clock.now)),
    chance,
    fault_chance,
    sequences,
    expired_tokens: new Map(dump.expired_tokens),
    faults,
    journal,
    assumed: new Map(dump.assumed),
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

/** How many problems of a document are named. */
const PROBLEMS_NAMED = 50;

function refuseBroken(problems: readonly string[]): never {
  const errors = problems
    .slice(0, PROBLEMS_NAMED)
    .map((problem) => `world.${problem}`.replace(/^world\.the document:/, 'world:'));
  throw new ControlError(422, `The snapshot is broken, nothing was restored: ${errors[0]}`, {
    errors,
  });
}
