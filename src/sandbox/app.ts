/* The whole app on one page, in the order in which a request passes through it. */

import { type Context, Hono } from 'hono';
import { ConnectionLost, type MerchantEnv } from '../api/context.ts';
import { preflight } from '../api/cors.ts';
import { refuseMethod, refuseUnknownRoute, runOperation } from '../api/handlers.ts';
import { authenticate, journal, readBody } from '../api/middlewares.ts';
import type { Operation } from '../api/operation.ts';
import { renderRefusal } from '../api/respond.ts';
import { CONTROL_PATH, type ControlEnv } from '../control/access.ts';
import { problemOf } from '../control/control-error.ts';
import type { ServedFamilies } from '../products/index.ts';
import { expirePending } from '../products/world.ts';
import { missingPage, pages } from './pages.ts';

const PROBLEM_JSON = { 'content-type': 'application/problem+json' };

export type MerchantApp = Hono<MerchantEnv>;

/** Makes an app that serves these families. */
export function createApp(families: ServedFamilies): MerchantApp {
  const app: MerchantApp = new Hono();

  app.options('/api/*', preflight);
  for (const operation of families.operations) {
    const { method, path } = operation;
    app[method](path, ...beforeOperation(operation), runOperation(operation, expirePending));
  }
  const others = createOthers(app, families.operations);
  app.notFound((c) => others.fetch(c.req.raw, c.env));

  app.onError(renderError);
  return app;
}

/**
 * Every other path or method. An app of its own, so that its routes are built for the first such request, and no call
 * waits for them.
 */
function createOthers(app: MerchantApp, operations: readonly Operation[]): MerchantApp {
  const others: MerchantApp = new Hono();

  others.route('/', pages);
  others.route('/', control(app));
  for (const operation of operations) {
    others.all(operation.path, ...beforeOperation(operation), refuseMethod(operation));
  }
  others.get('*', async (c, next) => (await missingPage(c)) ?? next());
  others.all('*', ...beforeOperation(undefined), refuseUnknownRoute(operations));

  others.onError(renderError);
  return others;
}

/** The control plane, once it is loaded. */
let controlApp: Hono<ControlEnv> | undefined;

/** The control plane and the tools below its path. Most calls are of the merchant API, so these are loaded on demand. */
const control = (app: MerchantApp) =>
  new Hono<ControlEnv>().all(`${CONTROL_PATH}/*`, async (c) => {
    const createTool = await c.env.tools[c.req.path]?.();
    if (createTool) return createTool(app).fetch(c.req.raw, c.env);
    controlApp ??= (await import('../control/app.ts')).controlApp;
    const response = await controlApp.fetch(c.req.raw, c.env);
    return (response.status === 404 && (await missingPage(c))) || response;
  });

/** What every call passes before its operation; undefined if no operation has its path. */
const beforeOperation = (operation: Operation | undefined) =>
  [journal(operation), authenticate, readBody] as const;

/** Renders an error in the envelope of its call. Pages have none. */
function renderError(error: Error, c: Context<MerchantEnv>): Response {
  // The owner of the connection handles its loss.
  if (error instanceof ConnectionLost) throw error;
  const call = c.get('call');
  if (call) return renderRefusal(call, error);
  return c.json(problemOf(error), 500, PROBLEM_JSON);
}

const apps = new WeakMap<ServedFamilies, MerchantApp>();

/**
 * The app for all sandboxes of this process that serve the same families. Each request brings the merchants of its own
 * sandbox.
 */
export function sharedApp(families: ServedFamilies): MerchantApp {
  const app = apps.get(families) ?? createApp(families);
  apps.set(families, app);
  return app;
}
