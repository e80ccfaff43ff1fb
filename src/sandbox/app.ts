/* The whole app on one page, in the order in which a request passes through it. */

import { Hono } from 'hono';
import type { MerchantContext, MerchantEnv } from '../api/context.ts';
import { ConnectionLost } from '../api/context.ts';
import { preflight } from '../api/cors.ts';
import type { Endpoint } from '../api/endpoint.ts';
import { faults } from '../api/faults.ts';
import { operationHint, routeHint } from '../api/hints.ts';
import { journal } from '../api/journal.ts';
import { authenticate, readBody } from '../api/middlewares.ts';
import type { Operation } from '../api/operation.ts';
import { methodsOf, respondError, respondInternalError, respondNotServed } from '../api/respond.ts';
import { CONTROL_PATH, type ControlEnv } from '../control/access.ts';
import { problemOf } from '../control/control-error.ts';
import type { ServedFamilies } from '../products/index.ts';
import { expirePending, operations } from '../products/world.ts';
import { TimeSourceError } from '../world/clock.ts';
import { DomainError, refused } from '../world/errors.ts';
import { NotStoredError } from '../world/tables.ts';
import { missingPage, pages } from './pages.ts';

const PROBLEM_JSON = { 'content-type': 'application/problem+json' };

export type MerchantApp = Hono<MerchantEnv>;

/** Makes an app that serves these families. */
export function createApp(families: ServedFamilies): MerchantApp {
  const app: MerchantApp = new Hono();

  app.options('/api/*', preflight);
  for (const operation of families.operations) {
    app.all(operation.path, ...callOf(operation), runOrRefuse(operation));
  }
  const others = createOthers(app);
  app.notFound((c) => others.fetch(c.req.raw, c.env));

  app.onError(renderError);
  return app;
}

/** Every other path. An app of its own, so that the routes of pages are built for the first page, and no call waits for them. */
function createOthers(app: MerchantApp): MerchantApp {
  const others: MerchantApp = new Hono();

  others.route('/', pages);
  others.route('/', control(app));
  others.get('*', async (c, next) => (await missingPage(c)) ?? next());
  others.all('*', ...callOf(undefined), refuseRoute);

  others.onError(renderError);
  return others;
}

/** The control plane and the tools below its path. Most calls are of the merchant API, so these are loaded on demand. */
const control = (app: MerchantApp) =>
  new Hono<ControlEnv>().all(`${CONTROL_PATH}/*`, async (c) => {
    const createTool = await c.env.tools[c.req.path]?.();
    if (createTool) return createTool(app).fetch(c.req.raw, c.env);
    const { controlApp } = await import('../control/app.ts');
    const response = await controlApp.fetch(c.req.raw, c.env);
    return (response.status === 404 && (await missingPage(c))) || response;
  });

/** What every call passes before its operation; undefined if no operation has its path. */
const callOf = (operation: Operation | undefined) =>
  [journal(operation), authenticate, readBody, faults] as const;

/** Runs an operation, or refuses the call if its method is another. */
function runOrRefuse(operation: Endpoint) {
  const run = operation.handler(expirePending);
  const methods = methodsOf(operation);
  return (c: MerchantContext): Response => {
    const { method } = c.req;
    if (methods.includes(method)) return run(c);
    c.get('call').hint = operationHint(operation);
    const message = `The ${method} method is not supported here; use ${methods.join(', ')}.`;
    throw refused('method_not_allowed', message);
  };
}

function refuseRoute(c: MerchantContext): never {
  c.get('call').hint = routeHint(c, operations);
  throw refused('route_unknown', 'The route was not found.');
}

/** Renders an error in the envelope of its call. */
function renderError(error: Error, c: MerchantContext): Response {
  // The owner of the connection handles its loss.
  if (error instanceof ConnectionLost) throw error;
  if (error instanceof DomainError) return respondError(c, error);
  if (error instanceof NotStoredError) return respondNotServed(c, 507, error);
  if (error instanceof TimeSourceError) {
    c.env.connection.throwAtCaller?.(error);
    return respondNotServed(c, 500, error);
  }
  // Pages have no envelope.
  if (c.get('call') === undefined) return c.json(problemOf(error), 500, PROBLEM_JSON);
  return respondInternalError(c, error);
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
