import type { ClockStart } from '../core/clock.ts';
import { type Chance, createChance, nextHex } from '../core/random.ts';
import { bearerKey, type Directory, type Merchant, tellWatchers } from '../http/merchant.ts';
import { FixtureError } from '../products/fixture-error.ts';
import { type Fixtures, refuseFuture } from '../products/fixtures.ts';
import { anyFamilies, settledNow, stateOf, type World } from '../products/world.ts';
import { momentOf, showClock } from './clock.ts';
import { ControlError } from './problems.ts';
import type { MerchantState, NewMerchant } from './schemas/merchants.ts';
import { type Defaults, freshWorld, type Origin, resetWorld, startOf } from './worlds.ts';

/** A merchant with what a reset needs. */
export interface Tenant extends Merchant<World> {
  name: string;
  origin: Origin;
  removed: boolean;
}

/** The merchants of a sandbox, by key and by id. */
export interface Tenants extends Directory {
  readonly defaults: Defaults;
  readonly byId: Map<number, Tenant>;
  readonly byKey: Map<string, Tenant>;
  /** Keys that were given up: they open nothing, not even a World of their own. */
  readonly blocked: Set<string>;
  /** Chance of minted keys. */
  readonly chance: Chance;
  lastId: number;
  strangers: number;
}

/** @param adminToken opens no World, not even where every unknown key does */
export function createTenants(
  defaults: Defaults,
  publicUrl: string | undefined,
  adminToken?: string,
): Tenants {
  const tenants: Tenants = {
    defaults,
    settings: defaults.settings,
    publicUrl: publicUrl?.replace(/\/+$/, ''),
    byId: new Map(),
    byKey: new Map(),
    blocked: new Set(),
    chance: createChance(defaults.seed, 0),
    lastId: 0,
    strangers: 0,
    authenticate: (authorization) => authenticate(tenants, adminToken, authorization),
    nextStrangerId: () => `req-0-${++tenants.strangers}`,
  };
  const clock = startOf(defaults.clock);
  for (const { id, name, api_key } of defaults.fixtures.merchants) {
    addTenant(tenants, {
      id,
      name,
      api_key,
      origin: { records: 'own', clock, seed: defaults.seed },
    });
  }
  return tenants;
}

/** A tenant whose World is made when it is first needed: minting costs next to nothing. */
export function addTenant(
  tenants: Tenants,
  given: Pick<Tenant, 'id' | 'name' | 'api_key' | 'origin'>,
): Tenant {
  let world: World | undefined;
  const tenant: Tenant = {
    ...given,
    removed: false,
    watchers: new Set(),
    get world() {
      world ??= freshWorld(tenants.defaults, tenant);
      return world;
    },
    set world(replaced) {
      world = replaced;
    },
  };
  tenants.byId.set(tenant.id, tenant);
  tenants.byKey.set(tenant.api_key, tenant);
  tenants.lastId = Math.max(tenants.lastId, tenant.id);
  return tenant;
}

function authenticate(
  tenants: Tenants,
  adminToken: string | undefined,
  authorization: string | undefined,
): Tenant | undefined {
  const key = bearerKey(authorization);
  if (key === undefined) return undefined;
  const known = tenants.byKey.get(key);
  if (known || !tenants.defaults.autoMerchants) return known;
  return tenants.blocked.has(key) || key === adminToken ? undefined : mint(tenants, {}, key);
}

/** Opens a new World behind a new key. */
export function mint(tenants: Tenants, wanted: NewMerchant, apiKey?: string): Tenant {
  const { defaults } = tenants;
  const clock: ClockStart = startOf({
    now: wanted.now === undefined ? defaults.clock.now : momentOf(wanted.now, 'now'),
    mode: wanted.mode ?? defaults.clock.mode,
  });
  if (wanted.records === 'demo' && clock.now !== undefined) {
    refuseEarly(defaults.fixtures, clock.now);
  }
  const id = tenants.lastId + 1;
  return addTenant(tenants, {
    id,
    name: wanted.name ?? `Merchant ${id}`,
    api_key: apiKey ?? nextKey(tenants),
    origin: { records: wanted.records ?? 'none', clock, seed: wanted.seed ?? defaults.seed },
  });
}

function refuseEarly(fixtures: Fixtures, start: number): void {
  try {
    refuseFuture(fixtures, start);
  } catch (error) {
    if (!(error instanceof FixtureError)) throw error;
    throw new ControlError(422, `now: the demo records are newer. ${error.problems[0]}`);
  }
}

const nextKey = ({ chance }: Tenants): string => `sk_sandbox_${nextHex(chance, 32)}`;

/** The merchant whose id a path names. */
export function findTenant(tenants: Tenants, id: string): Tenant {
  const tenant = /^[1-9]\d*$/.test(id) ? tenants.byId.get(Number(id)) : undefined;
  if (tenant) return tenant;
  throw new ControlError(
    404,
    `There is no merchant "${id}"; GET /_sandbox/merchants lists those there are.`,
  );
}

export function removeTenant(tenants: Tenants, tenant: Tenant): void {
  tenants.byId.delete(tenant.id);
  tenants.byKey.delete(tenant.api_key);
  tenant.removed = true;
  tellWatchers(tenant);
}

/** Gives a new key; the old one is blocked at once (`key-issue`). */
export function rotateKey(tenants: Tenants, tenant: Tenant): void {
  tenants.byKey.delete(tenant.api_key);
  tenants.blocked.add(tenant.api_key);
  tenant.api_key = nextKey(tenants);
  tenants.byKey.set(tenant.api_key, tenant);
}

/** Resets every World; minted merchants stay. */
export function resetAll(tenants: Tenants): void {
  for (const tenant of tenants.byId.values()) resetWorld(tenants, tenant);
}

export function showMerchant(tenant: Tenant): MerchantState {
  const { world } = tenant;
  settledNow(world);
  const counts: Record<string, number> = {};
  let pending = 0;
  for (const family of anyFamilies) {
    const state = stateOf(world, family);
    counts[family.key] = family.countPolicies(state);
    pending += state.tokens.pending.size;
  }
  counts.pending = pending;
  counts.faults = world.faults.length;
  counts.exchanges = world.journal.exchanges.length - world.journal.start;
  return {
    id: tenant.id,
    name: tenant.name,
    api_key: tenant.api_key,
    clock: showClock(world),
    counts,
  };
}

/** Every merchant, by id. */
export const listTenants = ({ byId }: Tenants): Tenant[] =>
  [...byId.values()].toSorted((a, b) => a.id - b.id);
