import { clockAt, readTime } from '../core/clock.ts';
import { addEntry, createJournal } from '../core/journal.ts';
import { restoreEntry } from '../core/journal-entry.ts';
import { type Streamed, streamed } from '../core/json-pieces.ts';
import { anyFamilies, type FamilyState, type World } from '../products/world.ts';
import { ControlError } from './control-error.ts';
import { type MerchantAccount, type MerchantStore, replaceWorld } from './merchant-store.ts';
import {
  type Problems,
  readDump,
  reviewRecords,
  reviewTokens,
  reviewWorld,
} from './snapshot-validation.ts';
import { dumpWorld, type WorldDump } from './world-dump.ts';

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
    'settings' | 'time' | 'breaksConnections' | 'host' | 'maxJournalBytes'
  >,
  problems: Problems,
): Generator<void, RestoredWorld> {
  const { settings, time } = store;
  const dump = yield* readDump(document, place, problems);
  const products = new Map(dump.products.map((product) => [product.id, product]));
  reviewWorld(dump, place, store, problems);
  const states: Record<string, FamilyState> = {};
  for (const family of anyFamilies) {
    const state = yield* reviewRecords(family, dump, { products }, place, problems);
    yield* reviewTokens(family, dump, { products }, state, place, problems);
    states[family.key] = state;
  }
  problems.throwIfAny();

  const journal = createJournal();
  for (const entry of dump.journal) {
    addEntry(journal, restoreEntry(entry), store.maxJournalBytes);
    yield;
  }
  const { merchant_id, chance, fault_chance, sequences, faults, clock } = dump;
  const world: World = {
    merchant_id,
    settings,
    time,
    clock: clockAt(clock.mode, Date.parse(clock.now), readTime(time)),
    chance,
    fault_chance,
    sequences,
    expired_tokens: new Map(dump.expired_tokens),
    faults,
    journal,
    assumption_counts: new Map(dump.assumed),
    products,
    ...states,
  };
  return { world, clock };
}

/** The document it was described by. */
export const documentOf = ({ world, clock }: RestoredWorld): Streamed =>
  streamed({ version: SNAPSHOT_VERSION, world: dumpWorld(world, Date.parse(clock.now)) });

/** Makes a restored World that of a merchant. Its clock shows what the document says, from now on. */
export function takePlace(
  { time }: Pick<MerchantStore, 'time'>,
  merchant: MerchantAccount,
  { world, clock }: RestoredWorld,
): void {
  world.clock = clockAt(clock.mode, Date.parse(clock.now), readTime(time));
  replaceWorld(merchant, world);
}
