/* The app of the control plane: its routes, and how refusals are rendered. */

import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { HTTPException } from 'hono/http-exception';
import { ConnectionLost } from '../api/context.ts';
import { pathAndQuery } from '../api/journal.ts';
import { NOT_JSON } from '../api/request.ts';
import { announce } from '../world/activity.ts';
import { stopwatch, TimeSourceError } from '../world/clock.ts';
import { CONTROL_DOCUMENT_PATH, CONTROL_PATH, type ControlEnv } from './access.ts';
import { addSandboxCall, addWorldCall } from './call.ts';
import { SANDBOX_CALLS, WORLD_CALLS } from './calls.ts';
import { ControlError, type ProblemDocument, problemOf } from './control-error.ts';
import { events } from './events.ts';
import { validationHook } from './json.ts';

const EVENTS_PATH = `${CONTROL_PATH}/events`;
/** The methods of routes. */
const METHODS = ['GET', 'POST', 'PUT', 'DELETE'] as const;

/** Reports every call to listeners, except the event stream itself and what the inspector reads. */
export const announceCall = createMiddleware<ControlEnv>(async (c, next) => {
  const { activity } = c.env.merchants;
  const isRead = ['GET', 'HEAD'].includes(c.req.method);
  const isOfPage = isRead && c.req.header('sec-fetch-site') === 'same-origin';
  if (activity.listeners.size === 0 || isOfPage || c.req.path === EVENTS_PATH) return next();
  const since = stopwatch();
  await next();
  announce(activity, {
    kind: 'control',
    merchant: c.get('merchant'),
    method: c.req.method,
    path: pathAndQuery(c.req.url),
    status: c.res.status,
    problems: c.get('problems') ?? [],
    elapsedMs: stopwatch() - since,
    did: c.get('did') ?? [],
  });
});

/** An app with every route of the control plane. Refusals are problem documents, and listeners are told of each call. */
export function createControlApp() {
  const app = new OpenAPIHono<ControlEnv>({ defaultHook: validationHook }).basePath(CONTROL_PATH);
  app.use(announceCall);
  // Returned, because an error of the only handler after `announceCall` would pass it by.
  app.notFound((c) => {
    const { path } = c.req;
    const methods = METHODS.filter((method) =>
      // Middlewares are routes of ALL methods.
      app.router.match(method, path)[0].some(([[, route]]) => route.method !== 'ALL'),
    );
    if (methods.length > 0) return refuseMethod(c, methods);
    const message = `Unknown path ${path}; see ${CONTROL_DOCUMENT_PATH}.`;
    return renderError(new ControlError(404, message), c);
  });
  app.onError(renderError);
  // First, because /journal/all is a /journal/{id} too.
  for (const call of SANDBOX_CALLS) addSandboxCall(app, call);
  for (const call of Object.values(WORLD_CALLS)) addWorldCall(app, call);
  return app.route('/', events());
}

/** The control plane of every sandbox in this process. Each request brings its own sandbox. */
export const controlApp = createControlApp();

/** Refuses a wrong method with 405. */
function refuseMethod(c: Context<ControlEnv>, methods: readonly string[]): Response {
  const { path, method } = c.req;
  const allow = methods.join(', ').replace('GET', 'GET, HEAD');
  const { problem } = new ControlError(405, `${path} supports ${allow}, not ${method}.`);
  return respondProblem(c, problem, { Allow: allow });
}

/** Renders an error as a problem document. */
export function renderError(error: Error, c: Context<ControlEnv>): Response {
  // The owner of the connection handles its loss.
  if (error instanceof ConnectionLost) throw error;
  if (error instanceof TimeSourceError) c.env.connection.throwAtCaller?.(error);
  // The validator itself refuses text that is not JSON.
  const problem = problemOf(
    error instanceof HTTPException ? new ControlError(400, NOT_JSON) : error,
  );
  return respondProblem(c, problem, problem.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {});
}

export function respondProblem(
  c: Context<ControlEnv>,
  problem: ProblemDocument,
  headers: Record<string, string>,
): Response {
  const { status, detail, errors } = problem;
  c.set('problems', Array.isArray(errors) ? errors : [detail]);
  return c.json(problem, status, { 'Content-Type': 'application/problem+json', ...headers });
}
