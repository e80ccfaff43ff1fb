import microHealth from '../../../fixtures/micro-health.json' with { type: 'json' };
import catalogue from '../../../fixtures/products.json' with { type: 'json' };
import { DomainError } from '../../../src/core/errors.ts';
import { DEFAULT_SETTINGS, type Settings } from '../../../src/core/settings.ts';
import type { Instant } from '../../../src/core/time.ts';
import { dropExpired } from '../../../src/core/tokens.ts';
import { createWorldCore } from '../../../src/core/world.ts';
import { initiatePurchase, verifyPurchase } from '../../../src/products/micro-health/purchase.ts';
import type { InitiateRequest } from '../../../src/products/micro-health/requests.ts';
import type { Subscriber, Subscription } from '../../../src/products/micro-health/schemas.ts';
import {
  createState,
  MicroHealthRecords,
  type MicroHealthWorld,
} from '../../../src/products/micro-health/state.ts';
import { CatalogueProduct } from '../../../src/products/product.ts';

/** What ships in `fixtures/micro-health.json`. */
export const FIXTURE = MicroHealthRecords().parse(microHealth);
export const PRODUCTS = catalogue.products.map((product) => CatalogueProduct().parse(product));

interface WorldOptions {
  readonly settings?: Partial<Settings>;
  readonly products?: readonly CatalogueProduct[];
  readonly subscribers?: readonly Subscriber[];
  readonly seed?: number;
  readonly merchantId?: number;
}

/** A World with the shipped prices and, unless asked otherwise, nobody in it. */
export function createTestWorld(options: WorldOptions = {}): MicroHealthWorld {
  const { settings, products = PRODUCTS, subscribers = [], seed = 1, merchantId = 1 } = options;
  return {
    ...createWorldCore({
      merchantId,
      clock: { now: 0, mode: 'frozen' },
      seed,
      settings: { ...DEFAULT_SETTINGS, ...settings },
    }),
    products: new Map(products.map((product) => [product.id, product])),
    micro_health: createState({ ...FIXTURE, subscribers: [...subscribers] }),
  };
}

export const at = (written: string): Instant => Date.parse(written);

/** A principal alone, product 1, monthly. */
export const PRINCIPAL: InitiateRequest = {
  first_name: 'Ada',
  surname: 'Obi',
  email: 'ada@example.com',
  phone_no: '08031234567',
  date_of_birth: '1990-04-12',
  product_id: 1,
  subscription_type: 'monthly',
  amount: 400,
  nin_number: '12345678901',
  id_url: 'https://files.example.com/id.png',
};

/** A principal and one beneficiary, as in the documented sample: 700 naira a month. */
export const COUPLE: InitiateRequest = {
  ...PRINCIPAL,
  amount: 700,
  first_beneficiary_full_name: 'Bola Ade',
};

/** Lets expire what has expired, then verifies: what a verify call does. */
export function verifyAt(world: MicroHealthWorld, token: string, now: Instant): Subscriber {
  dropExpired(world, 'micro_health', world.micro_health.tokens, now);
  return verifyPurchase(world, token, now);
}

/** Buys a policy at that moment. */
export function subscribeAt(
  world: MicroHealthWorld,
  moment: string,
  input: InitiateRequest = PRINCIPAL,
): Subscription {
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
