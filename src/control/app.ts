import { OpenAPIHono } from '@hono/zod-openapi';
import type { Context, Hono } from 'hono';
import { createMiddleware } from 'hono/factory';
import { HTTPException } from 'hono/http-exception';
import { announce } from '../api/activity.ts';
import { ConnectionLost } from '../api/context.ts';
import { pathAndQuery } from '../api/journal.ts';
import { NOT_JSON } from '../api/request.ts';
import { stopwatch, TimeSourceError } from '../world/clock.ts';
import type { ControlEnv } from './access.ts';
import { assumptions } from './assumptions.ts';
import { clock } from './clock.ts';
import { ControlError, type ProblemDocument, problemOf } from './control-error.ts';
import { events } from './events.ts';
import { faults } from './faults.ts';
import { journal } from './journal.ts';
import { journalAll } from './journal-all.ts';
import { journalWait } from './journal-wait.ts';
import { merchants } from './merchants.ts';
import { purchases } from './purchases.ts';
import { records } from './records.ts';
import { validationHook } from './request.ts';
import { snapshot } from './snapshot.ts';

/** Where the control plane stands in a sandbox. */
export const CONTROL_PATH = '/_sandbox';
/** Where those listen who watch the sandbox. */
const EVENTS_PATH = `${CONTROL_PATH}/events`;
/** Where its document stands; it is served with the other documents. */
export const CONTROL_DOCUMENT_PATH = `${CONTROL_PATH}/openapi.json` as const;

export type ControlApp = ReturnType<typeof createControlApp>;

let shared: ControlApp | undefined;

/** The app of the control plane, one for all sandboxes of the process. */
export function controlApp(): ControlApp {
  shared ??= createControlApp();
  return shared;
}

/** A request passes the access its route names, then the route; what is thrown is answered as a problem document. */
export function createControlApp() {
  const app = new OpenAPIHono<ControlEnv>({ defaultHook: validationHook }).basePath(CONTROL_PATH);
  app.use(announceCall);
  app.use(async (c, next) => {
    const allow = methods.get(c.req.path);
    if (allow && !allow.includes(c.req.method)) return refuseMethod(c, allow);
    return next();
  });
  const routed = app
    .route('/', clock())
    .route('/', snapshot())
    .route('/', faults())
    .route('/', journalAll())
    .route('/', journal())
    .route('/', journalWait())
    .route('/', records())
    .route('/', purchases())
    .route('/', assumptions())
    .route('/', merchants())
    .route('/', events());
  const methods = methodsByPath(app);
  for (const [path, allow] of methods) {
    // Of a path without parameters it was refused above.
    if (path.includes(':')) app.all(path.slice(CONTROL_PATH.length), (c) => refuseMethod(c, allow));
  }
  app.notFound((c) => {
    throw new ControlError(404, `There is no ${c.req.path}; see ${CONTROL_DOCUMENT_PATH}.`);
  });
  app.onError(renderError);
  return routed;
}

/** Tells those who watch of every call. The stream they watch by is none, nor is what a page of ours shows. */
const announceCall = createMiddleware<ControlEnv>(async (c, next) => {
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
  });
});

function refuseMethod(c: Context<ControlEnv>, allow: readonly string[]): Response {
  const list = allow.join(', ');
  const refusal = new ControlError(405, `${c.req.path} takes ${list}, not ${c.req.method}.`);
  return respondProblem(c, refusal.problem, { Allow: list });
}

/** The methods of each path, as `Allow` lists them. */
function methodsByPath({ routes }: Pick<Hono, 'routes'>): ReadonlyMap<string, readonly string[]> {
  // Two are served with the pages and the documents.
  const methods = new Map<string, string[]>(
    [CONTROL_PATH, CONTROL_DOCUMENT_PATH].map((path) => [path, ['GET', 'HEAD']]),
  );
  for (const { path, method } of routes) {
    const known = methods.get(path) ?? [];
    // Middlewares take all of them.
    if (method === 'ALL' || known.includes(method)) continue;
    methods.set(path, [...known, ...(method === 'GET' ? ['GET', 'HEAD'] : [method])]);
  }
  return methods;
}

function renderError(error: Error, c: Context<ControlEnv>): Response {
  // A lost connection is for whoever holds the connection.
  if (error instanceof ConnectionLost) throw error;
  if (error instanceof TimeSourceError) c.env.connection.throwAtCaller?.(error);
  const problem = problemOf(error instanceof HTTPException ? fromHttpException(error) : error);
  return respondProblem(c, problem, problem.status === 401 ? { 'WWW-Authenticate': 'Bearer' } : {});
}

/** What the validator refuses by itself, after `parseJsonBody`: text that is no JSON. */
const fromHttpException = ({ status, message }: HTTPException): ControlError =>
  status === 415 ? new ControlError(415, message) : new ControlError(400, NOT_JSON);

function respondProblem(
  c: Context<ControlEnv>,
  problem: ProblemDocument,
  headers: Record<string, string>,
): Response {
  const { status, detail, errors } = problem;
  c.set('problems', Array.isArray(errors) ? errors : [detail]);
  return c.json(problem, status, { 'Content-Type': 'application/problem+json', ...headers });
}
