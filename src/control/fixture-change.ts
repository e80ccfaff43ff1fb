/* Applies changed fixtures to a sandbox that runs or was saved: its merchants and prices. */

import type { PriceList } from '../products/catalogue.ts';
import type { FixtureContents } from '../products/fixtures.ts';
import { readFixtures } from '../products/read-fixtures.ts';
import { assertNotInFuture } from '../products/record-validation.ts';
import { setPrices, type World } from '../products/world.ts';
import { announce } from '../world/activity.ts';
import { readTime } from '../world/clock.ts';
import { registerMerchant } from '../world/merchants.ts';
import type { Table } from '../world/tables.ts';
import { WORLD_TABLES } from '../world/world.ts';
import { fixtureRow, type MerchantStore } from './merchant-store.ts';

/** What the state file keeps of the fixtures: the ids of their merchants, and their price list. */
interface KeptFixtures {
  readonly merchants: readonly number[];
  readonly price_list: PriceList;
}

const FIXTURES = 'fixtures';
/** The value of a World that is its own price list. */
export const PRICE_LIST = 'price_list';

const isSame = (one: PriceList, other: PriceList): boolean =>
  JSON.stringify([one.products, one.prices]) === JSON.stringify([other.products, other.prices]);

/** The values of a World, of which its own price list is one. */
const valuesOf = (world: World) => world.tables.byName.get(WORLD_TABLES.values) as Table<unknown>;

/** Makes a restored World follow the price list of its sandbox if its own is the same. */
export function dropSamePrices(
  { priceList }: Pick<MerchantStore, 'priceList'>,
  world: World,
): void {
  const values = valuesOf(world);
  if (!isSame(values.get(PRICE_LIST) as PriceList, priceList)) return;
  values.load(PRICE_LIST, undefined);
}

/**
 * Applies the current fixtures to all saved Worlds. New merchants of the fixtures are added. Products that are gone
 * from the fixtures stay known but are no longer sold. A World that was restored from a snapshot with other prices keeps
 * those until it is reset.
 *
 * @returns whether anything differs from the saved state
 */
export function followFixtures(store: MerchantStore): boolean {
  const { fixtures } = store.defaults;
  const before = store.values.get(FIXTURES) as KeptFixtures | undefined;
  // In a cluster, other parts have the merchants of the fixtures.
  const isAdding = before && !store.host.cluster;
  const known = new Set(isAdding ? before.merchants : fixtures.merchants.map(({ id }) => id));
  const added = addNewMerchants(store, known);
  const { products, prices } = fixtures;
  const now = withFormer({ products, prices }, before?.price_list);
  const isChanged = !before || added.length > 0 || !isSame(now, before.price_list);
  store.values.load(FIXTURES, { merchants: [...known, ...added], price_list: now });
  store.priceList = now;
  for (const merchant of store.byId.values()) {
    if (!merchant.hasWorld || valuesOf(merchant.world).has(PRICE_LIST)) continue;
    setPrices(merchant.world, now);
  }
  return isChanged;
}

/** Adds former products with their prices, disabled, because policies refer to them. */
function withFormer(now: PriceList, former?: PriceList): PriceList {
  const ids = new Set(now.products.map(({ id }) => id));
  const gone = former?.products.filter(({ id }) => !ids.has(id)) ?? [];
  if (gone.length === 0) return now;
  const goneIds = new Set(gone.map(({ id }) => id));
  const prices = Object.entries(now.prices).map(([family, lists]) => [
    family,
    Object.fromEntries(
      Object.entries(lists as PriceRows).map(([list, rows]) => {
        const { [list]: before = [] } = (former?.prices[family] ?? {}) as PriceRows;
        return [list, [...rows, ...before.filter(({ product_id: id }) => goneIds.has(id))]];
      }),
    ),
  ]);
  return {
    products: [...now.products, ...gone.map((each) => ({ ...each, enable: false }))],
    prices: Object.fromEntries(prices),
  };
}

/** Lists of prices. Each row names its product. */
type PriceRows = Readonly<Record<string, readonly { readonly product_id: number }[]>>;

/**
 * Replaces the fixtures of a sandbox. Resets and new Worlds use them; existing Worlds stay as they are. New merchants
 * of the fixtures are added. Existing merchants keep their names and keys, and stay even if the fixtures no longer have
 * them. Throws `FixtureError` and changes nothing if the files are invalid, or if a clock starts before a record.
 */
export function changeFixtures(store: MerchantStore, files: FixtureContents): void {
  const { defaults, byId } = store;
  const start = defaults.clock.now ?? readTime(store.time);
  const fixtures = readFixtures(files, defaults.families, () => start);
  for (const { records, clock } of Array.from(byId.values(), ({ config }) => config)) {
    if (records === 'demo' && clock.now !== undefined) assertNotInFuture(fixtures, clock.now);
  }
  store.defaults = { ...defaults, fixtures };
  store.priceList = fixtures;
  addNewMerchants(store, new Set(defaults.fixtures.merchants.map(({ id }) => id)));
}

/** Adds the merchants of the fixtures that are not known. Warns of those whose id or key is taken. Returns the added ids. */
function addNewMerchants(store: MerchantStore, known: ReadonlySet<number>): number[] {
  const { defaults, byId, byKey, blocked, host } = store;
  const added = defaults.fixtures.merchants.filter(({ id, api_key }) => {
    // The fixtures may have dropped it for a while; the merchant stayed.
    if (known.has(id) || byId.get(id)?.api_key === api_key) return false;
    const isKeyTaken = byKey.has(api_key) || blocked.has(api_key);
    if (!byId.has(id) && !isKeyTaken) return true;
    const what = byId.has(id) ? 'id' : 'key';
    host.warn?.(`Merchant ${id} of the fixtures is not added, because its ${what} is taken.`);
    return false;
  });
  for (const given of added) {
    const merchant = registerMerchant(store, fixtureRow(store, given));
    announce(store.activity, { kind: 'merchants', merchant, change: 'created' });
  }
  return added.map(({ id }) => id);
}
