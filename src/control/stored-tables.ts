/* The tables of a World and of a sandbox at rest: one schema each, for state files, snapshots and Durable Objects. */

import { z } from '@hono/zod-openapi';
import { CatalogueProduct, type PriceList } from '../products/catalogue.ts';
import type { FieldPath, ProductFamily } from '../products/family.ts';
import { PolicyCounts } from '../products/planned-purchases.ts';
import { reviewProducts, validateRecords } from '../products/record-validation.ts';
import { anyFamilies, setPrices, type World } from '../products/world.ts';
import { countStepsNow } from '../storage/history.ts';
import { type RowProblem, type StoredTable, storedTables } from '../storage/rows.ts';
import type { FaultRule } from '../types/public.ts';
import { isClockInstant } from '../world/clock.ts';
import { MAX_FAULT_RULES, noEffectReason } from '../world/faults.ts';
import { addItem, type JournalItem, MAX_JOURNAL_ENTRIES } from '../world/journal.ts';
import { valueAt } from '../world/json.ts';
import { SANDBOX_TABLES } from '../world/merchants.ts';
import { onFirstUse } from '../world/on-first-use.ts';
import { MAX_SEED } from '../world/random.ts';
import type { Tables } from '../world/tables.ts';
import { MAX_EXPIRED_TOKENS, PURCHASES } from '../world/tokens.ts';
import { WORLD_TABLES } from '../world/world.ts';
import { Fault } from './faults.ts';
import { PRICE_LIST } from './fixture-change.ts';
import type { MerchantAccount, MerchantStore } from './merchant-store.ts';
import { restoreItem, SavedItem, saveItem } from './stored-journal.ts';

/** A World at rest. */
export interface StoredWorld {
  readonly tables: Tables;
  readonly world: World;
  /** Whose it becomes, if rows are loaded. */
  readonly owner?: Owner;
}

interface Owner {
  readonly store: MerchantStore;
  readonly merchant: MerchantAccount;
}

export const storedWorld = (world: World, owner?: Owner): StoredWorld => ({
  tables: world.tables,
  world,
  ...(owner && { owner }),
});

const moment = () => z.int().refine(isClockInstant, { error: 'a time within the range of clocks' });
const clockMode = () => z.enum(['running', 'frozen']);
const count = (least = 0) => z.int().min(least);
const listed = () => z.literal(true);
/** The state of a random generator. */
const random = () =>
  z
    .array(
      z
        .int()
        .min(-(2 ** 31))
        .lt(2 ** 32),
    )
    .length(4)
    // A generator in the state zero produces only zeros.
    .refine((state) => state.some((part) => part !== 0), { error: 'a number other than 0' });

/** A price list: products, and the prices of each family. */
const createPriceListSchema = () =>
  z.strictObject({
    products: z.array(CatalogueProduct()),
    prices: z.strictObject(
      Object.fromEntries(
        anyFamilies.map(({ key, records }) => {
          const { policies: _, ...prices } = records().shape;
          return [key, z.strictObject(prices)];
        }),
      ),
    ),
  });

/** The names of the single values that are not in a table while a World runs. */
export const COUNTS = { requests: 'requests', time: 'time', steps: 'steps' } as const;
/** The journal, and the counts of assumptions. */
export const CALL_TABLES = { journal: 'journal', assumed: 'assumed' } as const;

/** The values of a World that are not in a table while it runs. */
export const countRows = (world: World): readonly (readonly [key: string, value: unknown])[] => [
  [COUNTS.time, world.time.latest],
  [COUNTS.requests, world.requests],
  [COUNTS.steps, countStepsNow(world)],
];

export const journalRow = (item: JournalItem) => [String(item.id), saveItem(item)] as const;

const valuesTable = (): StoredTable<StoredWorld> => ({
  name: WORLD_TABLES.values,
  values: {
    merchant_id: count(1),
    // A snapshot says only what the clock showed.
    clock: z.strictObject({ mode: clockMode(), at: moment(), since: moment().optional() }),
    random: random(),
    fault_random: random(),
    [PRICE_LIST]: createPriceListSchema(),
    [COUNTS.time]: moment(),
    [COUNTS.requests]: count(),
    [COUNTS.steps]: count(),
  },
  rows: ({ world }) => countRows(world),
  load({ world }, key, value) {
    if (key === COUNTS.time) world.time.latest = Math.max(world.time.latest, value as number);
    else if (key === COUNTS.requests) world.requests = value as number;
    // They are not there: calls before this moment can't be rewound, nor those that ended at it.
    else if (key === COUNTS.steps) world.history.dropped = (value as number) + 1;
    else {
      if (key === PRICE_LIST && value) setPrices(world, value as PriceList);
      return false;
    }
    return true;
  },
  refuse: (_, value, key) => (key === PRICE_LIST ? wrongPrices(value as PriceList) : undefined),
});

