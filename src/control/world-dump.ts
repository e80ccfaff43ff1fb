import { z } from '@hono/zod-openapi';
import { CatalogueProduct } from '../products/catalogue.ts';
import type { ProductFamily, PurchaseDetails } from '../products/family.ts';
import { anyFamilies, stateOf, type World } from '../products/world.ts';
import type { FaultRule } from '../public.ts';
import { isClockInstant } from '../world/clock.ts';
import { MAX_FAULT_RULES } from '../world/faults.ts';
import { listEntries, MAX_JOURNAL_ENTRIES } from '../world/journal.ts';
import { listed, type Streamed, streamed } from '../world/json.ts';
import { recordOf } from '../world/record-of.ts';
import type { Instant } from '../world/time.ts';
import { MAX_EXPIRED_TOKENS } from '../world/tokens.ts';
import { MAX_ID } from '../world/world.ts';
import { Fault, streamedRule } from './faults.ts';
import { SavedEntry, savedEntryJson } from './journal-entry.ts';

/*
 * The `world` of a snapshot: how it is written, and its schemas. Lists may be very long, so the schema of the whole
 * does not check their elements; elements have their own schemas.
 */

/** The state of a random generator. */
export const RandomStateDump = z.strictObject({
  state: z
    .array(
      z
        .int()
        .min(-(2 ** 31))
        .lt(2 ** 32),
    )
    .length(4)
    // A generator in the state zero produces only zeros.
    .refine((state) => state.some((part) => part !== 0), { error: 'a number other than 0' }),
});

const moment = () =>
  z.iso.datetime({ precision: 3 }).refine((text) => isClockInstant(Date.parse(text)), {
    error: 'a time within the range of clocks',
  });

/** A list whose elements are parsed one by one, later. */
export const openList = (most = Number.POSITIVE_INFINITY) =>
  z
    .custom<unknown[]>(Array.isArray, { error: 'an array', abort: true })
    .refine((elements) => elements.length <= most, { error: `at most ${most} elements` });

const familyDump = (family: ProductFamily) =>
  z.strictObject({
    records: z.strictObject(
      Object.fromEntries(Object.keys(family.records.shape).map((list) => [list, openList()])),
    ),
    pending: openList(),
    used: openList(),
  });

const createSchemas = () => ({
  world: z.strictObject({
    merchant_id: z.int().min(1).max(MAX_ID),
    clock: z.strictObject({ mode: z.enum(['running', 'frozen']), now: moment() }),
    chance: RandomStateDump,
    fault_chance: RandomStateDump,
    sequences: recordOf(z.string(), z.int().min(0).max(MAX_ID)),
    expired_tokens: openList(MAX_EXPIRED_TOKENS),
    faults: openList(MAX_FAULT_RULES),
    journal: openList(MAX_JOURNAL_ENTRIES),
    assumed: openList(),
    products: openList(),
    families: z.strictObject(
      Object.fromEntries(anyFamilies.map((family) => [family.key, familyDump(family)])),
    ),
  }),
  /** The schemas of list elements, in the order in which the lists are parsed. */
  elements: {
    expired_tokens: z.tuple([z.string(), z.enum(anyFamilies.map(({ key }) => key))]),
    faults: Fault,
    journal: SavedEntry,
    assumed: z.tuple([z.string(), z.int().min(1).max(MAX_ID)]),
    products: CatalogueProduct,
  },
  pending: Object.fromEntries(
    anyFamilies.map(({ key, details }) => [
      key,
      z.strictObject({ token: z.string().min(1), initiated_at: moment(), details }),
    ]),
  ),
  used: z.string().min(1),
});

let schemas: ReturnType<typeof createSchemas> | undefined;

/** Created on first use, because most sandboxes never read a snapshot. */
export function dumpSchemas(): ReturnType<typeof createSchemas> {
  schemas ??= createSchemas();
  return schemas;
}

/** A pending purchase in a snapshot. */
export interface PendingDump {
  readonly token: string;
  readonly initiated_at: string;
  readonly details: PurchaseDetails;
}

/** A family's part of a snapshot. */
export interface FamilyDump {
  readonly records: Readonly<Record<string, object[]>>;
  readonly pending: readonly PendingDump[];
  readonly used: readonly string[];
}

/** The `world` of a snapshot. */
export type WorldDump = Pick<
  z.output<ReturnType<typeof createSchemas>['world']>,
  'merchant_id' | 'clock' | 'chance' | 'fault_chance' | 'sequences'
> & {
  readonly expired_tokens: readonly [string, string][];
  readonly faults: FaultRule[];
  readonly journal: readonly SavedEntry[];
  readonly assumed: readonly [string, number][];
  readonly products: readonly CatalogueProduct[];
  readonly families: Readonly<Record<string, FamilyDump>>;
};

/**
 * The document of a World as it is now, even if the World changes while the document is written: parts that may change
 * are copied, and lists that only grow are read up to their current length.
 */
export function dumpWorld(world: World, now: Instant): Streamed {
  const entries = listEntries(world.journal);
  const faults = [...world.faults.values()];
  return streamed({
    merchant_id: world.merchant_id,
    clock: { mode: world.clock.mode, now: new Date(now).toISOString() },
    chance: { state: world.random.state },
    fault_chance: { state: world.fault_random.state },
    sequences: { ...sequencesOf(world), request: world.requests },
    expired_tokens: [...world.expired_tokens.entries()],
    faults: listed(() => mapped(faults, streamedRule)),
    journal: listed(() => mapped(entries, savedEntryJson)),
    assumed: [...world.assumption_counts],
    products: [...world.products.values()],
    families: streamed(
      Object.fromEntries(anyFamilies.map((family) => [family.key, dumpFamily(world, family)])),
    ),
  });
}

/** Every sequence that has started, in the order of their starts. */
const sequencesOf = ({ sequences }: World): Record<string, number> =>
  Object.fromEntries(sequences.entries());

function dumpFamily(world: World, family: ProductFamily): Streamed {
  const state = stateOf(world, family);
  const { pending, used } = state.tokens;
  const records = Object.entries(family.dumpRecords(state)).map(([list, elements]) => {
    return [list, listed(() => elements as unknown[])];
  });
  const tokens = [...pending.keys()];
  const purchases = [...pending.values()];
  const usedNow = used.size;
  return streamed({
    records: streamed(Object.fromEntries(records)),
    pending: listed(() =>
      mapped(purchases, ({ initiated_at, details }, position) => ({
        token: tokens[position],
        initiated_at: new Date(initiated_at).toISOString(),
        details,
      })),
    ),
    used: listed(() => firstOf(used.keys(), usedNow)),
  });
}

function* mapped<From, To>(
  elements: readonly From[],
  map: (element: From, position: number) => To,
): Generator<To, void> {
  for (let position = 0; position < elements.length; position++) {
    yield map(elements[position] as From, position);
  }
}

function* firstOf<Element>(elements: Iterable<Element>, count: number): Generator<Element, void> {
  let left = count;
  for (const element of elements) {
    if (left-- === 0) return;
    yield element;
  }
}
