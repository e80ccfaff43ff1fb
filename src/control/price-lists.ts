import {
  type PriceDocument,
  priceDocument,
  priceListOf,
  setPrices,
  type World,
} from '../products/world.ts';
import type { Change, Table } from '../world/tables.ts';
import { WORLD_TABLES } from '../world/world.ts';
import { addFixtureMerchant } from './fixture-change.ts';
import type { MerchantStore } from './merchant-store.ts';

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
