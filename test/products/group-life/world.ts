import type { Operation } from '../../../src/api/operation.ts';
import type { CatalogueProduct } from '../../../src/products/catalogue.ts';
import { EXAMPLE_PRODUCT, EXAMPLE_REQUEST } from '../../../src/products/group-life/examples.ts';
import { groupLife } from '../../../src/products/group-life/index.ts';
import { initiatePurchase, verifyPurchase } from '../../../src/products/group-life/purchase.ts';
import type { GroupLifeState, GroupLifeWorld } from '../../../src/products/group-life/records.ts';
import { GroupLifeInitiateRequest } from '../../../src/products/group-life/requests.ts';
import { DEFAULT_SETTINGS } from '../../../src/products/world.ts';
import { createTime } from '../../../src/world/clock.ts';
import { DomainError } from '../../../src/world/errors.ts';
import { createWorldCore, startValues } from '../../../src/world/world.ts';
import { parseRequest } from '../../support/parse-request.ts';

export const NOW = Date.parse('2026-01-31T10:00:57.500Z');

const products: CatalogueProduct[] = [
  { family: 'micro_health', ...EXAMPLE_PRODUCT, id: 1 },
  { family: 'group_life', ...EXAMPLE_PRODUCT },
  { family: 'group_life', ...EXAMPLE_PRODUCT, id: 9, enable: false },
];

export function createWorld(merchantId = 1): GroupLifeWorld {
  const core = createWorldCore(
    { settings: DEFAULT_SETTINGS, time: createTime() },
    startValues({ merchantId, clock: { mode: 'frozen', now: NOW }, seed: 7, since: 0 }),
  );
  return Object.assign(core, {
    products: new Map(products.map((product) => [product.id, product])),
    group_life: groupLife.createState({}, core.tables) as GroupLifeState,
  });
}

export const REQUEST = GroupLifeInitiateRequest.parse(EXAMPLE_REQUEST);

export const buy = (world: GroupLifeWorld, input: GroupLifeInitiateRequest = REQUEST, now = NOW) =>
  verifyPurchase(world, initiatePurchase(world, input, now), now);

/** What the operation makes of a body: its input, or the refusal's texts. */
export function read(operation: Operation, body: unknown, world = createWorld()) {
  return parseRequest(operation, { world, now: NOW }, body);
}

export function refusal(run: () => unknown): DomainError {
  try {
    run();
  } catch (error) {
    if (error instanceof DomainError) return error;
    throw error;
  }
  throw new Error('Nothing was refused');
}
