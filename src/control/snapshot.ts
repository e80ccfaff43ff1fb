import * as z from 'zod/mini';
import { type Clock, clockAt, isClockInstant, readClock } from '../core/clock.ts';
import { createJournal, listExchanges, recordExchange } from '../core/journal.ts';
import { type JournalEntry as Entry, exchangeOf, presentExchange } from '../core/journal-entry.ts';
import { component } from '../core/schema.ts';
import type { Settings } from '../core/settings.ts';
import { timestamp } from '../core/time.ts';
import { createTokenBook } from '../core/tokens.ts';
import type { ProductFamily, RecordProblem } from '../products/family.ts';
import { formProblems } from '../core/form.ts';
import { futureRecords } from '../products/fixtures.ts';
import { CatalogueProduct } from '../products/product.ts';
import { anyFamilies, settle, stateOf, type World } from '../products/world.ts';
import { ControlError } from './problems.ts';
import { Fault, JournalEntry } from './schemas.ts';

/** The version of the snapshot document this sandbox writes, and the only one it reads. */
export const SNAPSHOT_VERSION = 1;

/** A whole World as one document. What is inside `world` is the sandbox's own affair. */
export interface Snapshot {
  readonly version: typeof SNAPSHOT_VERSION;
  readonly world: Readonly<Record<string, unknown>>;
}

const chance = () => z.strictObject({ state: z.array(z.int()).check(z.length(4)) });
const counts = () => z.array(z.tuple([z.string(), z.int().check(z.gte(1))]));
const moment = () =>
  z.iso
    .datetime({ precision: 3 })
    .check(
      z.refine((text) => isClockInstant(Date.parse(text)), { error: 'a moment a clock can show' }),
    );

const familyForm = (family: ProductFamily) =>
  z.strictObject({
    records: family.records(),
    pending: z.array(
      z.strictObject({ token: z.string(), initiated_at: moment(), details: family.details() }),
    ),
    used: z.array(z.string()),
  });

/** The form of the `world` of a snapshot. */
const WorldForm = component('SnapshotWorld', () =>
  z.strictObject({
    merchant_id: z.int().check(z.gte(1)),
    clock: z.strictObject({ mode: z.enum(['running', 'frozen']), now: moment() }),
    chance: chance(),
    fault_chance: chance(),
    sequences: z.record(z.string(), z.int().check(z.gte(0))),
    expired_tokens: z.array(z.tuple([z.string(), z.enum(anyFamilies.map(({ key }) => key))])),
    faults: z.array(Fault()),
    journal: z.array(JournalEntry()),
    assumed: counts(),
    products: z.array(CatalogueProduct()),
    families: z.strictObject(
      Object.fromEntries(anyFamilies.map((family) => [family.key, familyForm(family)])),
    ),
  }),
);

interface FamilyDump {
  readonly records: object;
  readonly pending: readonly { token: string; initiated_at: string; details: object }[];
  readonly used: readonly string[];
}

/** The World as a document; the World goes on without it. */
export function takeSnapshot(world: World): Snapshot {
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
export function readSnapshot(document: unknown, settings: Settings): World {
  if (typeof document !== 'object' || document === null || !('version' in document)) {
    throw new ControlError(
      422,
      'A snapshot is an object with version and world, as GET /_sandbox/snapshot answers it.',
    );
  }
  if (document.version !== SNAPSHOT_VERSION) {
    throw new ControlError(
      422,
      `version: this sandbox reads snapshots of version ${SNAPSHOT_VERSION}, not ${JSON.stringify(document.version)}; take a new one.`,
    );
  }
  const sent = (document as { world?: unknown }).world;
  const parsed = z.safeParse(WorldForm(), sent);
  if (!parsed.success) refuseBroken(formProblems(sent, parsed.error));
  const dump = parsed.data as z.output<ReturnType<typeof WorldForm>> & {
    families: Record<string, FamilyDump>;
  };

  const products = new Map(dump.products.map((product) => [product.id, product]));
  const now = Date.parse(dump.clock.now);
  const problems: string[] = [];
  const slices: Record<string, unknown> = {};
  for (const family of anyFamilies) {
    const { records, pending, used } = dump.families[family.key] as FamilyDump;
    const found = [
      ...family.review(records, { products }).map(inside('records')),
      ...futureRecords(records, timestamp(now)).map(inside('records')),
      ...reviewPending(pending, now).map(inside('pending')),
    ];
    for (const { path, message } of found) {
      problems.push(`${['families', family.key, ...path].join('.')}: ${message}`);
    }
    const state = family.createState(records);
    Object.assign(state.tokens, createTokenBook());
    for (const { token, initiated_at, details } of pending) {
      state.tokens.pending.set(token, { initiated_at: Date.parse(initiated_at), details });
    }
    for (const token of used) state.tokens.used.add(token);
    slices[family.key] = state;
  }
  if (problems.length > 0) refuseBroken(problems);

  const journal = createJournal();
  for (const entry of dump.journal) recordExchange(journal, exchangeOf(entry as Entry));
  const clock: Clock = clockAt(dump.clock.mode, now);
  return {
    merchant_id: dump.merchant_id,
    settings,
    clock,
    chance: { ...dump.chance },
    fault_chance: { ...dump.fault_chance },
    sequences: { ...dump.sequences },
    expired_tokens: new Map(dump.expired_tokens),
    faults: dump.faults as World['faults'],
    journal,
    assumed: new Map(dump.assumed),
    products,
    ...slices,
  };
}

const inside = (key: string) => (problem: RecordProblem) => ({
  ...problem,
  path: [key, ...problem.path],
});

function reviewPending(pending: FamilyDump['pending'], now: number) {
  return pending.flatMap(({ initiated_at }, position) => {
    const before = pending[position - 1]?.initiated_at ?? '';
    if (initiated_at >= before && Date.parse(initiated_at) <= now) return [];
    return [
      {
        path: [position, 'initiated_at'],
        message: `${initiated_at} is out of order, or after the clock`,
      },
    ];
  });
}

function refuseBroken(problems: readonly string[]): never {
  throw new ControlError(
    422,
    `The snapshot is broken, nothing was restored: world.${problems[0]}`,
    {
      errors: problems.map((problem) => `world.${problem}`),
    },
  );
}
