/* The app of the control plane: its routes, and how refusals are rendered. */

import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { createMiddleware } from 'hono/factory';
import { HTTPException } from 'hono/http-exception';
import type { RouterRoute } from 'hono/types';
import { ConnectionLost } from '../api/context.ts';
import { pathAndQuery } from '../api/journal.ts';
import { NOT_JSON } from '../api/request.ts';
import { announce } from '../world/activity.ts';
import { stopwatch, TimeSourceError } from '../world/clock.ts';
import {
  CONTROL_DOCUMENT_30_PATH,
  CONTROL_DOCUMENT_PATH,
  CONTROL_PATH,
  type ControlEnv,
} from './access.ts';
import { addSandboxCall, addWorldCall } from './call.ts';
import { SANDBOX_CALLS, WORLD_CALLS } from './calls.ts';
import { ControlError, type ProblemDocument, problemOf } from './control-error.ts';
import { events } from './events.ts';
import { validationHook } from './json.ts';

/** The path of the stream of events, below the path of the control plane. */
const EVENTS = '/events';
const EVENTS_PATH = `${CONTROL_PATH}${EVENTS}`;

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

/*
 * The control plane of every sandbox in this process. Each request brings its own sandbox. It is two apps, because Hono's
 * fast router takes no fixed path beside a parameter: /journal/all beside /journal/{id}, and /journal/await beside
 * /journal/{id}/send.
 */
const isApart = (path: string): boolean => /^\/journal\/(all|[^/]+\/send)$/.test(path);
const controlApp = withCalls(createPart(), (path) => !isApart(path));
const apartApp = withCalls(createPart(), isApart);

/** The app that serves a path. */
export const controlAppOf = (path: string) =>
  isApart(path.slice(CONTROL_PATH.length)) ? apartApp : controlApp;

/** Every route of the control plane in one app, for documents. */
export const createControlApp = () => withCalls(createPart(), () => true);

/** Adds the calls whose path is wanted. */
function withCalls(app: ReturnType<typeof createPart>, isWanted: (path: string) => boolean) {
  for (const call of Object.values(WORLD_CALLS)) {
    if (isWanted(call.path)) addWorldCall(app, call);
  }
  for (const call of SANDBOX_CALLS) if (isWanted(call.path)) addSandboxCall(app, call);
  return isWanted(EVENTS) ? app.route('/', events()) : app;
}

/** An app without routes, and what all routes have in common: listeners are told, and refusals are problems. */
function createPart() {
  const app = new OpenAPIHono<ControlEnv>({ defaultHook: validationHook }).basePath(CONTROL_PATH);
  app.use(announceCall);
  // Returned, because an error of the only handler after `announceCall` would pass it by.
  app.notFound((c) => {
    const methods = methodsOf(app.routes, c.req.path);
    if (methods) return refuseMethod(c, methods);
    const message = `Unknown path ${c.req.path}; see ${CONTROL_DOCUMENT_PATH}.`;
    return renderError(new ControlError(404, message), c);
  });
  app.onError(renderError);
  return app;
}

/** The methods that routes have for a path. Undefined if none has it. */
function methodsOf(routes: readonly RouterRoute[], path: string): ReadonlySet<string> | undefined {
  const [, methods] =
    methodsByPath(routes).find(([known]) =>
      new RegExp(`^${known.replace(/:\w+/g, '[^/]+')}$`).test(path),
    ) ?? [];
  return methods;
}

/** The methods of each path; paths without parameters come first. */
function methodsByPath(routes: readonly Pick<RouterRoute, 'path' | 'method'>[]) {
  // The app around this one serves these paths.
  const pages = [CONTROL_PATH, CONTROL_DOCUMENT_PATH, CONTROL_DOCUMENT_30_PATH].map((path) => ({
    path,
    method: 'GET',
  }));
  const methods = new Map<string, Set<string>>();
  for (const { path, method } of [...pages, ...routes]) {
    // Middlewares are listed as ALL.
    if (method === 'ALL') continue;
    const known = methods.get(path) ?? new Set();
    methods.set(path, known.add(method));
    if (method === 'GET') known.add('HEAD');
  }
  return [...methods].toSorted(([a], [b]) => Number(a.includes(':')) - Number(b.includes(':')));
}

/** Refuses a wrong method with 405. */
function refuseMethod(c: Context<ControlEnv>, methods: ReadonlySet<string>): Response {
  const { path, method } = c.req;
  const allow = [...methods].join(', ');
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
