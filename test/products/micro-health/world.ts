import fixture from '../../../fixtures/micro-health.json' with { type: 'json' };
import catalogue from '../../../fixtures/products.json' with { type: 'json' };
import { CatalogueProduct } from '../../../src/products/catalogue.ts';
import { EXAMPLE_REQUEST } from '../../../src/products/micro-health/examples.ts';
import { microHealth } from '../../../src/products/micro-health/index.ts';
import { initiatePurchase, verifyPurchase } from '../../../src/products/micro-health/purchase.ts';
import {
  MicroHealthRecords,
  type MicroHealthState,
  type MicroHealthWorld,
} from '../../../src/products/micro-health/records.ts';
import { MicroHealthInitiateRequest } from '../../../src/products/micro-health/requests.ts';
import type {
  MicroHealthListedSubscription,
  MicroHealthSubscriber,
} from '../../../src/products/micro-health/schemas.ts';
import { type MicroHealthSettings, SETTINGS } from '../../../src/products/micro-health/settings.ts';
import { DEFAULT_SETTINGS } from '../../../src/products/world.ts';
import { createTime } from '../../../src/world/clock.ts';
import { DomainError } from '../../../src/world/errors.ts';
import type { Settings } from '../../../src/world/settings.ts';
import type { Instant } from '../../../src/world/time.ts';
import { createWorldCore, startValues } from '../../../src/world/world.ts';
import { dropExpired } from '../drop-expired.ts';

/** What ships in `fixtures/micro-health.json`. */
export const FIXTURE = MicroHealthRecords.parse(fixture);
export const PRODUCTS = catalogue.products.map((product) => CatalogueProduct.parse(product));

interface WorldOptions {
  readonly settings?: Partial<Settings & MicroHealthSettings>;
  readonly products?: readonly CatalogueProduct[];
  readonly subscribers?: readonly MicroHealthSubscriber[];
  readonly seed?: number;
  readonly merchantId?: number;
}

/** A World with the shipped prices and, unless asked otherwise, nobody in it. */
export function createTestWorld(options: WorldOptions = {}): MicroHealthWorld {
  const { settings, products = PRODUCTS, subscribers = [], seed = 1, merchantId = 1 } = options;
  const all = { ...DEFAULT_SETTINGS, ...SETTINGS, ...settings };
  const core = createWorldCore(
    { settings: all, time: createTime() },
    startValues({ merchantId, clock: { now: 0, mode: 'frozen' }, seed, since: 0 }),
  );
  const world = Object.assign(core, {
    settings: all,
    products: new Map(products.map((product) => [product.id, product])),
    micro_health: microHealth.createState(FIXTURE, core.tables) as MicroHealthState,
  });
  world.micro_health.subscribers.loadAll(subscribers);
  return world;
}

export const at = (written: string): Instant => Date.parse(written);

const { first_beneficiary_full_name: _name, profile_url: _url, ...principal } = EXAMPLE_REQUEST;

/** What a principal alone has to send, for product 1, monthly: 400 naira. */
export const PRINCIPAL_BODY = { ...principal, amount: 400 };
export const PRINCIPAL = MicroHealthInitiateRequest.parse(PRINCIPAL_BODY);

/** A principal and one beneficiary, as the document shows it: 700 naira a month. */
export const COUPLE = MicroHealthInitiateRequest.parse(EXAMPLE_REQUEST);

/** Lets expire what has expired, then verifies: what a verify call does. */
export function verifyAt(
  world: MicroHealthWorld,
  token: string,
  now: Instant,
): MicroHealthSubscriber {
  dropExpired(world, 'micro_health', world.micro_health.tokens, now);
  return verifyPurchase(world, token, now);
}

/** Buys a policy at that moment. */
export function subscribeAt(
  world: MicroHealthWorld,
  moment: string,
  input: MicroHealthInitiateRequest = PRINCIPAL,
): MicroHealthListedSubscription {
  return verifyAt(world, initiatePurchase(world, input, at(moment)), at(moment)).subscriptions;
}

/** The refusal that an action meets. */
export function refusalOf(action: () => unknown): { code: string; messages: readonly string[] } {
  try {
    action();
  } catch (error) {
    if (error instanceof DomainError) return { code: error.code, messages: error.messages };
    throw error;
  }
  throw new Error('Nothing was refused');
}