/** A price list for which calls would fail. */
function wrongPrices(list: PriceList): RowProblem | undefined {
  const [wrong] = reviewProducts(list.products);
  if (wrong) return wrong;
  for (const family of anyFamilies) {
    const [problem] = validateRecords(family, list, []);
    if (problem) return { ...problem, path: ['prices', family.key, ...problem.path] };
  }
  return undefined;
}

const faultsTable = (): StoredTable<StoredWorld> => ({
  name: WORLD_TABLES.faults,
  values: Fault(),
  keyOf: ({ id }: { readonly id: string }) => id,
  most: MAX_FAULT_RULES,
  refuse({ owner }, rule) {
    const message = noEffectReason(rule as FaultRule, owner?.store.breaksConnections ?? true);
    return message === undefined ? undefined : { path: ['effect', 'kind'], message };
  },
});

const familyTables = (family: ProductFamily): StoredTable<StoredWorld>[] => {
  const { key, records, policyKeys, policyPaths, details } = family;
  return [
    {
      name: `${key}.policies`,
      values: records().shape.policies.element,
      keyOf: policyKeys.keyOf,
      refuse: ({ world }, policy) => unknownProduct(world, policy, policyPaths.product),
    },
    {
      name: `${key}.pending`,
      values: z.strictObject({ number: count(1), initiated_at: moment(), details: details() }),
      refuse: ({ world }, purchase) => unknownProduct(world, purchase, ['details', 'product_id']),
    },
    // The policy that a token bought.
    { name: `${key}.used`, values: z.string() },
  ];
};

/** That the product of a row is not in the catalogue; undefined if it is. Its family may be another one by now. */
function unknownProduct(
  { products }: World,
  row: unknown,
  path: FieldPath,
): RowProblem | undefined {
  const product = valueAt(row, path) as number;
  if (products.has(product)) return undefined;
  return { path, message: `product ${product} is not in the catalogue` };
}

const callTables = (): StoredTable<StoredWorld>[] => [
  {
    name: CALL_TABLES.journal,
    values: SavedItem(),
    keyOf: ({ id }: { readonly id: string | number }) => String(id),
    // As many events as calls.
    most: 2 * MAX_JOURNAL_ENTRIES,
    rows: ({ world }) => world.journal.items.map(journalRow),
    load({ world: { journal }, owner }, _key, value) {
      if (!owner || !value) return true;
      const { merchant, store } = owner;
      const item = restoreItem(value as SavedItem, merchant, journal);
      addItem(journal, item, store.maxJournalBytes);
      return true;
    },
  },
  {
    name: CALL_TABLES.assumed,
    values: count(1),
    rows: ({ world }) => world.assumption_counts,
    load({ world }, list, value) {
      world.assumption_counts.set(list, value as number);
      return true;
    },
  },
];

const sequenceNames = () => [
  'fault',
  PURCHASES,
  ...anyFamilies.flatMap(({ sequences }) => sequences.map(({ name }) => name)),
];

const createWorldTables = () =>
  storedTables<StoredWorld>([
    valuesTable(),
    {
      name: WORLD_TABLES.sequences,
      values: Object.fromEntries(sequenceNames().map((name) => [name, count()])),
    },
    {
      name: WORLD_TABLES.expired,
      values: z.strictObject({ family: z.enum(anyFamilies.map(({ key }) => key)), at: moment() }),
      most: MAX_EXPIRED_TOKENS,
    },
    faultsTable(),
    ...anyFamilies.flatMap(familyTables),
    ...callTables(),
  ]);

const createSandboxTables = () =>
  storedTables<MerchantStore>([
    {
      name: SANDBOX_TABLES.values,
      values: {
        random: random(),
        last_id: count(),
        run: count(1),
        fixtures: z.strictObject({
          merchants: z.array(z.int()),
          price_list: createPriceListSchema(),
        }),
        anonymous_requests: count(),
      },
      rows: ({ anonymousRequests }) => [['anonymous_requests', anonymousRequests]],
      load(store, key, value) {
        if (key !== 'anonymous_requests') return false;
        store.anonymousRequests = value as number;
        return true;
      },
    },
    {
      name: SANDBOX_TABLES.merchants,
      values: z.strictObject({
        id: count(1),
        name: z.string(),
        api_key: z.string().regex(/^\S+$/),
        config: worldConfig(),
        created_with: worldConfig().optional(),
        since: moment(),
      }),
      keyOf: ({ id }: { readonly id: number }) => String(id),
    },
    { name: SANDBOX_TABLES.blocked, values: listed() },
  ]);

const worldConfig = () =>
  z.strictObject({
    records: z.union([z.enum(['none', 'own', 'demo']), PolicyCounts()]),
    clock: z.strictObject({ mode: clockMode(), now: moment().optional() }),
    seed: z.int().min(0).max(MAX_SEED),
  });

/** The tables of a World. Most sandboxes never read rows, so they are made on first use. */
export const worldTables = onFirstUse(createWorldTables);
/** The tables of the sandbox itself. */
export const sandboxTables = onFirstUse(createSandboxTables);
