import { announce } from '../api/activity.ts';
import { assertNotInFuture, type Fixtures } from '../products/fixtures.ts';
import {
  type PriceDocument,
  priceDocument,
  priceListOf,
  setPrices,
  type World,
} from '../products/world.ts';
import type { Change, Table } from '../world/tables.ts';
import { WORLD_TABLES } from '../world/world.ts';
import { fixtureRow, type MerchantStore, registerMerchant } from './merchant-store.ts';

/** What is kept of the fixtures that a sandbox had: whom they named, and what was sold. */
interface KeptFixtures {
  readonly merchants: readonly number[];
  readonly price_list: PriceDocument;
}

const FIXTURES = 'fixtures';
const PRICE_LIST = 'price_list';

const isSame = (one: PriceDocument, other: PriceDocument): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/** Has a World that was put back keep the price list it came with, where that is not the one of the sandbox. */
export function keepOwnPrices(world: World, { priceList }: Pick<MerchantStore, 'priceList'>): void {
  const own = priceDocument(world);
  if (!isSame(own, priceDocument(priceList))) ownPrices(world).load(PRICE_LIST, own);
}

const ownPrices = (world: World) => world.tables.byName.get(WORLD_TABLES.values) as Table<unknown>;

/** The row of a World that holds a price list of its own. */
export const ownPricesRow = (world: World): Change => [
  WORLD_TABLES.values,
  PRICE_LIST,
  ownPrices(world).get(PRICE_LIST) ?? null,
];

/**
 * Has all Worlds that were kept sell what the fixtures say now. Merchants that are new in the fixtures appear. What
 * was sold once is still known, and sold no more. Where the fixtures are the same as before, a World goes on with a
 * price list of its own.
 *
 * @returns whether anything is other than it was kept
 */
export function followFixtures(store: MerchantStore): boolean {
  const { fixtures } = store.defaults;
  const before = store.values.get(FIXTURES) as KeptFixtures | undefined;
  // Elsewhere the merchants of the fixtures are in other parts.
  const isAdding = before && !store.host.isHosted;
  const known = new Set(isAdding ? before.merchants : fixtures.merchants.map(({ id }) => id));
  const added = fixtures.merchants.filter((merchant) => {
    if (known.has(merchant.id)) return false;
    const note = addFixtureMerchant(store, merchant);
    if (note !== undefined) store.host.warn?.(note);
    return note === undefined;
  });
  for (const { id } of added) known.add(id);
  const now = withFormer(priceDocument(fixtures), before?.price_list);
  const isChanged = !before || added.length > 0 || !isSame(now, before.price_list);
  store.values.load(FIXTURES, { merchants: [...known], price_list: now });
  store.priceList = { ...priceListOf(now), records: fixtures.records };
  for (const merchant of store.byId.values()) {
    if (merchant.hasWorld) followPrices(merchant.world, now, isChanged);
  }
  return isChanged;
}

function followPrices(world: World, now: PriceDocument, isChanged: boolean): void {
  const values = ownPrices(world);
  const own = values.get(PRICE_LIST) as PriceDocument | undefined;
  const next = own && isChanged ? withFormer(now, own) : (own ?? now);
  values.load(PRICE_LIST, own && !isSame(next, now) ? next : undefined);
  values.settle(PRICE_LIST);
  setPrices(world, priceListOf(next));
}

/** A price list with products that were sold once, and what they cost: policies are of them. */
function withFormer(now: PriceDocument, former?: PriceDocument): PriceDocument {
  const ids = new Set(now.products.map(({ id }) => id));
  const gone = former?.products.filter(({ id }) => !ids.has(id)) ?? [];
  if (gone.length === 0) return now;
  const goneIds = new Set(gone.map(({ id }) => id));
  const records = Object.entries(now.records).map(([family, lists]) => [
    family,
    Object.fromEntries(
      Object.entries(lists as PriceRows).map(([list, rows]) => {
        const { [list]: before = [] } = (former?.records[family] ?? {}) as PriceRows;
        return [list, [...rows, ...before.filter(({ product_id: id }) => goneIds.has(id))]];
      }),
    ),
  ]);
  return {
    products: [...now.products, ...gone.map((each) => ({ ...each, enable: false }))],
    records: Object.fromEntries(records),
  };
}

/** What products cost stands in lists of rows, each of which names one. */
type PriceRows = Readonly<Record<string, readonly { readonly product_id: number }[]>>;

/**
 * Gives a sandbox other fixtures: resets and merchants without a World yet take them, Worlds there are stay as
 * they are. Merchants that are new in them appear; those there are keep name and key, and stay though they are
 * gone from the fixtures. Throws `FixtureError`, with nothing changed, where a clock is set too early for them.
 *
 * @returns what may surprise whoever changed the merchants, a sentence each
 */
export function changeFixtures(store: MerchantStore, fixtures: Fixtures): string[] {
  const { defaults, byId } = store;
  const starts = [...byId.values()].filter(({ config }) => config.records === 'demo');
  for (const { now } of [defaults.clock, ...starts.map(({ config }) => config.clock)]) {
    if (now !== undefined) assertNotInFuture(fixtures, now);
  }
  store.defaults = { ...defaults, fixtures };
  store.priceList = fixtures;
  return changeMerchants(store, defaults.fixtures.merchants);
}

type MerchantFixture = Fixtures['merchants'][number];

function changeMerchants(store: MerchantStore, before: readonly MerchantFixture[]): string[] {
  const { merchants } = store.defaults.fixtures;
  const notes: string[] = [];
  for (const merchant of merchants) {
    const earlier = before.find(({ id }) => id === merchant.id);
    const note = earlier
      ? asBeforeReason(store, earlier, merchant)
      : addFixtureMerchant(store, merchant);
    if (note !== undefined) notes.push(note);
  }
  for (const { id } of before) {
    const isGone = store.byId.has(id) && !merchants.some((each) => each.id === id);
    if (isGone) notes.push(`Merchant ${id} stays until the next start.`);
  }
  return notes;
}

/** What a change of a merchant that is there comes to: nothing, which is told unless nothing is wanted. */
function asBeforeReason(
  { byId }: MerchantStore,
  earlier: MerchantFixture,
  wanted: MerchantFixture,
) {
  const present = byId.get(wanted.id);
  if (!present || isSameMerchant(earlier, wanted) || isSameMerchant(present, wanted))
    return undefined;
  return `Merchant ${wanted.id} keeps its name and its key until the next start.`;
}

const isSameMerchant = (one: Omit<MerchantFixture, 'id'>, other: MerchantFixture): boolean =>
  one.name === other.name && one.api_key === other.api_key;

/** Adds a merchant; where its id or its key is taken by now, answers that it was not. */
export function addFixtureMerchant(
  store: MerchantStore,
  given: MerchantFixture,
): string | undefined {
  const { id, api_key } = given;
  // It may have been gone from the fixtures for a while, and stayed.
  if (store.byId.get(id)?.api_key === api_key) return undefined;
  const isKeyTaken = store.byKey.has(api_key) || store.blocked.has(api_key);
  if (store.byId.has(id) || isKeyTaken) {
    const what = store.byId.has(id) ? 'id' : 'key';
    return `Merchant ${id} is not added before the next start: its ${what} is taken.`;
  }
  const merchant = registerMerchant(store, fixtureRow(store, given));
  announce(store.activity, { kind: 'merchants', merchant, change: 'created' });
  return undefined;
}
