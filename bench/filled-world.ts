import { Hono } from 'hono';
import { createTenants, mint, type Tenant, type Tenants } from '../src/control/merchants.ts';
import { DEFAULT_SETTINGS } from '../src/core/settings.ts';
import { DAY_MS } from '../src/core/time.ts';
import { mountMerchantApi } from '../src/http/api.ts';
import type { SandboxEnv } from '../src/http/context.ts';
import { builtInFixtures } from '../src/products/fixtures.ts';
import { initiatePurchase, verifyPurchase } from '../src/products/micro-health/purchase.ts';
import { InitiateRequest } from '../src/products/micro-health/requests.ts';
import type { MicroHealthWorld } from '../src/products/micro-health/state.ts';
import { anyFamilies, settle } from '../src/products/world.ts';
import { PURCHASE } from './calls.ts';

/** The first day of the year the subscriptions are spread over; the clock stands still at its end. */
const START = Date.UTC(2024, 0, 1);
const END = START + 365 * DAY_MS;

/** A sandbox whose Worlds the benchmark can reach into. */
export interface OpenSandbox {
  readonly tenants: Tenants;
  readonly fetch: (request: Request) => Response | Promise<Response>;
}

export function openSandbox(): OpenSandbox {
  const tenants = createTenants(
    {
      fixtures: builtInFixtures(),
      clock: { now: END, mode: 'frozen' },
      seed: 1,
      settings: DEFAULT_SETTINGS,
      autoMerchants: false,
    },
    undefined,
  );
  const app = new Hono<SandboxEnv>();
  const direct = mountMerchantApi(
    app,
    anyFamilies.flatMap((family) => family.operations),
    tenants,
    settle,
  );
  return { tenants, fetch: (request) => direct(request, {}) ?? app.fetch(request, {}) };
}

/** A merchant with that many subscriptions, bought one after the other over a year. */
export function fillMerchant({ tenants }: OpenSandbox, subscriptions: number): Tenant {
  const tenant = mint(tenants, {});
  const world = tenant.world as MicroHealthWorld;
  const sent = JSON.stringify(PURCHASE);
  for (let bought = 0; bought < subscriptions; bought++) {
    const now = START + Math.floor((bought / subscriptions) * 365 * DAY_MS);
    const input = InitiateRequest().parse(JSON.parse(sent));
    verifyPurchase(world, initiatePurchase(world, input, now), now);
  }
  return tenant;
}

export const subscribersOf = ({ world }: Tenant) =>
  (world as MicroHealthWorld).micro_health.subscribers.list;
