import { Hono } from 'hono';
import { CONTROL_PATH, createControlApi } from './control/api.ts';
import { momentOf } from './control/clock.ts';
import { createHandle, mintInput, momentText } from './control/handle.ts';
import { checked } from './control/input.ts';
import { createTenants, listTenants, mint, resetAll, type Tenant } from './control/merchants.ts';
import { ControlError } from './control/problems.ts';
import { applyProfile } from './control/profile.ts';
import { NewMerchant } from './control/schemas/merchants.ts';
import { dumpSandbox, loadSandbox } from './control/state.ts';
import type { Defaults } from './control/worlds.ts';
import { DEFAULT_SETTINGS, type Settings } from './core/settings.ts';
import { mountMerchantApi } from './http/api.ts';
import type { SandboxEnv } from './http/context.ts';
import { ConnectionLost } from './http/faulty.ts';
import { refuseUnfit } from './options.ts';
import { mountPages } from './pages.ts';
import { builtInFixtures, readFixtures, refuseFuture } from './products/fixtures.ts';
import { anyFamilies, settle } from './products/world.ts';
import type { Connection, Sandbox, SandboxOptions } from './public.ts';

/**
 * A sandbox in this process: the merchant API, the control plane and the pages, over in-memory Worlds.
 * Throws `FixtureError` for fixtures, and `ControlError` for options, that can't be served.
 */
export function createSandbox(options: SandboxOptions = {}): Sandbox {
  const { publicUrl, adminToken } = options;
  refuseUnfit(options);
  const tenants = createTenants(defaultsOf(options), publicUrl, adminToken);
  const app = new Hono<SandboxEnv>();
  app.route(CONTROL_PATH, createControlApi(tenants, adminToken));
  mountPages(app, (key) => tenants.byKey.has(key));
  const direct = mountMerchantApi(
    app,
    anyFamilies.flatMap((family) => family.operations),
    tenants,
    settle,
  );
  app.onError((error) => {
    throw error;
  });

  const serve = (request: Request, connection: Connection) =>
    direct(request, connection) ?? app.fetch(request, connection);

  const handles = new WeakMap<Tenant, ReturnType<typeof createHandle>>();
  const handleOf = (tenant: Tenant) => {
    const handle = handles.get(tenant) ?? createHandle(tenants, tenant);
    handles.set(tenant, handle);
    return handle;
  };
  return {
    fetch: async (request, connection) => {
      if (connection) return await serve(request, connection);
      try {
        return await serve(request, {});
      } catch (error) {
        // Who gives up waiting hears of it as from the platform's own fetch: by the reason of the signal.
        throw error instanceof ConnectionLost && request.signal.aborted
          ? request.signal.reason
          : error;
      }
    },
    createMerchant: (wanted = {}) =>
      handleOf(mint(tenants, checked(NewMerchant(), mintInput(wanted)))),
    merchant: (apiKey) => {
      const tenant = tenants.authenticate(`Bearer ${apiKey}`) && tenants.byKey.get(apiKey);
      if (!tenant) throw new ControlError(404, `No merchant has the key "${apiKey}".`);
      return handleOf(tenant);
    },
    merchants: () => listTenants(tenants).map(handleOf),
    resetAll: () => resetAll(tenants),
    dump: () => dumpSandbox(tenants),
    load: (state) => loadSandbox(tenants, state),
  };
}

function defaultsOf(options: SandboxOptions): Defaults {
  const fixtures = options.fixtures ? readFixtures(options.fixtures) : builtInFixtures();
  const now = options.now === undefined ? undefined : momentOf(momentText(options.now), 'now');
  if (now !== undefined) refuseFuture(fixtures, now);
  return {
    fixtures,
    clock: { now, mode: options.clock ?? 'running' },
    seed: options.seed ?? 1,
    settings: settingsOf(options),
    autoMerchants: options.autoMerchants ?? false,
  };
}

function settingsOf({ amountCheck, profile }: SandboxOptions): Settings {
  const settings =
    profile === undefined ? DEFAULT_SETTINGS : applyProfile(DEFAULT_SETTINGS, profile);
  return amountCheck === undefined ? settings : { ...settings, amountCheck };
}
