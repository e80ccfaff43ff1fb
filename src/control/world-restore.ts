import { addFamilies, anyFamilies, type World } from '../products/world.ts';
import { clockAt, readTime } from '../world/clock.ts';
import { addEntry, restoreEntry } from '../world/journal.ts';
import { createWorldCore } from '../world/world.ts';
import { ControlError } from './control-error.ts';
import type { MerchantStore } from './merchant-store.ts';
import { keepOwnPrices } from './price-lists.ts';
import {
  type Problems,
  readDump,
  reviewRecords,
  reviewTokens,
  reviewWorld,
} from './snapshot-validation.ts';
import type { WorldDump } from './world-dump.ts';

/** The version of the snapshot document this sandbox writes, and the only one it reads. */
export const SNAPSHOT_VERSION = 1;

/** A World that a document describes; its clock begins when it takes its place. */
export interface RestoredWorld {
  readonly world: World;
  readonly clock: WorldDump['clock'];
}

/** Refuses a document of another version. */
export function requireVersion(version: unknown): void {
  if (version === SNAPSHOT_VERSION) return;
  throw new ControlError(
    422,
    `version: this sandbox reads snapshots of version ${SNAPSHOT_VERSION}, not ${version}; take a new one.`,
  );
}

/**
 * The World that the `world` of a snapshot describes, made piece by piece: it yields after each. A document
 * with anything wrong is refused with 422 and the places.
 */
export function* readWorld(
  document: unknown,
  place: string,
  store: Pick<
    MerchantStore,
    'settings' | 'time' | 'priceList' | 'breaksConnections' | 'host' | 'maxJournalBytes'
  >,
  problems: Problems,
): Generator<void, RestoredWorld> {
  const { settings, time } = store;
  const dump = yield* readDump(document, place, problems);
  const products = new Map(dump.products.map((product) => [product.id, product]));
  reviewWorld(dump, place, store, problems);
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
    yield* reviewRecords(family, dump, world, place, problems);
    yield* reviewTokens(family, dump, world, place, problems);
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

/** A restored World whose clock shows what the document says, from now on. */
export function started(
  { time }: Pick<MerchantStore, 'time'>,
  { world, clock }: RestoredWorld,
): World {
  world.clock = clockAt(clock.mode, Date.parse(clock.now), readTime(time));
  return world;
}
