/*
 * A World at rest is rows: a table, a key and a value. The lines of a state file, a snapshot and the storage of a
 * Durable Object are three places for the same rows.
 */

import { z } from '@hono/zod-openapi';
import { Fault } from '../control/faults.ts';
import { SavedEntry, saveEntry } from '../control/journal-entry.ts';
import { CatalogueProduct } from '../products/catalogue.ts';
import { PolicyCounts } from '../products/planned-purchases.ts';
import { anyFamilies, type World } from '../products/world.ts';
import { isClockInstant } from '../world/clock.ts';
import { MAX_FAULT_RULES } from '../world/faults.ts';
import { MAX_HISTORY_STEPS } from '../world/history.ts';
import { listEntries, MAX_JOURNAL_ENTRIES, type StoredEntry } from '../world/journal.ts';
import { SANDBOX_TABLES } from '../world/merchants.ts';
import { formatIssues } from '../world/problem-texts.ts';
import { MAX_SEED } from '../world/random.ts';
import { type Change, rowsOf } from '../world/tables.ts';
import { MAX_EXPIRED_TOKENS } from '../world/tokens.ts';
import { MAX_ID, WORLD_TABLES } from '../world/world.ts';

/** What is stored with every checkpoint, but not with every change. */
export const SAVED_TABLES = { journal: 'journal', assumed: 'assumed' } as const;
/** What only snapshots have: a restart ends the history. */
export const SNAPSHOT_TABLES = { history: 'history' } as const;
export const SAVED_VALUES = {
  requests: 'requests',
  time: 'time',
  /** Of the history; only in snapshots. */
  steps: 'steps',
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

const timeRow = ({ time }: World): Change => [WORLD_TABLES.values, SAVED_VALUES.time, time.latest];

export const assumedRow = ({ assumption_counts: counts }: World, list: string): Change => [
  SAVED_TABLES.assumed,
  list,
  counts.get(list) ?? null,
];

/** All rows of a World. */
export function* savedRows(world: World): Generator<Change, void> {
  yield* rowsOf(world.tables);
  yield timeRow(world);
  for (const list of world.assumption_counts.keys()) yield assumedRow(world, list);
  for (const entry of listEntries(world.journal)) yield journalRow(entry);
  // After the journal, which may grow meanwhile: no entry has a higher number.
  yield requestsRow(world);
}

/** The schemas by key, where the values of a table differ. */
type ValuesByKey = Readonly<Record<string, z.ZodType>>;

/** A table at rest. */
export interface TableForm {
  /** The schema of its values. */
  readonly values: z.ZodType | ValuesByKey;
  /** The key that a record has in itself. */
  readonly keyOf?: (record: never) => string;
  /** Whether a row can be deleted. */
  readonly isDeletable: boolean;
  /** The most rows. */
  readonly most?: number;
}

/** A step of the history: its number, and the rows before it. The value null means that there was none. */
export const HistoryRow = z.strictObject({
  id: z.int().min(0).max(MAX_ID),
  rows: z.array(
    z.tuple([
      z.string(),
      z.string(),
      z.unknown().refine((value) => value !== undefined, { error: 'any JSON' }),
      // The place among the rows of a table whose order matters. Between two rows it has a fraction.
      z.number().nullable(),
    ]),
  ),
});
export type HistoryRow = z.output<typeof HistoryRow>;

const moment = () => z.int().refine(isClockInstant, { error: 'a time within the range of clocks' });
const clockMode = () => z.enum(['running', 'frozen']);
const count = (least = 0) => z.int().min(least).max(MAX_ID);
const id = () => count(1);
const listed = z.literal(true);
/** The state of a random generator. */
const random = z
  .array(
    z
      .int()
      .min(-(2 ** 31))
      .lt(2 ** 32),
  )
  .length(4)
  // A generator in the state zero produces only zeros.
  .refine((state) => state.some((part) => part !== 0), { error: 'a number other than 0' });

/** The schema of a price list: products, and the prices of each family. */
export const createPriceListSchema = () =>
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

const keyed = (values: TableForm['values'], most?: number): TableForm => ({
  values,
  isDeletable: true,
  ...(most !== undefined && { most }),
});

/** Version 0.1.0 did not store what a rule still skips. */
const createStoredFault = () => Fault.extend({ skip: Fault.shape.skip.default(0) });

/** The policy that a token bought. Version 0.1.0 did not store it. */
const boughtPolicy = z.union([listed, z.string()]);

const byId = { keyOf: ({ id }: { readonly id: string }) => id };

/** The tables of a World, by name, in the order of their rows. */
const createWorldForms = (): Readonly<Record<string, TableForm>> => ({
  [WORLD_TABLES.values]: keyed({
    merchant_id: id(),
    // A snapshot says only what the clock showed.
    clock: z.strictObject({ mode: clockMode(), at: moment(), since: moment().optional() }),
    random,
    fault_random: random,
    price_list: createPriceListSchema(),
    [SAVED_VALUES.time]: moment(),
    [SAVED_VALUES.requests]: count(),
    [SAVED_VALUES.steps]: count(),
  }),
  [WORLD_TABLES.sequences]: keyed(
    Object.fromEntries(
      ['fault', ...anyFamilies.flatMap(({ sequences }) => sequences.map(({ name }) => name))].map(
        (name) => [name, count()],
      ),
    ),
  ),
  [WORLD_TABLES.expired]: keyed(z.enum(anyFamilies.map(({ key }) => key)), MAX_EXPIRED_TOKENS),
  [WORLD_TABLES.faults]: { ...keyed(createStoredFault(), MAX_FAULT_RULES), ...byId },
  ...Object.fromEntries(
    anyFamilies.flatMap(({ key, records, policyList, policyKeys, details }) => [
      [
        `${key}.${policyList}`,
        {
          values: records.shape[policyList]?.element as z.ZodType,
          keyOf: policyKeys.keyOf,
          // Only going back removes policies, the newest first.
          isDeletable: true,
        },
      ],
      [`${key}.pending`, keyed(z.strictObject({ initiated_at: moment(), details }))],
      [`${key}.used`, keyed(boughtPolicy)],
    ]),
  ),
  [SAVED_TABLES.journal]: {
    values: SavedEntry,
    ...byId,
    isDeletable: false,
    most: MAX_JOURNAL_ENTRIES,
  },
  [SAVED_TABLES.assumed]: { values: count(1), isDeletable: false },
  [SNAPSHOT_TABLES.history]: {
    values: HistoryRow,
    keyOf: ({ id }: HistoryRow) => String(id),
    isDeletable: false,
    most: MAX_HISTORY_STEPS,
  },
});

/** The tables of the sandbox itself. */
const createSandboxForms = (): Readonly<Record<string, TableForm>> => ({
  [SANDBOX_TABLES.merchants]: {
    ...keyed(
      z.strictObject({
        id: id(),
        name: z.string(),
        api_key: z.string().regex(/^\S+$/),
        config: z.strictObject({
          records: z.union([z.enum(['none', 'own', 'demo']), PolicyCounts]),
          clock: z.strictObject({ now: moment().optional(), mode: clockMode() }),
          seed: z.int().min(0).max(MAX_SEED),
        }),
        since: moment(),
      }),
    ),
    keyOf: ({ id }: { readonly id: number }) => String(id),
  },
  [SANDBOX_TABLES.blocked]: keyed(listed),
  [SANDBOX_TABLES.values]: keyed({
    random,
    last_id: count(),
    run: count(1),
    fixtures: z.strictObject({
      merchants: z.array(z.int()),
      price_list: createPriceListSchema(),
    }),
    [SAVED_VALUES.anonymousRequests]: count(),
  }),
});

const createForms = () => {
  const world = new Map(Object.entries(createWorldForms()));
  return { world, all: new Map([...Object.entries(createSandboxForms()), ...world]) };
};

let forms: ReturnType<typeof createForms> | undefined;

/** Created on first use, because most sandboxes never read rows. */
function allForms() {
  forms ??= createForms();
  return forms;
}

/** The tables of a World, by name. */
export const formsOfWorld = (): ReadonlyMap<string, TableForm> => allForms().world;

function formOf(table: string): TableForm {
  const form = allForms().all.get(table);
  if (!form) throw new Error(`unknown table ${JSON.stringify(table)}`);
  return form;
}

/** What a problem line says of a value as a whole. */
const WHOLE = 'the document: ';

/** A line of `RowReading` with the place of its row. */
export const placed = (place: string, line: string): string =>
  line.startsWith(WHOLE) ? `${place}: ${line.slice(WHOLE.length)}` : `${place}.${line}`;

/** The reading of a row whose key its table does not have. */
export const UNKNOWN = { problems: [`${WHOLE}is unknown`] };

/** A row as its schema reads it, or its problems, each with its place in the value. */
export type RowReading =
  | { readonly key: string; readonly value: unknown }
  | { readonly problems: readonly string[] };

/**
 * Reads a row. Throws an `Error` if there is no such table.
 *
 * @param key undefined for a record in a list, which has its own key
 */
export function readRow(table: string, key: string | undefined, value: unknown): RowReading {
  const { values, keyOf } = formOf(table);
  const schema = values instanceof z.ZodType ? values : ownValue(values, String(key));
  if (!schema) return UNKNOWN;
  const parsed = schema.safeParse(value);
  if (!parsed.success) return { problems: formatIssues(value, parsed.error) };
  const ownKey = keyOf ? keyOf(parsed.data as never) : String(key);
  if (key === undefined || ownKey === key) return { key: ownKey, value: parsed.data };
  const expected = `expected the record with this key, got ${JSON.stringify(ownKey)}`;
  return { problems: [WHOLE + expected] };
}

const ownValue = (object: ValuesByKey, key: string): z.ZodType | undefined =>
  Object.hasOwn(object, key) ? object[key] : undefined;

/** Validates a row. The value null means deleted. Throws an `Error` that names the row and the field. */
export function checkRow([table, key, value]: Change): void {
  if (value === null && formOf(table).isDeletable) return;
  const reading = readRow(table, key, value);
  if ('value' in reading) return;
  const [problem = ''] = reading.problems;
  throw new Error(`${table} ${JSON.stringify(key)}: ${problem.replace(WHOLE, '')}`);
}
