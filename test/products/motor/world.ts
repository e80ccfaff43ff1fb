import type { Operation } from '../../../src/api/operation.ts';
import type { CatalogueProduct } from '../../../src/products/catalogue.ts';
import { EXAMPLE_REQUEST } from '../../../src/products/motor/examples.ts';
import { motor } from '../../../src/products/motor/index.ts';
import { initiatePurchase, verifyPurchase } from '../../../src/products/motor/purchase.ts';
import type { MotorState, MotorWorld, PremiumRate } from '../../../src/products/motor/records.ts';
import { MotorInitiateRequest } from '../../../src/products/motor/requests.ts';
import { DEFAULT_SETTINGS } from '../../../src/products/world.ts';
import { createTime } from '../../../src/world/clock.ts';
import { DomainError } from '../../../src/world/errors.ts';
import type { Settings } from '../../../src/world/settings.ts';
import type { Instant } from '../../../src/world/time.ts';
import { createWorldCore, startValues } from '../../../src/world/world.ts';
import { parseRequest } from '../../support/parse-request.ts';
import { dropExpired } from '../drop-expired.ts';

export const NOW = Date.parse('2026-01-31T10:00:57.500Z');

const PRODUCT: CatalogueProduct = {
  family: 'motor',
  id: 4,
  name: 'Comprehensive Motor Plan',
  details: '<p>Accident, fire and theft.</p>',
  beneficiaries: false,
  max_beneficiaries: 0,
  provider_id: 1,
  logo_url: null,
  enable: true,
  created_at: '2023-01-30T10:45:00.000000Z',
  updated_at: '2023-01-30T10:45:00.000000Z',
  service_id: 3,
  product_class_id: 3,
};

const products: CatalogueProduct[] = [
  { ...PRODUCT, family: 'micro_health', id: 1 },
  PRODUCT,
  { ...PRODUCT, id: 9, enable: false },
];

interface WorldOptions {
  readonly merchantId?: number;
  readonly settings?: Partial<Settings>;
  readonly rates?: readonly PremiumRate[];
}

/** A World that sells product 4 and has sold nothing. */
export function createWorld(options: WorldOptions = {}): MotorWorld {
  const { merchantId = 1, settings, rates = [{ product_id: 4, rate: 0.05 }] } = options;
  const core = createWorldCore(
    { settings: { ...DEFAULT_SETTINGS, ...settings }, time: createTime() },
    startValues({ merchantId, clock: { mode: 'frozen', now: NOW }, seed: 7, since: 0 }),
  );
  return Object.assign(core, {
    products: new Map(products.map((product) => [product.id, product])),
    motor: motor.createState({ premium_rates: [...rates] }, core.tables) as MotorState,
  });
}

export const REQUEST = MotorInitiateRequest.parse(EXAMPLE_REQUEST);

/** Lets expire what has expired, then verifies: what a verify call does. */
export function verifyAt(world: MotorWorld, token: string, now: Instant) {
  dropExpired(world, 'motor', world.motor.tokens, now);
  return verifyPurchase(world, token, now);
}

export const buy = (world: MotorWorld, input: MotorInitiateRequest = REQUEST, now = NOW) =>
  verifyAt(world, initiatePurchase(world, input, now).token, now);

/** What the operation makes of a body: its input, or a refusal. */
export function read(operation: Operation, body: unknown, world = createWorld()) {
  return parseRequest(operation, { world, now: NOW }, body);
}

/** The refusal that an action meets. */
export function refusal(run: () => unknown): DomainError {
  try {
    run();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('Nothing was refused');
}
