import { z } from '@hono/zod-openapi';
import { Fault } from '../control/faults.ts';
import { SavedEntry, saveEntry } from '../control/journal-entry.ts';
import { RandomStateDump } from '../control/world-dump.ts';
import { CatalogueProduct } from '../products/catalogue.ts';
import { PolicyCounts } from '../products/planned-purchases.ts';
import { anyFamilies, type World } from '../products/world.ts';
import { isClockInstant } from '../world/clock.ts';
import { listEntries, type StoredEntry } from '../world/journal.ts';
import { SANDBOX_TABLES } from '../world/merchants.ts';
import { formatIssues } from '../world/problem-texts.ts';
import { MAX_SEED } from '../world/random.ts';
import { type Change, rowsOf } from '../world/tables.ts';
import { MAX_ID, WORLD_TABLES } from '../world/world.ts';

/** What is stored with every checkpoint, but not with every change. */
export const SAVED_TABLES = { journal: 'journal', assumed: 'assumed' } as const;
export const SAVED_VALUES = {
  requests: 'requests',
  time: 'time',
  anonymousRequests: 'anonymous_requests',
} as const;

/** The row of a journal entry, always redacted. */
export const journalRow = (entry: StoredEntry): Change => [
  SAVED_TABLES.journal,
  entry.id,
  saveEntry(entry),
];

export const requestsRow = ({ requests }: World): Change => [
  WORLD_TABLES.values,
  SAVED_VALUES.requests,
  requests,
];

export const timeRow = ({ time }: World): Change => [
  WORLD_TABLES.values,
  SAVED_VALUES.time,
  time.latest,
];

export const assumedRow = ({ assumption_counts: counts }: World, list: string): Change => [
  SAVED_TABLES.assumed,
  list,
  counts.get(list) ?? null,
];

/** The rows that are not in tables: time, request count, assumption counts and journal. */
export function* shownRows(world: World): Generator<Change, void> {
  yield timeRow(world);
  yield requestsRow(world);
  for (const list of world.assumption_counts.keys()) yield assumedRow(world, list);
  for (const entry of listEntries(world.journal)) yield journalRow(entry);
}

/** All rows of a World. */
export function* savedRows(world: World): Generator<Change, void> {
  yield* rowsOf(world.tables);
  yield* shownRows(world);
}

const moment = () => z.int().refine(isClockInstant, { error: 'a time within the range of clocks' });
const clockMode = () => z.enum(['running', 'frozen']);
const count = () => z.int().min(0).max(MAX_ID);
const random = RandomStateDump.shape.state;
const listed = z.literal(true);

const createPriceListSchema = () =>
  z.strictObject({
    products: z.array(CatalogueProduct),
    records: z.strictObject(
      Object.fromEntries(
        anyFamilies.map(({ key, records, policyList }) => {
          const { [policyList]: _, ...prices } = records.shape;
          return [key, z.strictObject(prices)];
        }),
      ),
    ),
  });

/** The schema of each table, or of each key if the rows of a table differ. */
type Schemas = Readonly<Record<string, z.ZodType | Readonly<Record<string, z.ZodType>>>>;

const createSchemas = (): Schemas => {
  const priceList = createPriceListSchema();
  return {
    [SANDBOX_TABLES.merchants]: z.strictObject({
      id: z.int().min(1).max(MAX_ID),
      name: z.string(),
      api_key: z.string().regex(/^\S+$/),
      config: z.strictObject({
        records: z.union([z.enum(['none', 'own', 'demo']), PolicyCounts]),
        clock: z.strictObject({ now: moment().optional(), mode: clockMode() }),
        seed: z.int().min(0).max(MAX_SEED),
      }),
      since: moment(),
    }),
    [SANDBOX_TABLES.blocked]: listed,
    [SANDBOX_TABLES.values]: {
      chance: random,
      last_id: count(),
      run: z.int().min(1),
      fixtures: z.strictObject({ merchants: z.array(z.int()), price_list: priceList }),
      [SAVED_VALUES.anonymousRequests]: count(),
    },
    [WORLD_TABLES.values]: {
      merchant_id: z.int().min(1).max(MAX_ID),
      clock: z.strictObject({ mode: clockMode(), at: moment(), since: moment() }),
      chance: random,
      fault_chance: random,
      price_list: priceList,
      [SAVED_VALUES.time]: moment(),
      [SAVED_VALUES.requests]: count(),
    },
    [WORLD_TABLES.sequences]: count(),
    [WORLD_TABLES.faults]: Fault,
    [WORLD_TABLES.expired]: z.enum(anyFamilies.map(({ key }) => key)),
    [SAVED_TABLES.journal]: SavedEntry,
    [SAVED_TABLES.assumed]: count(),
    ...Object.fromEntries(
      anyFamilies.flatMap(({ key, records, policyList, details }) => [
        [`${key}.${policyList}`, records.shape[policyList]?.element as z.ZodType],
        [`${key}.pending`, z.strictObject({ initiated_at: moment(), details })],
        [`${key}.used`, listed],
      ]),
    ),
  };
};

let schemas: Schemas | undefined;

const ownValue = <Value>(
  object: Readonly<Record<string, Value>>,
  key: string,
): Value | undefined => (Object.hasOwn(object, key) ? object[key] : undefined);

/** Validates a row. The value null means deleted. Throws an `Error` that names the row and the field. */
export function checkRow([table, key, value]: Change): void {
  // Created on first use, because most sandboxes never read a state.
  schemas ??= createSchemas();
  const found = ownValue(schemas, table);
  if (found === undefined) throw new Error(`unknown table ${JSON.stringify(table)}`);
  const schema =
    found instanceof z.ZodType ? found : ownValue(found as Record<string, z.ZodType>, key);
  if (!schema) throw new Error(`unknown key ${JSON.stringify(key)} in table ${table}`);
  const isDeletable = ownValue<string>(SAVED_TABLES, table) === undefined;
  if (value === null && isDeletable) return;
  const parsed = schema.safeParse(value);
  if (parsed.success) return;
  const [problem = ''] = formatIssues(value, parsed.error);
  throw new Error(`${table} ${JSON.stringify(key)}: ${problem.replace('the document: ', '')}`);
}
