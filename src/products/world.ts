import { type Assumption, type AssumptionId, SHARED_ASSUMPTIONS } from '../core/assumptions.ts';
import { type Settings, SHARED_SETTINGS } from '../core/settings.ts';
import type { Instant } from '../core/time.ts';
import { type Expiry, rememberExpired, takeExpired } from '../core/tokens.ts';
import { createWorldCore, nowOf, type WorldCore, type WorldStart } from '../core/world.ts';
import { type FamilyWorld, highestIds, type ProductFamily, policiesIn } from './family.ts';
import type { Fixtures } from './fixtures.ts';
import { families } from './index.ts';

/** A World with the part of every family in it, under the family's key. */
export type World = FamilyWorld;

export type FamilyState = ReturnType<ProductFamily['createState']>;

/** The families, their own types forgotten. */
export const anyFamilies: readonly ProductFamily[] = families;

/** Every assumption there is: the shared rows, then those of each family. */
export const ASSUMPTIONS: Readonly<Record<AssumptionId, Assumption>> = Object.assign(
  {},
  SHARED_ASSUMPTIONS,
  ...families.map(({ assumptions }) => assumptions),
);

/** What every assumption that has alternatives is set to without a profile; every message is told. */
export const DEFAULT_SETTINGS: Settings = Object.assign(
  {},
  SHARED_SETTINGS,
  ...families.map(({ settings }) => settings),
  {
    messages: {
      ...SHARED_SETTINGS.messages,
      success: Object.fromEntries(
        anyFamilies.flatMap(({ operations }) =>
          operations.map(({ operationId, envelope }) => [operationId, envelope.message]),
        ),
      ),
    },
  },
);

/** The first call that lists something: one to show, as it needs nothing but a key. */
export const firstList = anyFamilies
  .flatMap(({ operations }) => operations)
  .find(({ request }) => request.query !== undefined);

/** A family's part of a World. */
export function stateOf(world: WorldCore, family: ProductFamily): FamilyState {
  return Reflect.get(world, family.key) as FamilyState;
}

/** Whose records of the fixtures a World starts with. */
export type StartRecords = 'none' | { readonly merchantId: number };

/** A World as the fixtures make it. */
export function createWorld(fixtures: Fixtures, start: WorldStart, records: StartRecords): World {
  const core = createWorldCore(start);
  const slices: Record<string, FamilyState> = {};
  for (const family of anyFamilies) {
    const own = ownRecords(family, fixtures, records, start.merchantId);
    slices[family.key] = family.createState(own);
    for (const [sequence, highest] of Object.entries(highestIds(family, own))) {
      core.sequences[sequence] = Math.max(core.sequences[sequence] ?? 0, highest);
    }
  }
  return { ...core, products: fixtures.products, ...slices };
}

function ownRecords(
  family: ProductFamily,
  fixtures: Fixtures,
  records: StartRecords,
  merchantId: number,
): object {
  const all = fixtures.records[family.key] as object;
  if (records === 'none') return family.selectMerchant(all, undefined);
  const own = family.selectMerchant(all, records.merchantId);
  return records.merchantId === merchantId ? own : family.assignMerchant(own, merchantId);
}

/** Fixtures never change, and to count what is a merchant's own goes through all of them. */
const countsOf = new WeakMap<Fixtures, Map<number, number>>();

/** How many policies the fixtures have for a World that starts with these records. */
export function countPoliciesOf(fixtures: Fixtures, records: StartRecords): number {
  if (records === 'none') return 0;
  const { merchantId } = records;
  const counts = countsOf.get(fixtures) ?? new Map<number, number>();
  countsOf.set(fixtures, counts);
  const known = counts.get(merchantId);
  if (known !== undefined) return known;
  let count = 0;
  for (const family of anyFamilies) {
    const own = family.selectMerchant(fixtures.records[family.key] as object, merchantId);
    count += policiesIn(family, own).length;
  }
  counts.set(merchantId, count);
  return count;
}

/** Something the passing of time did to a World. */
export interface Effect {
  readonly kind: 'purchase_expired';
  /** The operation that initiated the purchase. */
  readonly operation: string;
  readonly token: string;
  readonly at: Instant;
}

/**
 * Lets happen what time has brought: expired purchases are dropped, oldest first, so that the World is the
 * same however often it was looked at meanwhile.
 */
export function expirePending(world: WorldCore, now: Instant): Effect[] {
  const expired: (Expiry & { readonly family: ProductFamily })[] = [];
  for (const family of anyFamilies) {
    const { tokens } = stateOf(world, family);
    if (tokens.pending.size === 0) continue;
    for (const { token, at } of takeExpired(world.settings, tokens, now)) {
      expired.push({ token, at, family });
    }
  }
  if (expired.length > 1) expired.sort((a, b) => a.at - b.at);
  return expired.map(({ token, at, family }) => {
    rememberExpired(world.expired_tokens, token, family.key);
    return { kind: 'purchase_expired', operation: family.initiateOperation, token, at };
  });
}

/** The moment a World shows, with everything up to it settled. */
export function settledNow(world: WorldCore): Instant {
  const now = nowOf(world);
  expirePending(world, now);
  return now;
}
