import { OpenAPIHono } from '@hono/zod-openapi';
import { HTTPException } from 'hono/http-exception';
import type { MerchantContext, MerchantEnv } from './api/context.ts';
import { ConnectionLost } from './api/context.ts';
import { preflight } from './api/cors.ts';
import { faults } from './api/faults.ts';
import { operationHint, routeHint } from './api/hints.ts';
import { journal } from './api/journal.ts';
import { authenticate, now, readBody } from './api/middlewares.ts';
import { NOT_JSON } from './api/request.ts';
import { formsKey } from './api/request-forms.ts';
import { allowOf, respondError, respondInternalError, respondNotServed } from './api/respond.ts';
import { CONTROL_PATH, MCP_PATH } from './control/access.ts';
import { problemOf } from './control/control-error.ts';
import { missingPage, pages } from './pages.ts';
import { anyFamilies, expirePending } from './products/world.ts';
import { TimeSourceError } from './world/clock.ts';
import { DomainError, refused } from './world/errors.ts';
import type { Settings } from './world/settings.ts';
import { NotStoredError } from './world/tables.ts';

const PROBLEM_JSON = { 'content-type': 'application/problem+json' };

const operations = anyFamilies.flatMap((family) => family.operations);

/** The whole app, in the order in which a request passes through it. */
function createApp(settings: Settings): OpenAPIHono<MerchantEnv> {
  const app = new OpenAPIHono<MerchantEnv>();

  app.route('/', pages);
  app.all(MCP_PATH, async (c) => {
    const { mcpEndpoint } = await import('./tools/mcp/endpoint.ts');
    return mcpEndpoint((request, env) => app.fetch(request, env)).fetch(c.req.raw, c.env);
  });
  app.all(`${CONTROL_PATH}/*`, async (c) => {
    // Most calls use the merchant API only, so the control plane is loaded on demand.
    const { controlApp } = await import('./control/app.ts');
    const response = await controlApp.fetch(c.req.raw, c.env);
    return (response.status === 404 && (await missingPage(c))) || response;
  });
  app.get('*', async (c, next) => (await missingPage(c)) ?? next());

  app.options('/api/*', preflight);
  app.use(journal(operations));
  app.use(authenticate);
  app.use(readBody);
  app.use(faults);
  app.use(now(expirePending));
  for (const operation of operations) {
    operation.mount(app, settings);
    app.all(operation.path, refuseMethod);
  }

  app.notFound(refuseRoute);
  app.onError(renderError);
  return app;
}

function refuseMethod(c: MerchantContext): never {
  const call = c.get('call');
  const { operation } = call;
  if (operation) call.hint = operationHint(operation);
  const allow = operation ? allowOf(operation) : '';
  throw refused(
    'method_not_allowed',
    `The ${c.req.method} method is not supported here; use ${allow}.`,
  );
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
  // The validator itself refuses text that is not JSON.
  if (error instanceof HTTPException) {
    return respondError(c, refused('malformed', NOT_JSON));
  }
  // Pages have no envelope.
  if (c.get('call') === undefined) return c.json(problemOf(error), 500, PROBLEM_JSON);
  return respondInternalError(c, error);
}

const apps = new Map<string, OpenAPIHono<MerchantEnv>>();

/**
 * The app for all sandboxes of this process that accept the same request fields. Each request brings the merchants of its
 * own sandbox.
 */
export function sharedApp(settings: Settings): OpenAPIHono<MerchantEnv> {
  const key = `${formsKey(settings)} ${settings.textTrim}`;
  const app = apps.get(key) ?? createApp(settings);
  apps.set(key, app);
  return app;
}
