import { announce } from '../api/activity.ts';
import { assertNotInFuture, type Fixtures } from '../products/fixtures.ts';
import { fixtureRow, type MerchantStore, registerMerchant } from './merchant-store.ts';

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
      ? whyAsBefore(store, earlier, merchant)
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
function whyAsBefore({ byId }: MerchantStore, earlier: MerchantFixture, wanted: MerchantFixture) {
  const present = byId.get(wanted.id);
  if (!present || isSame(earlier, wanted) || isSame(present, wanted)) return undefined;
  return `Merchant ${wanted.id} keeps its name and its key until the next start.`;
}

const isSame = (one: Omit<MerchantFixture, 'id'>, other: MerchantFixture): boolean =>
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
